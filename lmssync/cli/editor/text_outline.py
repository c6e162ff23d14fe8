"""The keys, items and values of a YAML text with their places, also of one that is not YAML yet.

The readers of manifests refuse a text with a mistake, and that is what an author has most of the
time. This one goes line by line, by indentation, and passes over what it does not understand.
"""

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from lsprotocol import types as lsp
from pygls.workspace import PositionCodec

from ...resource import Path, Place


class Span(NamedTuple):
    """From a character of a text to before another one."""

    start: int
    end: int


@dataclass(slots=True)
class TextNode:
    """A key or an item of a list, with what is written as its value."""

    document: int
    path: Path
    start: int
    key: Span | None = None
    value: Span | None = None
    """Of a text, a number or a word, with its quotes."""
    text: str = ""
    """What is written there, without quotes; of prose on lines of its own, nothing."""
    end: int = 0
    """Where everything inside it ends."""
    column: int = 0
    flow: bool = False
    """Whether it stands in brackets."""

    def has_in(self, offset: int) -> bool:
        """Whether a place is in its key or in its value, or directly behind."""
        return any(span and span.start <= offset <= span.end for span in (self.key, self.value))


@dataclass(slots=True)
class _Block:
    """A mapping or a list whose entries begin in one column."""

    column: int
    path: Path
    count: int | None = None
    """Of the items so far; None for a mapping."""


_QUOTED = re.compile(r'"(?:\\.|[^"\\])*"|' + r"'(?:''|[^'])*'", re.DOTALL)
_ONE_LINE = r"""(?:"(?:\\.|[^"\\\n])*"|'(?:''|[^'\n])*')"""
_KEY = re.compile(
    rf"""({_ONE_LINE}|[^\s\#\[\]{{}},&*!|>'"%@`-][^\n:\#]*?)[ ]*:(?=\s|$)""",
    re.MULTILINE,
)
_PLAIN = re.compile(r"(?:[^\s#]|#(?<=\S#)|[ \t]+(?![\s#]|$))*", re.MULTILINE)
_FLOW_KEY = re.compile(
    rf"""({_ONE_LINE}|[^\s,:\[\]{{}}"'][^,:\[\]{{}}\n]*?)[ ]*(?=[,:\[\]{{}}\n]|$)"""
)
_FLOW_PLAIN = re.compile(r"(?:[^\s,\[\]{}#]|#(?<=\S#)|[ \t]+(?![\s,\[\]{}#]|$))*")
_SPACE = re.compile(r"(?:\s|(?<=\s)\#[^\n]*)*")
_PROPERTY = re.compile(r"(?:[&!][^\s,\[\]{}]*[ ]+)*")
_DEPTH = 60
"""Brackets, or dashes on a line, inside each other that are looked into."""


def unquote_scalar(written: str) -> str:
    """A scalar without its quotes."""
    if len(written) > 1 and written[0] == written[-1] == "'":
        return written[1:-1].replace("''", "'")
    if len(written) > 1 and written[0] == written[-1] == '"':
        return re.sub(r'\\(["\\/])', r"\1", written[1:-1])
    return written


def find_line_end(text: str, at: int) -> int:
    """The end of a line, before what ends it."""
    end = text.find("\n", at)
    end = len(text) if end < 0 else end
    return end - 1 if end > at and text[end - 1] == "\r" else end


class _Reader:
    def __init__(self, text: str) -> None:
        self.text, self.nodes, self._document = text, list[TextNode](), 0
        self._begun = False
        self._blocks: list[_Block] = []
        self._pending: TextNode | None = None
        """The last key or item, while its value may stand below it."""

    def read_all(self) -> list[TextNode]:
        at = 0
        while at < len(self.text):
            at = self._take_line(at, find_line_end(self.text, at))
        _settle_ends(self.nodes)
        return self.nodes

    def _take_line(self, at: int, end: int) -> int:
        """Takes what begins on a line; returns where the next line to look at begins."""
        text = self.text
        if text.startswith("---", at) and text[at + 3 : at + 4].strip() == "":
            self._document += self._begun
            self._begun, self._blocks, self._pending = True, [], None
            return end + 1
        start = at
        while at < end and text[at] == " ":
            at += 1
        if not text[at:end].strip() or text[at] == "#":
            return end + 1
        self._begun = True
        column, item = at - start, None
        dashes = 0
        while text[at] == "-" and text[at + 1 : at + 2].strip() == "" and dashes < _DEPTH:
            dashes += 1
            item = self._enter_item(column, at)
            at += 1
            while at < end and text[at] in " \t":
                at += 1
            if at >= end or text[at] == "#":
                return end + 1
            item.column, column = column, at - start
            item.start = at
        if key := _KEY.match(text, at, end):
            node = self._enter_key(column, Span(key.start(1), key.end(1)))
            return self._take_value(node, key.end(), end)
        if item:
            return self._take_value(item, at, end)
        self._take_word(column, at, end)
        return end + 1

    def _enter_item(self, column: int, at: int) -> TextNode:
        pending, blocks = self._pending, self._blocks
        # A list may begin in the column of its key: then that mapping goes on around it.
        while blocks and (
            blocks[-1].column > column
            or (blocks[-1].column == column and blocks[-1].count is None
                and not (pending and pending.column == column))
        ):  # fmt: skip
            blocks.pop()
        if blocks and blocks[-1].column == column and blocks[-1].count is not None:
            blocks[-1].count += 1
        else:
            blocks.append(_Block(column, pending.path if pending else (), 0))
        top = blocks[-1]
        return self._add_node((*top.path, top.count or 0), at, column)

    def _enter_key(self, column: int, key: Span) -> TextNode:
        name = unquote_scalar(self.text[key.start : key.end])
        node = self._add_node((*self._enter_mapping(column), name), key.start, column)
        node.key = key
        return node

    def _enter_mapping(self, column: int) -> Path:
        """The path of the mapping whose keys begin in that column."""
        blocks = self._blocks
        while blocks and (
            blocks[-1].column > column
            or (blocks[-1].column == column and blocks[-1].count is not None)
        ):
            blocks.pop()
        if not blocks or blocks[-1].column < column:
            blocks.append(_Block(column, self._pending.path if self._pending else ()))
        return blocks[-1].path

    def _add_node(self, path: Path, at: int, column: int) -> TextNode:
        node = TextNode(self._document, path, at, column=column)
        self.nodes.append(node)
        self._pending = node
        return node

    def _take_word(self, column: int, at: int, end: int) -> None:
        """Notes a word without a colon where a key could begin: somebody may be writing one."""
        # Elsewhere it is the second line of a text.
        deeper = self._pending and not self._pending.value and column > self._pending.column
        beside = any(one.column == column and one.count is None for one in self._blocks)
        if deeper or beside or not self.nodes:
            word = _PLAIN.match(self.text, at, end)
            span = Span(at, word.end() if word else end)
            before = self._pending
            self._enter_key(column, span)
            self._pending = before if deeper else None

    def _take_value(self, node: TextNode, at: int, end: int) -> int:
        text = self.text
        while at < end and text[at] in " \t":
            at += 1
        property_ = _PROPERTY.match(text, at, end)
        at = property_.end() if property_ else at
        node.end = at
        if at >= end or text[at] == "#":
            return end + 1
        if text[at] in "|>":
            node.value, node.end = Span(at, end), self._deeper_end(end + 1, node.column)
            return node.end + (node.end < len(text))
        # A bracket or a quote that nobody has closed yet must not swallow the rest of the file.
        limit = self._deeper_end(end + 1, node.column) if text[at] in "[{\"'" else end
        if text[at] in "[{":
            self._pending = None
            node.end = self._take_flow(node, at, limit, _DEPTH)
            return max(end, find_line_end(self.text, node.end)) + 1
        quoted = _QUOTED.match(text, at, limit)
        found = quoted or _PLAIN.match(text, at, end)
        self._set_value(node, Span(at, found.end() if found else end))
        return max(end, find_line_end(self.text, node.end) if quoted else end) + 1

    def _set_value(self, node: TextNode, span: Span) -> None:
        node.value, node.end = span, span.end
        node.text = unquote_scalar(self.text[span.start : span.end])

    def _deeper_end(self, at: int, column: int) -> int:
        """The end of the last line from here on that is blank or further in than a column."""
        last = at - 1
        while at < len(self.text):
            end = find_line_end(self.text, at)
            line = self.text[at:end]
            if line.strip():
                if len(line) - len(line.lstrip(" ")) <= column:
                    break
                last = end
            at = end + 1
        return min(last, len(self.text))

    def _take_flow(self, above: TextNode, at: int, limit: int, depth: int) -> int:
        """Takes a collection in brackets; returns where it ends."""
        text, is_mapping, count = self.text, self.text[at] == "{", 0
        at += 1
        while at < limit and depth:
            at = self._skip_space(at, limit)
            if at >= limit or text[at] in "]}":
                return min(at + 1, limit)
            if text[at] == ",":
                at += 1
                continue
            if is_mapping and (key := _FLOW_KEY.match(text, at, limit)):
                name = unquote_scalar(key[1])
                node = self._add_node((*above.path, name), at, above.column)
                node.key, node.end = Span(key.start(1), key.end(1)), key.end()
                at = key.end()
                if text[at : at + 1] != ":":
                    node.flow = True
                    continue
                at = self._skip_space(at + 1, limit)
            else:
                node = self._add_node((*above.path, count), at, above.column)
                count += 1
            node.flow, self._pending = True, None
            at = max(at + (node.key is None), self._take_flow_value(node, at, limit, depth))
        return limit

    def _take_flow_value(self, node: TextNode, at: int, limit: int, depth: int) -> int:
        if at < limit and self.text[at] in "[{":
            node.end = self._take_flow(node, at, limit, depth - 1)
            return node.end
        found = _QUOTED.match(self.text, at, limit) or _FLOW_PLAIN.match(self.text, at, limit)
        node.end = at
        if found and found.end() > at:
            self._set_value(node, Span(at, found.end()))
        return node.end

    def _skip_space(self, at: int, limit: int) -> int:
        space = _SPACE.match(self.text, at, limit)
        return space.end() if space else at


def _settle_ends(nodes: Sequence[TextNode]) -> None:
    """Each node ends where the last of those inside it does."""
    ends: dict[tuple[int, Path], int] = {}
    for node in reversed(nodes):
        here = node.document, node.path
        node.end = max(node.end, node.start, ends.pop(here, 0))
        if node.key:
            node.end = max(node.end, node.key.end)
        above = node.document, node.path[:-1]
        ends[above] = max(ends.get(above, 0), node.end)


class TextOutline:
    """The nodes of a text, in their order, and by document and path."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.nodes: Sequence[TextNode] = _Reader(text).read_all()
        self._by_path: dict[tuple[int, Path], TextNode] = {}
        self._below: dict[tuple[int, Path], list[TextNode]] = {}
        for node in self.nodes:
            self._by_path.setdefault((node.document, node.path), node)
            self._below.setdefault((node.document, node.path[:-1]), []).append(node)

    def find_node(self, document: int, path: Path) -> TextNode | None:
        return self._by_path.get((document, path))

    def find_node_at(self, offset: int) -> TextNode | None:
        """The innermost node whose key or value is at a place."""
        return next((node for node in reversed(self.nodes) if node.has_in(offset)), None)

    def nodes_below(self, document: int, path: Path) -> Sequence[TextNode]:
        """The nodes directly inside another one; of the document itself with no path."""
        return self._below.get((document, path), ())

    def scalar_texts(self, document: int, path: Path = ()) -> dict[Any, str]:
        """The texts directly inside a mapping, by their keys."""
        return {node.path[-1]: node.text for node in self.nodes_below(document, path)}


class TextPositions:
    """Turns characters of a text into places of the editor, and back."""

    def __init__(self, text: str, codec: PositionCodec) -> None:
        self._text, self._codec = text, codec
        self._lines: Sequence[str] = text.split("\n")
        self._starts = [0]
        for line in self._lines:
            self._starts.append(self._starts[-1] + len(line) + 1)

    def position_at(self, offset: int) -> lsp.Position:
        """The place of a character."""
        line = min(bisect_right(self._starts, offset), len(self._lines)) - 1
        character = offset - self._starts[line]
        return self._codec.position_to_client_units(self._lines, lsp.Position(line, character))

    def offset_at(self, position: lsp.Position) -> int:
        """The character at a place."""
        if position.line >= len(self._lines):
            return len(self._text)
        asked = lsp.Position(position.line, position.character)  # the codec changes what it gets
        found = self._codec.position_from_client_units([*self._lines, ""], asked)
        line = self._lines[found.line]
        return self._starts[found.line] + min(found.character, len(line))

    def range_of(self, span: Span) -> lsp.Range:
        return lsp.Range(self.position_at(span.start), self.position_at(span.end))

    def range_from(self, place: Place) -> lsp.Range:
        """From the place of a problem to the end of its line."""
        number = min(max(place.line, 1), len(self._lines)) - 1
        line = self._lines[number].rstrip()
        start = min(place.column - 1, len(line))
        return self.range_of(Span(self._starts[number] + start, self._starts[number] + len(line)))
