"""Fields of a pydantic model in words: what type, which rule, and what the docstring says."""

import ast
import inspect
import textwrap
import types as builtin_types
from collections.abc import Iterator, Mapping
from enum import StrEnum
from functools import cache
from typing import Annotated, Any, Literal, NamedTuple, Union, get_args, get_origin, get_type_hints

from annotated_types import Ge, Le, MaxLen
from pydantic import BaseModel
from pydantic.fields import FieldInfo

from lmssync.kinds import types
from lmssync.vocabulary.enums import CriterionType, TopicType

LONG_ENUMS: Mapping[type[StrEnum], str] = {
    TopicType: "a [topic type](#topic-types)",
    CriterionType: "a [rule of completion](#rules-of-completion)",
}
"""Enums with a table of their own on the page."""
_ALIASES: tuple[tuple[Any, str], ...] = (
    (types.Date, "date"),
    (types.Uuid, "uuid"),
    (types.Url, "http or https address"),
    (types.Key, "key"),
    (types.PartId, "id"),
    (types.Title, "text, not blank"),
    (types.Text, "text"),
    (types.Positive, "whole number"),
    (types.Natural, "whole number"),
)
"""Longest first: a title is a text with one more check."""
_PLAIN = {str: "text", int: "whole number", bool: "true or false"}


class Row(NamedTuple):
    """One field as a page shows it."""

    name: str
    type: str
    rule: str
    text: str


def rows(model: type[BaseModel]) -> list[Row]:
    """The fields of a model: its own first, then those of its bases."""
    return [row for _, found in groups(model) for row in found]


def groups(model: type[BaseModel]) -> Iterator[tuple[type[BaseModel], list[Row]]]:
    """The same rows by the class that declares them; a field belongs to the nearest."""
    hints = get_type_hints(model, include_extras=True)
    told = sentences(model)
    left = dict(model.model_fields)
    for one in model.__mro__:
        names = [name for name in inspect.get_annotations(one) if name in left]
        if names:
            yield one, [_row(name, hints[name], left.pop(name), told) for name in names]


def _row(name: str, hint: Any, field: FieldInfo, told: Mapping[str, str]) -> Row:
    word, rules = _described(hint, required=field.is_required())
    if isinstance(field.default, str):
        rules.append(f"default `{field.default}`")
    return Row(name, word, "; ".join(rules), told.get(name, ""))


def inner(model: type[BaseModel]) -> Iterator[type[BaseModel]]:
    """The models that stand inside a model, each once, outermost first."""
    waiting, found = [model], [model]
    while waiting:
        hints = get_type_hints(waiting.pop(0), include_extras=True)
        for hint in hints.values():
            for other in _models(hint):
                if other not in found:
                    found.append(other)
                    waiting.append(other)
                    yield other


def _models(hint: Any) -> Iterator[type[BaseModel]]:
    if isinstance(hint, type) and issubclass(hint, BaseModel):
        yield hint
    for argument in get_args(hint):
        yield from _models(argument)


@cache
def sentences(model: type[BaseModel]) -> Mapping[str, str]:
    """What stands beneath each field in the source, the nearest class last."""
    found: dict[str, str] = {}
    for one in reversed(model.__mro__):
        if issubclass(one, BaseModel) and one is not BaseModel:
            found |= _own(one)
    return found


def _own(model: type[BaseModel]) -> dict[str, str]:
    body = ast.parse(textwrap.dedent(inspect.getsource(model))).body[0]
    assert isinstance(body, ast.ClassDef)
    found = {}
    for field, after in zip(body.body, body.body[1:], strict=False):
        match field, after:
            case (
                ast.AnnAssign(target=ast.Name(id=name)),
                ast.Expr(value=ast.Constant(value=str() as text)),
            ):
                found[name] = " ".join(text.split())
    return found


def _described(hint: Any, *, required: bool) -> tuple[str, list[str]]:
    """Type and rules of a field."""
    _, hint = _without_none(hint)
    rules = ["required"] if required else []
    return _type(hint), rules + _bounds(hint)


def _without_none(hint: Any) -> tuple[bool, Any]:
    if get_origin(hint) not in {Union, builtin_types.UnionType}:
        return False, hint
    kept = [argument for argument in get_args(hint) if argument is not type(None)]
    return len(kept) < len(get_args(hint)), kept[0]


def _bounds(hint: Any) -> list[str]:
    marks = list(_marks(hint))
    least = next((mark.ge for mark in marks if isinstance(mark, Ge)), None)
    most = next((mark.le for mark in marks if isinstance(mark, Le)), None)
    length = next((mark.max_length for mark in marks if isinstance(mark, MaxLen)), None)
    pattern = next((mark.pattern for mark in marks if hasattr(mark, "pattern")), None)
    found = []
    if most is not None:
        found.append(f"{least:,} to {most:,}")
    elif least is not None:
        found.append(f"{least:,} or more")
    if length is not None:
        unit = "items" if get_origin(_bare(hint)) is list else "characters"
        found.append(f"at most {length:,} {unit}")
    if pattern and pattern not in {types.KEY, types.PART_ID}:
        found.append(f"matches `{pattern}`")
    return found


def _marks(hint: Any) -> Iterator[Any]:
    for mark in getattr(hint, "__metadata__", ()):
        yield from getattr(mark, "metadata", None) or [mark]


def _bare(hint: Any) -> Any:
    return get_args(hint)[0] if get_origin(hint) is Annotated else hint


def _type(hint: Any) -> str:
    for alias, word in _ALIASES:
        marks = alias.__metadata__
        if getattr(hint, "__metadata__", ())[: len(marks)] == marks and _bare(hint) is _bare(alias):
            return word
    bare = _bare(hint)
    if bare == types.FreeForm:
        return "mapping of slug to text, a list of texts, or null"
    if get_origin(bare) is list:
        return f"list of {_type(get_args(bare)[0])}"
    if get_origin(bare) is dict:
        return f"mapping of name to {_type(get_args(bare)[1])}"
    return _word(bare)


def _word(bare: Any) -> str:
    if get_origin(bare) is Literal:
        return " or ".join(f"`{value}`" for value in get_args(bare))
    if bare in _PLAIN:
        return _PLAIN[bare]
    if issubclass(bare, StrEnum):
        return LONG_ENUMS.get(bare) or " or ".join(f"`{word}`" for word in bare)
    return f"[{bare.__name__}](#{bare.__name__.lower()})"
