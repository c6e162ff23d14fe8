"""Types of fields, as models declare them, in words and in numbers."""

from collections.abc import Callable, Iterator
from enum import StrEnum
from types import UnionType
from typing import Annotated, Any, Literal, NamedTuple, Union, get_args, get_origin

from annotated_types import Ge, Le, MaxLen
from pydantic import BaseModel

from ...address import KEY
from ...kinds import types

_ALIASES: tuple[tuple[Any, str], ...] = (
    (types.Date, "date"),
    (types.Uuid, "uuid"),
    (types.VideoId, "id of a video"),
    (types.Url, "http or https address"),
    (types.LanguageTag, "language tag"),
    (types.Slug, "slug"),
    (types.Key, "key"),
    (types.PartId, "id"),
    (types.Title, "text, not blank"),
    (types.Text, "text"),
    (types.Positive, "whole number"),
    (types.Natural, "whole number"),
)
"""Longest first: a title is a text with one more check."""
_PLAIN = {str: "text", int: "whole number", bool: "true or false", float: "number", Any: "anything"}


def models_in(hint: Any) -> Iterator[type[BaseModel]]:
    if isinstance(hint, type) and issubclass(hint, BaseModel):
        yield hint
    for argument in get_args(hint):
        yield from models_in(argument)


def without_none(hint: Any) -> Any:
    """A type without its None; the marks around a union of one type go to that type."""
    bare = bare_of(hint)
    if not is_union(bare):
        return hint
    kept = [argument for argument in get_args(bare) if argument is not type(None)]
    return kept[0] if len(kept) == 1 else Union[tuple(kept)]  # noqa: UP007 - made, not written


def is_union(bare: Any) -> bool:
    return get_origin(bare) in {Union, UnionType}


def bare_of(hint: Any) -> Any:
    return get_args(hint)[0] if get_origin(hint) is Annotated else hint


class Bounds(NamedTuple):
    """Limits of a value: the number itself, the length of a text or list, the pattern."""

    least: Any
    most: Any
    length: int | None
    pattern: str | None
    is_list: bool

    def in_words(self) -> list[str]:
        """`1 to 100`, `at most 200 characters`."""
        found = []
        if self.most is not None:
            found.append(f"{self.least or 0:,} to {self.most:,}")
        elif self.least is not None:
            found.append(f"{self.least:,} or more")
        if self.length is not None:
            unit = "items" if self.is_list else "characters"
            found.append(f"at most {self.length:,} {unit}")
        if self.pattern and self.pattern not in {KEY, types.PART_ID}:
            found.append(f"matches `{self.pattern}`")
        return found


def bounds(hint: Any) -> Bounds:
    """The limits that the marks of a type set."""
    marks = list(_marks(hint))
    return Bounds(
        next((mark.ge for mark in marks if isinstance(mark, Ge)), None),
        next((mark.le for mark in marks if isinstance(mark, Le)), None),
        next((mark.max_length for mark in marks if isinstance(mark, MaxLen)), None),
        next((mark.pattern for mark in marks if hasattr(mark, "pattern")), None),
        get_origin(bare_of(hint)) is list,
    )


def _marks(hint: Any) -> Iterator[Any]:
    for mark in getattr(hint, "__metadata__", ()):
        yield from getattr(mark, "metadata", None) or [mark]


def words_of(hint: Any) -> tuple[str, ...]:
    """The words of an enum or of literals; of a list, those of its items."""
    bare = bare_of(hint)
    if get_origin(bare) is Literal:
        return tuple(str(value) for value in get_args(bare))
    if get_origin(bare) is list:
        return words_of(get_args(bare)[0])
    is_enum = isinstance(bare, type) and issubclass(bare, StrEnum)
    return tuple(map(str, bare)) if is_enum else ()


def type_in_words(hint: Any, named: Callable[[type[Any]], str]) -> str:
    """A type as people call it; `named` is asked for enums and models."""
    bare = bare_of(without_none(hint))
    word = _alias(hint) or _PLAIN.get(bare)
    return word or _made_of(bare, named) or named(bare)


def _alias(hint: Any) -> str:
    """The word of a type of `kinds.types`, however it is marked further."""
    marks = getattr(hint, "__metadata__", ())
    for alias, word in _ALIASES:
        known = alias.__metadata__
        if marks[: len(known)] == known and bare_of(hint) is bare_of(alias):
            return word
    return ""


def _made_of(bare: Any, named: Callable[[type[Any]], str]) -> str:
    """A type that is made of others, by those."""
    if bare == types.FreeForm:
        return "mapping of slug to text, a list of texts, or null"
    if get_origin(bare) is Literal:
        return " or ".join(f"`{value}`" for value in get_args(bare))
    inside = [type_in_words(one, named) for one in get_args(bare) if one is not type(None)]
    if get_origin(bare) is list:
        return f"list of {inside[0]}"
    if get_origin(bare) is dict:
        return f"mapping of name to {inside[1]}"
    return " or ".join(inside)
