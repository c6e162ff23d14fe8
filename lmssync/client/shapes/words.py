"""The words in which shapes are declared."""

from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field


class Shape(BaseModel):
    """An object of an answer: types are never bent, fields that nobody declared are let be."""

    model_config = ConfigDict(extra="ignore", strict=True, frozen=True, defer_build=True)


Id = Annotated[str, Field(min_length=1)]
"""An id where the specification does not say of which form."""
Uuid = Annotated[
    str, Field(pattern=r"^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$", strict=True)
]
Text = str
Number = float
"""A whole number too."""
Object = dict[str, Any]
ABSENT: Any = None
"""In the place of a value that may be left out, though it may not be null."""


def _cursor(given: Any) -> Any:
    """Some cursors are numbers (O47)."""
    return str(given) if type(given) is int else given


class PageInfo(Shape):
    """Whether a list goes on: without `hasMore` nobody could know (spec 4, O42)."""

    hasMore: bool
    cursor: Annotated[Text | None, BeforeValidator(_cursor)] = None
    """Opaque, and passed back unchanged."""
    currentPage: int | None = None
    total: int | None = None
