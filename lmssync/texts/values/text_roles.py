"""The roles of texts for their readers, and the errors of types that refuse a text."""

from enum import Enum, auto
from typing import NamedTuple

from pydantic_core import PydanticCustomError

from ...problems import Rule

_MOST = 60


def refusal_error(rule: Rule, message: str, hint: str | None = None) -> PydanticCustomError:
    """An error with a rule id of its own; the message goes on from the name of the field.

    The message is the last of the values that are put in, so that nothing is put into it.
    """
    return PydanticCustomError("lmssync", "{said}", {"rule": rule, "hint": hint, "said": message})


def show_text(text: str) -> str:
    """A text fit for a message: on one line, of no more than 60 characters."""
    line = "".join(letter if letter.isprintable() else " " for letter in text[: _MOST + 1])
    return line if len(line) <= _MOST else f"{line[: _MOST - 3]}..."


class Role(Enum):
    """Where the marks of a type name several, the last one counts."""

    LINE = auto()
    """One line: titles, names, labels, keys of others."""
    TEXT = auto()
    """Prose without markup, over several lines if need be."""
    HTML = auto()
    MARKDOWN = auto()
    META = auto()
    """The platform strips the markup from it (spec 2.2)."""
    ISBN = auto()
    DATE = auto()
    LINK = auto()
    """An address that learners follow; the platform does not."""
    IMAGE = auto()
    """The platform fetches a PNG, JPEG or GIF from it (spec 2.2)."""
    POSTER = auto()
    PACKAGE = auto()
    PDF = auto()
    VIDEO = auto()


class PictureSize(NamedTuple):
    """A mark in `Annotated`: the pixels that the platform recommends for a picture."""

    width: int
    height: int
