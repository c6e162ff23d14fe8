"""What may stand at a path of a manifest, as the model of its kind declares it."""

import types
from collections.abc import Iterator
from enum import StrEnum
from typing import Annotated, Any, NamedTuple, Union, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from ...texts import Role

_WORDS = {str: "text", int: "number", float: "number", bool: "boolean"}
_ANYTHING = frozenset({"text", "date", "number", "boolean"})


class Shape(NamedTuple):
    """The values that a field may have."""

    kinds: frozenset[str] = frozenset()
    """Of one value: `text`, `date` (a text too), `number`, `boolean`, `mapping`."""
    many: bool = False
    """It is a list of these."""
    free: bool = False
    """The author's own: one value, or a list of them."""
    model: type[BaseModel] | None = None
    """Of a mapping with fields."""
    values: Any = None
    """Of a mapping with keys of the author's own: the type of what stands under one."""
    words: tuple[str, ...] = ()
    """All that it may be."""

    @property
    def all_kinds(self) -> frozenset[str]:
        """With `list` for what is one, or may be."""
        return self.kinds | {"list"} if self.many or self.free else self.kinds

    @property
    def item(self) -> "Shape":
        """One of several."""
        return self._replace(many=False, free=False)

    @property
    def noun(self) -> str:
        """What the field is, in words."""
        if self.free:
            return "text, or a list of texts"
        kind = next((k for k in ("date", "number", "boolean", "mapping") if k in self.kinds), "")
        if self.many:
            return f"a list of {kind}s" if kind else "a list of texts"
        return f"a {kind}" if kind else "text"


def of_field(field: FieldInfo) -> Shape:
    """What the field of a model may be."""
    found = of_type(field.annotation)
    return found._replace(kinds=found.kinds | {"date"}) if Role.DATE in field.metadata else found


def of_type(annotation: Any) -> Shape:
    """What a value of this type may be."""
    shape = Shape()
    lists = set()
    for leaf, marks, many in _leaves(annotation):
        lists.add(many)
        shape = _with(shape, leaf, marks)
    if lists == {True, False}:
        # The values of fields that an author names may be dates: no model can say.
        return shape._replace(free=True, kinds=shape.kinds | {"date"})
    return shape._replace(many=True in lists)


def _with(shape: Shape, leaf: Any, marks: tuple[Any, ...]) -> Shape:
    if get_origin(leaf) is dict:
        return shape._replace(kinds=shape.kinds | {"mapping"}, values=get_args(leaf)[1])
    if leaf is Any:
        return shape._replace(kinds=shape.kinds | _ANYTHING, free=True)
    if issubclass(leaf, BaseModel):
        return shape._replace(kinds=shape.kinds | {"mapping"}, model=leaf)
    if issubclass(leaf, StrEnum):
        return shape._replace(kinds=shape.kinds | {"text"}, words=tuple(leaf))
    dates = {"date"} if Role.DATE in marks else set()
    return shape._replace(kinds=shape.kinds | {_WORDS[leaf]} | dates)


def _leaves(annotation: Any, *, many: bool = False) -> Iterator[tuple[Any, tuple[Any, ...], bool]]:
    """The single types of a type with their marks, and whether each stands in a list."""
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        for leaf, marks, listed in _leaves(arguments[0], many=many):
            yield leaf, (*marks, *arguments[1:]), listed
    elif origin in {Union, types.UnionType}:
        for argument in arguments:
            yield from _leaves(argument, many=many)
    elif origin is list:
        yield from _leaves(arguments[0], many=True)
    elif annotation is not types.NoneType:
        yield annotation, (), many
