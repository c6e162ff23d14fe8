"""Turns tokens into documents, blocks and entries, and assigns each comment to its subject.

A cursor walks through the tokens and keeps the comments that have no owner yet.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from ..yaml import Strange, Token
from .line_ends import Prose, keeps_blank_end, parse_prose

MARKERS = frozenset({"DocumentStartToken", "DocumentEndToken", "StreamEndToken"})
BLOCKS = frozenset({"BlockMappingStartToken", "BlockSequenceStartToken"})
PROPS = frozenset({"AnchorToken", "TagToken"})
_OPEN = frozenset({"FlowSequenceStartToken", "FlowMappingStartToken"}) | BLOCKS
_CLOSE = frozenset({"FlowSequenceEndToken", "FlowMappingEndToken", "BlockEndToken"})
LEAVES = (_OPEN - BLOCKS) | {"ScalarToken", "AliasToken"}


class Line(NamedTuple):
    """A comment on a line of its own, or a blank line, which has no text."""

    column: int
    text: str


class Gap(NamedTuple):
    """The blanks and comments between two tokens."""

    remark: str
    """The comment at the end of the line, with the blanks before it."""
    lines: list[Line]


def gap_between(text: str, end: int, start: int) -> Gap:
    """Reads the blanks and comments between the end of one token and the start of the next."""
    first, *rest = text[end:start].split("\n")
    # The token took the end of its line along, as a block scalar does: nothing stands behind it.
    if end == 0 or text[end - 1] == "\n":
        first, rest = "", [first, *rest]
    remark = first.rstrip() if "#" in first else ""
    if rest and "#" not in rest[-1]:
        rest.pop()  # the indentation of the next token
    return Gap(remark, [Line(max(line.find("#"), 0), line.strip()) for line in rest])


def sorted_comments(text: str, tokens: Sequence[Token]) -> list[str]:
    return sorted(_find_comments(text, tokens))


def _find_comments(text: str, tokens: Sequence[Token]) -> Iterator[str]:
    end = 0
    for token in tokens:
        gap = gap_between(text, end, token.start)
        yield from filter(None, (gap.remark.strip(), *(line.text for line in gap.lines)))
        if token.is_prose:
            header, _, _ = text[token.start : token.end].partition("\n")
            yield from (f"#{comment.rstrip()}" for comment in header.split("#", 1)[1:])
        end = token.end


class Cursor:
    """Stands before a token; comments wait until it is known what they are about."""

    def __init__(self, text: str, tokens: Sequence[Token]) -> None:
        self.text = text
        self._tokens = tokens
        self.at = 1  # the first token is the start of the stream
        self.waiting: list[Line] = gap_between(text, 0, self.token.start).lines

    @property
    def token(self) -> Token:
        return self._tokens[self.at]

    @property
    def kind(self) -> str:
        return self._tokens[self.at].kind

    @property
    def last(self) -> Token:
        """The token that was passed last."""
        return self._tokens[self.at - 1]

    def pass_token(self) -> Token:
        self.at += 1
        return self._tokens[self.at - 1]

    def pass_value(self) -> Token:
        """Passes a scalar, an alias or a whole collection; gives the last token with a text."""
        depth = 0
        last = self.token
        while True:
            token = self.pass_token()
            last = token if token.end > token.start else last
            depth += (token.kind in _OPEN) - (token.kind in _CLOSE)
            if not depth:
                return last

    def pass_key(self) -> tuple[str | None, Token]:
        """Passes a key on one line; gives what it says and the colon behind it."""
        words: list[str] = []
        depth = 0
        while depth or self.kind != "ValueToken":
            token = self.pass_token()
            depth += (token.kind in _OPEN) - (token.kind in _CLOSE)
            words.append(token.value if token.kind == "ScalarToken" and not depth else "")
        names = [word for word in words if word]
        return (names[0] if len(names) == 1 else None), self.pass_token()

    def pass_gap(self, end: int) -> str:
        """Lets the comments after `end` wait; gives the one on the same line."""
        remark, self.waiting = gap_between(self.text, end, self.token.start)
        return remark

    def take_comments(self) -> list[str]:
        """The comments that wait: their owner is found."""
        waiting, self.waiting = self.waiting, []
        return [line.text for line in waiting]

    def taken_from(self, column: int) -> list[str]:
        """The first of those that wait, as far as they stand at `column` or further in."""
        count = 0
        for number, line in enumerate(self.waiting, 1):
            if line.text and line.column < column:
                break
            count = number if line.text else count
        taken, self.waiting = self.waiting[:count], self.waiting[count:]
        return [line.text for line in taken]

    def next_column(self) -> int:
        """Where the next text stands; less than any column at the end of a document."""
        at = self.at
        while self._tokens[at].kind == "BlockEndToken":
            at += 1
        token = self._tokens[at]
        return -1 if token.kind in MARKERS else token.column


class LeafNode(NamedTuple):
    """Text that is not taken apart: a scalar or a flow collection, with its anchor and tag."""

    text: str
    column: int
    """Of its first character; the other lines stand as they do in the file."""
    rigid: bool = False
    """All its lines move together: it is, or ends in, a block."""
    is_prose: bool = False
    """True if it ends in a block scalar."""
    keeps: bool = False
    """Blank lines below it would become part of it."""


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
    """The position in the text."""


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
    """Comments of a file without a document."""
    names: Sequence[tuple[int, str]] = ()
    """Positions of anchors (`&x`) and aliases (`*x`)."""


_NAMES = {"AnchorToken", "AliasToken"}


class _ByHand(Exception):
    """A mapping with a key behind a question mark, or with no key at all."""


def parse_file(text: str, tokens: Sequence[Token]) -> FileNode:
    """The documents of a text; raises `Strange`."""
    cursor = Cursor(text, tokens)
    documents: list[DocumentNode] = []
    try:
        while cursor.kind != "StreamEndToken":
            documents.append(_parse_document(cursor))
    except IndexError as error:  # a token that was waited for never came
        raise Strange from error
    if documents:
        documents[-1].tail += cursor.take_comments()
    names = [(t.start, text[t.start : t.end]) for t in tokens if t.kind in _NAMES]
    return FileNode(documents, cursor.take_comments(), names)


def _parse_document(cursor: Cursor) -> DocumentNode:
    before = cursor.take_comments()
    root = EntryNode("", start=cursor.token.start)
    if cursor.kind == "DocumentStartToken":
        root.mark = "---"
        _parse_value(cursor, root, cursor.pass_token().end, -1)
    else:
        before, root.lead = [], before
        _parse_value(cursor, root, cursor.token.start, -1)
        if isinstance(root.value, Block) and not root.props:  # comments stay above its first key
            root.value.entries[0].lead[:0], root.lead = root.lead, []
    if cursor.kind not in MARKERS:
        raise Strange
    document = DocumentNode(root, before, cursor.take_comments())
    if cursor.kind == "DocumentEndToken":
        remark = cursor.pass_gap(cursor.pass_token().end).strip()
        cursor.waiting[:0] = [Line(0, remark)] if remark else []
    return document


def _parse_value(
    cursor: Cursor, entry: EntryNode, end: int, parent: int, *, list_follows: bool = False
) -> None:
    """Reads the value of `entry`, whose mark ends at `end`, up to the token after it.

    `parent` is the column of the block that the entry is in; `list_follows` where the dashes of
    a list may stand in that very column.
    """
    first = cursor.token
    remark = cursor.pass_gap(end)
    while cursor.kind in PROPS:
        cursor.pass_token()
    has_props = cursor.token is not first
    is_block = cursor.kind in BLOCKS or (list_follows and cursor.kind == "BlockEntryToken")
    entry.remark = remark
    if is_block or has_props or cursor.kind in LEAVES:
        gap = cursor.text[end : first.start]
        entry.same_line = "\n" not in gap
        entry.gap = gap if entry.same_line else ""
    if is_block and (not has_props or "\n" not in cursor.text[end : cursor.last.end]):
        _block_value(cursor, entry, first)
    elif is_block and cursor.kind not in BLOCKS:
        raise Strange
    elif is_block or has_props or cursor.kind in LEAVES:
        _leaf_value(cursor, entry, first, parent)
    entry.stop = cursor.token.start


def _block_value(cursor: Cursor, entry: EntryNode, first: Token) -> None:
    """A block, entry by entry; as it is written if it has keys of the longer form."""
    if cursor.token is not first:
        entry.props = cursor.text[first.start : cursor.last.end]
        entry.remark = cursor.pass_gap(cursor.last.end)
        entry.same_line = False
    at, waiting = cursor.at, cursor.waiting
    try:
        entry.value = _parse_block(cursor)
    except _ByHand:
        cursor.at, cursor.waiting = at, waiting
        _leaf_value(cursor, entry, cursor.token, -1)


def _leaf_value(cursor: Cursor, entry: EntryNode, first: Token, parent: int) -> None:
    """A scalar, a flow collection, a lone anchor, or a block that is left as it is."""
    entry.above = cursor.take_comments()
    header = cursor.text[first.start : cursor.token.start]
    is_block = cursor.kind in BLOCKS
    last = cursor.pass_value() if is_block or cursor.kind in LEAVES else cursor.last
    text = cursor.text[first.start : last.end]
    if is_block or parent < 0 or "\n" in header or not last.is_prose:
        entry.value = _make_leaf(text, first.column, last, cursor.text, rigid=is_block)
        blank = len(text) - len(entry.value.text) > 1
    else:
        scalar = parse_prose(text[len(header) :], parent)
        entry.value = scalar._replace(header=header + scalar.header)
        blank = scalar.written > len(scalar.lines)
    entry.end = cursor.pass_gap(last.end)
    if blank:
        cursor.waiting.insert(0, Line(0, ""))


def _make_leaf(text: str, column: int, last: Token, whole: str, *, rigid: bool) -> LeafNode:
    if not last.is_prose:
        return LeafNode(text, column, rigid)
    keeps = keeps_blank_end(whole[last.start : last.end])
    kept = text.removesuffix("\n") if keeps else text.rstrip("\n")
    return LeafNode(kept, column, rigid=True, is_prose=True, keeps=keeps)


def _parse_block(cursor: Cursor) -> Block:
    """A mapping or a list, with the comments after its last entry."""
    start = cursor.token
    block = Block(start.column, start.kind == "BlockMappingStartToken")
    if start.kind == "BlockEntryToken":
        _parse_entries(cursor, block)
        return _with_tail(cursor, block, block.column + 1)
    cursor.pass_token()
    _parse_entries(cursor, block)
    if cursor.kind != "BlockEndToken":
        raise _ByHand
    cursor.pass_token()
    return _with_tail(cursor, block, block.column)


def _with_tail(cursor: Cursor, block: Block, column: int) -> Block:
    """The block, with what stands below it at `column` or further in."""
    if block.column > cursor.next_column():
        block.tail = cursor.taken_from(column)
    return block


def _parse_entries(cursor: Cursor, block: Block) -> None:
    """Reads the entries of a block, each with the comments below it that stand further in."""
    while cursor.kind == ("KeyToken" if block.is_mapping else "BlockEntryToken"):
        lead, first = cursor.take_comments(), cursor.pass_token()
        entry, end = EntryNode("-", lead, start=first.start), first.end
        if block.is_mapping:
            if first.end > first.start:
                raise _ByHand
            entry.name, colon = cursor.pass_key()
            entry.mark, end = cursor.text[first.start : colon.end], colon.end
        _parse_value(cursor, entry, end, block.column, list_follows=block.is_mapping)
        value = entry.value
        if not isinstance(value, Prose) and not (isinstance(value, LeafNode) and value.is_prose):
            # Below a block scalar they would, moved by a little, become its text.
            entry.below = cursor.taken_from(block.column + 1)
        block.entries.append(entry)
