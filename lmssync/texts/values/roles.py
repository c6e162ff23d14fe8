"""What a text is to its readers: it decides how the text is checked."""

from enum import Enum, auto


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
