"""Fields of a model as people read about them: type, rules, words, examples, description.

The one source is the model: its types, their marks, and the sentence beneath each field. The
reference, the JSON Schemas and `explain` are all made from what is found here.
"""

import ast
import inspect
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import pairwise
from typing import Any, NamedTuple, get_args, get_origin, get_type_hints

from pydantic import BaseModel

from ...kinds.types import Shown
from .hints import bare_of, is_union, models_in, without_none, words_of


class Field(NamedTuple):
    """One field of a model."""

    name: str
    """As an author writes it."""
    hint: Any
    """Its type with all marks, without None."""
    required: bool
    default: Any
    """What lmssync or the platform takes where it is left out; None where nothing is said."""
    shown: Shown
    text: str
    """The sentence beneath it."""

    @property
    def words(self) -> tuple[str, ...]:
        """The words that it may be, if they are given; those of the items of a list."""
        return words_of(self.hint)

    @property
    def models(self) -> list[type[BaseModel]]:
        """The models of what stands inside it."""
        return list(models_in(self.hint))


def fields(model: type[BaseModel]) -> dict[str, Field]:
    """The fields of a model by name: its own first, then those of its bases."""
    return {field.name: field for _, found in groups(model) for field in found}


@cache
def groups(model: type[BaseModel]) -> tuple[tuple[type[BaseModel], tuple[Field, ...]], ...]:
    """The same by the class that declares them; a field belongs to the nearest."""
    hints = get_type_hints(model, include_extras=True)
    left = dict.fromkeys(model.model_fields)
    found = []
    for one in model.__mro__:
        names = [name for name in inspect.get_annotations(one) if name in left]
        if names:
            found.append((one, tuple(_field(model, name, hints[name]) for name in names)))
            left = {name: None for name in left if name not in names}
    return tuple(found)


def _field(model: type[BaseModel], name: str, hint: Any) -> Field:
    declared = model.model_fields[name]
    shown = next(_shown(hint), Shown(tuple(declared.examples or ())))
    plain = isinstance(declared.default, (str, int)) and not declared.is_required()
    default = declared.default if plain else shown.default
    text = sentences(model).get(name, "")
    return Field(
        declared.alias or name, without_none(hint), declared.is_required(), default, shown, text
    )


def _shown(hint: Any) -> Iterator[Shown]:
    """The marks of a type, outermost first."""
    for mark in getattr(hint, "__metadata__", ()):
        if isinstance(mark, Shown):
            yield mark
    bare = bare_of(hint)
    if is_union(bare):
        for argument in get_args(bare):
            yield from _shown(argument)


def samples(hint: Any) -> list[Any]:
    """Values that the types inside a type are marked with: a date, a list of one uuid."""
    bare = bare_of(hint)
    shown = next(_shown(hint), Shown())
    if get_origin(bare) is list and not shown.examples:
        return [[value] for value in samples(get_args(bare)[0])]
    return list(shown.examples)


def inner(model: type[BaseModel]) -> Iterator[type[BaseModel]]:
    """The models that stand inside a model, each once, outermost first."""
    waiting, found = [model], [model]
    while waiting:
        for field in fields(waiting.pop(0)).values():
            for other in field.models:
                if other not in found:
                    found.append(other)
                    waiting.append(other)
                    yield other


def summary(model: type[Any]) -> str:
    """The first paragraph of a docstring, on one line."""
    return " ".join((inspect.getdoc(model) or "").split("\n\n")[0].split())


@cache
def sentences(model: type[BaseModel]) -> Mapping[str, str]:
    """What stands beneath each field in the source; of two, that of the nearest class.

    Read from the source when it is asked for: pydantic can do it at import, which every command
    would wait for.
    """
    found: dict[str, str] = {}
    for one in reversed(model.__mro__):
        if issubclass(one, BaseModel) and one is not BaseModel:
            found |= _own(one)
    return found


def _own(model: type[BaseModel]) -> dict[str, str]:
    body = _classes(model.__module__)[model.__name__].body
    found = {}
    for field, after in pairwise(body):
        match field, after:
            case (
                ast.AnnAssign(target=ast.Name(id=name)),
                ast.Expr(value=ast.Constant(value=str() as text)),
            ):
                found[name] = " ".join(text.split())
    return found


@cache
def _classes(module: str) -> Mapping[str, ast.ClassDef]:
    tree = ast.parse(inspect.getsource(sys.modules[module]))
    return {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
