"""The single types that the annotations of a model's fields are made of."""

from collections.abc import Iterator
from enum import StrEnum
from types import NoneType, UnionType
from typing import Annotated, Any, NamedTuple, Union, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo


class Leaf(NamedTuple):
    """One of them: `Topic` of `list[Topic] | None`."""

    bare: Any
    marks: tuple[Any, ...] = ()
    """The metadata of `Annotated` on it and on what contains it, the innermost first."""
    listed: bool = False
    """Whether it is the type of a list's items."""
    keyed: bool = False
    """Whether it is the type of a mapping's values, under keys of the author's own."""

    @property
    def model(self) -> type[BaseModel] | None:
        """The type, if it is a model."""
        is_model = isinstance(self.bare, type) and issubclass(self.bare, BaseModel)
        return self.bare if is_model else None

    @property
    def allowed_words(self) -> tuple[StrEnum, ...]:
        """All that it may be, if that is one of some words."""
        is_enum = isinstance(self.bare, type) and issubclass(self.bare, StrEnum)
        return tuple(self.bare) if is_enum else ()


def leaf_types(annotation: Any) -> Iterator[Leaf]:
    """The members of a union, without None."""
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        for leaf in leaf_types(arguments[0]):
            yield leaf._replace(marks=(*leaf.marks, *_constraint_marks(arguments[1:])))
    elif origin in {Union, UnionType}:
        for argument in arguments:
            yield from leaf_types(argument)
    elif origin is list:
        yield from (leaf._replace(listed=True) for leaf in leaf_types(arguments[0]))
    elif origin is dict:
        yield from (leaf._replace(keyed=True) for leaf in leaf_types(arguments[1]))
    elif annotation is not NoneType:
        yield Leaf(annotation)


def item_of(annotation: Any) -> Any:
    """The type of a list's items; if there are several types, the first list counts."""
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is list:
        return arguments[0]
    items = map(item_of, () if origin is dict else arguments)
    return next((item for item in items if item is not None), None)


def leaves_of(field: FieldInfo) -> list[Leaf]:
    """The types of a field, with the marks of the field itself."""
    return [
        leaf._replace(marks=(*leaf.marks, *_constraint_marks(field.metadata)))
        for leaf in leaf_types(field.annotation)
    ]


def _constraint_marks(metadata: Any) -> Iterator[Any]:
    for mark in metadata:
        yield from mark.metadata if isinstance(mark, FieldInfo) else (mark,)
