"""A document as its text shows it: entries with the comments that are about them.

Scalars and flow collections are kept as they were written. Only blocks, the mappings and lists
that are written one entry a line, are taken apart.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple


class LeafNode(NamedTuple):
    """Text that is not taken apart: a scalar or a flow collection, with its anchor and tag."""

    text: str
    column: int
    """Of its first character; the other lines stand as they do in the file."""
    rigid: bool = False
    """All its lines move together: it is, or ends in, a block."""
    is_prose: bool = False
    """It ends in a block scalar."""
    keeps: bool = False
    """Blank lines below it would become part of it."""


class Prose(NamedTuple):
    """A block scalar."""

    header: str
    """Its first line: anchor, tag, `|` or `>`, and a comment."""
    lines: Sequence[str]
    """Its text without the indentation."""
    indent: int | None
    """The indentation that the header demands."""
    keeps: bool
    """Blank lines below it would become part of it."""
    written: int
    """How many lines it had, with the blank ones after its text."""


@dataclass(slots=True, eq=False)
class EntryNode:
    """A key with its value, or a dash with its item; the root of a document has neither."""

    mark: str
    """`key:` as written, `-`, or `---`."""
    lead: list[str] = field(default_factory=list)
    """Comments above it; an empty text is a blank line."""
    name: str | None = None
    """What the key says; nothing for an item."""
    gap: str = ""
    """Blanks between the mark and what follows on its line."""
    props: str = ""
    """Anchor and tag of a block that begins on the next line."""
    remark: str = ""
    """The comment at the end of the line of the mark, if the value is on later lines."""
    above: list[str] = field(default_factory=list)
    """Comments between the mark and a leaf on a later line."""
    value: "LeafNode | Prose | Block | None" = None
    same_line: bool = False
    """The value begins on the line of the mark."""
    end: str = ""
    """The comment after the value, on its last line."""
    below: list[str] = field(default_factory=list)
    """Comments below the value that are indented deeper than the entry."""
    start: int = 0
    stop: int = 0
    """Where it stands in the text."""


@dataclass(slots=True, eq=False)
class Block:
    """A mapping or a list with one entry a line."""

    column: int
    is_mapping: bool
    entries: list[EntryNode] = field(default_factory=list)
    tail: list[str] = field(default_factory=list)
    """Comments after the last entry, as deep as the entries."""


@dataclass(slots=True, eq=False)
class DocumentNode:
    """One document."""

    root: EntryNode
    before: list[str]
    """Comments above its `---`."""
    tail: list[str] = field(default_factory=list)


class FileNode(NamedTuple):
    """A whole file."""

    documents: list[DocumentNode]
    tail: list[str]
    """Comments of a file that holds no document."""
    names: Sequence[tuple[int, str]] = ()
    """Where anchors (`&x`) and aliases (`*x`) stand."""
