"""The words in which shapes are declared."""

from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, create_model


class AnswerShape(BaseModel):
    """An object of an answer: values are not converted, and undeclared fields are ignored."""

    model_config = ConfigDict(extra="ignore", strict=True, frozen=True, defer_build=True)


def make_shape(base: type[AnswerShape] = AnswerShape, /, **fields: Any) -> type[AnswerShape]:
    """A shape by its fields; the value of one that may be left out is a type and a default."""
    given: dict[str, Any] = {
        name: kind if isinstance(kind, tuple) else (kind, ...) for name, kind in fields.items()
    }
    return create_model("Answer", __base__=base, **given)


Id = Annotated[str, Field(min_length=1)]
"""An id whose form the specification does not say."""
Uuid = Annotated[
    str, Field(pattern=r"^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$", strict=True)
]
Text = str
Number = float
"""A whole number too."""
Object = dict[str, Any]
ABSENT: Any = None
"""Stands for a value that may be left out but not be null."""
MAYBE = (Text | None, None)
"""A text that may be left out or null."""


def _cursor_text(given: Any) -> Any:
    """Some cursors are numbers (O47)."""
    return str(given) if type(given) is int else given


class PageInfo(AnswerShape):
    """Whether a list goes on; only `hasMore` says so (spec 4, O42)."""

    hasMore: bool
    cursor: Annotated[Text | None, BeforeValidator(_cursor_text)] = None
    """Opaque, and passed back unchanged."""
    currentPage: int | None = None
    total: int | None = None
