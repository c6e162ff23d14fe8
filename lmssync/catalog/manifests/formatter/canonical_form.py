"""The text of a manifest in its canonical form."""

from codecs import BOM_UTF8
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import product
from typing import Any

from ..catalog_files import FORMAT_BYTES
from ..yaml import Scan, Strange, Token, YamlMistake, is_quick, list_scanners, load_yaml
from .layout_parser import (
    Block,
    DocumentNode,
    EntryNode,
    FileNode,
    LeafNode,
    parse_file,
    sorted_comments,
)
from .line_ends import Prose, end_last_line, tidy_lines, unify_line_ends
from .yaml_order import arrange_block, of_document


class Unproven(Exception):
    """Nothing proves that the canonical form says the same, so the text stays as it is."""


class FileTooLong(Unproven):
    """The file is so long, and has such characters, that formatting would take too long."""


def format_manifest(raw: bytes, *, is_project: bool = False) -> bytes:
    """The canonical form of a file; raises `YamlMistake` for what is no YAML, and `Unproven`.

    `FileTooLong` is one of the latter.

    `is_project` says that the file is the project file. Of a file that is not understood, as one
    with `%YAML`, the ends of the lines are put in order.
    """
    if len(raw) > FORMAT_BYTES and not is_quick(raw.removeprefix(BOM_UTF8)):
        raise FileTooLong
    values = load_yaml(raw)
    text = unify_line_ends(raw)
    # Each text is scanned once: half of all the time goes into that.
    # First every scanner with the keys in order, then each with line ends alone: a file that cannot
    # be arranged still loses its trailing blanks.
    for is_arranged, scan in product((True, False), map(cache, list_scanners(text))):
        try:
            result, tokens = _settle_line_ends(text, scan)
            if is_arranged:
                result = _arrange_text(result, tokens, values, is_project=is_project)
            # The proof is made each time. A formatter that changes a value is worse than none.
            if result.encode() == raw or _is_proven(text, scan, values, result):
                return result.encode()
        except (Strange, YamlMistake, RecursionError):
            continue  # what the one does not understand, the next may
    raise Unproven


def _settle_line_ends(text: str, scan: Scan) -> tuple[str, Sequence[Token]]:
    """The text with its ends of lines in order, and its tokens."""
    tokens = scan(text)
    for step in (end_last_line, tidy_lines):
        better = step(text, tokens)
        if better != text:
            text, tokens = better, scan(better)
    return text, tokens


def _arrange_text(
    text: str, tokens: Sequence[Token], values: list[Any], *, is_project: bool
) -> str:
    """The text with its keys in order, and its blocks and comments where they belong."""
    whole = parse_file(text, tokens)
    if len(whole.documents) != len(values):
        raise Strange
    for document, data in zip(whole.documents, values, strict=True):
        if isinstance(document.root.value, Block):
            shape = of_document(data, is_project=is_project)
            arrange_block(document.root.value, shape, whole.names, is_root=True)
    return write_file_text(whole)


def _is_proven(text: str, scan: Scan, values: list[Any], result: str) -> bool:
    """True if `result` has the same values and the same comments as `text`."""
    return same_values(values, load_yaml(result.encode())) and (
        sorted_comments(text, scan(text)) == sorted_comments(result, scan(result))
    )


def same_values(one: Any, other: Any) -> bool:
    """True for equal values of equal types; the order of keys does not count."""
    waiting = [(one, other)]
    while waiting:
        a, b = waiting.pop()
        if type(a) is not type(b):
            return False
        if isinstance(a, list):
            if len(a) != len(b):
                return False
            waiting += zip(a, b, strict=True)
        elif isinstance(a, dict):
            # `True == 1` in Python, and both may be keys of one mapping in YAML.
            keys = {(type(key), key): key for key in b}
            if len(a) != len(b) or any((type(key), key) not in keys for key in a):
                return False
            waiting += ((value, b[key]) for key, value in a.items())
        elif repr(a) != repr(b):  # of floats too: nan is nan, and zero has a sign
            return False
    return True


_STEP = 2


class LineBuffer:
    """Lines as they are written; blank lines wait until something follows them."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._blank = False
        self._blank_allowed = False

    def add_line(self, line: str) -> None:
        if self._blank:
            self._lines.append("")
        self._lines.append(line)
        self._blank, self._blank_allowed = False, True

    def add_blank(self) -> None:
        """A blank line, except at the top, and where it would become part of a value."""
        self._blank = self._blank_allowed

    def end_with_remark(self, remark: str) -> None:
        """Adds a comment at the end of the last line."""
        self._lines[-1] += remark

    def close(self) -> None:
        """Ends a document: without a blank line at its end."""
        self._blank = False

    def open_block(self, line: str) -> None:
        """The line that a block begins with: no blank line after it."""
        self.add_line(line)
        self._blank_allowed = False

    def add_marker(self, line: str) -> None:
        """The `---` of a document: no blank line goes before it, nor after it."""
        self.close()
        self.open_block(line)

    def add_prose(self, lines: Iterable[str], *, keeps: bool) -> None:
        """The text of a block scalar; to one that `keeps` its end, no blank line may be added."""
        self._lines += lines
        self._blank_allowed = not keeps

    def add_remarks(self, lines: Iterable[str], column: int) -> None:
        """Comments, each on its line; an empty one is a blank line."""
        for line in lines:
            if line:
                self.add_line(" " * column + line)
            else:
                self.add_blank()

    def text(self) -> str:
        return "".join(f"{line}\n" for line in self._lines)


def write_file_text(text: FileNode) -> str:
    page = LineBuffer()
    for number, document in enumerate(text.documents):
        _write_document(page, document, is_first=number == 0)
    page.add_remarks(text.tail, 0)
    return page.text()


def _write_document(page: LineBuffer, document: DocumentNode, *, is_first: bool) -> None:
    """A document; a `---` goes before it where one is needed, and nowhere else."""
    root = document.root
    mark = "" if is_first and root.value is not None else "---"
    above, below = (document.before, []) if is_first or root.same_line else ([], document.before)
    page.add_remarks(above, 0)
    if above and not mark:
        page.add_blank()
    if isinstance(root.value, LeafNode) and root.same_line:
        _root_leaf(page, root, root.value, mark)
    else:
        _write_head(page, root, mark)
        page.add_remarks([*below, *root.above], 0)
        if isinstance(root.value, Block):
            _write_block(page, root.value, 0, "")
        elif isinstance(root.value, LeafNode):
            _write_leaf(page, " " * root.value.column, root.value)
            page.end_with_remark(root.end)
    page.add_remarks(root.below, 0)
    page.add_remarks(document.tail, 0)


def _write_head(page: LineBuffer, root: EntryNode, mark: str) -> None:
    """The lines above the block of a document: the `---`, an anchor, a comment."""
    if root.mark and mark:
        page.add_marker(mark + root.gap + root.props + root.remark)
    else:
        if mark:
            page.add_marker(mark)
        page.add_remarks(root.lead, 0)
        page.add_remarks(filter(None, [(root.props + root.remark).strip()]), 0)


def _root_leaf(page: LineBuffer, root: EntryNode, leaf: LeafNode, mark: str) -> None:
    """A document of one value that begins on the line of the `---`, or has none."""
    if not root.mark and mark:
        page.add_marker(mark)
    page.add_remarks(root.lead, 0)
    if root.mark and mark:
        page.close()
        start = mark + root.gap
    else:
        start = "" if root.mark else " " * leaf.column
    _write_leaf(page, start, leaf)
    page.end_with_remark(root.end)


def _write_block(page: LineBuffer, block: Block, column: int, prefix: str) -> None:
    """The entries of a block; `prefix` is the beginning of the first one's line."""
    for number, entry in enumerate(block.entries):
        before = prefix if prefix and not number else " " * column
        page.add_remarks(entry.lead, len(before) - len(before.lstrip()))
        _write_entry(page, entry, before, column, block.column)
    page.add_remarks(block.tail, column)


def _write_entry(
    page: LineBuffer, entry: EntryNode, before: str, column: int, written: int
) -> None:
    """An entry at `column`; in the file it is at column `written`."""
    value, child = entry.value, column + _STEP
    gap = " " if entry.mark == "-" else entry.gap
    head = before + entry.mark
    same_line = entry.same_line or _fits_dash(entry)
    if same_line:
        head += gap
    else:
        line = head + (gap + entry.props if entry.props else "") + entry.remark
        page.open_block(line) if isinstance(value, Block) else page.add_line(line)
        head = " " * child
        page.add_remarks(entry.above, child)
    if isinstance(value, Block):
        _write_block(page, value, child, head if same_line else "")
    elif isinstance(value, Prose):
        _write_prose(page, head, value, column)
    elif isinstance(value, LeafNode):
        with_key = entry.same_line and entry.mark != "-"
        by = column - written if with_key else len(head) - value.column
        stays = not by and column == written
        _write_leaf(page, head, value, None if stays else by, column)
        page.end_with_remark(entry.end)
    page.add_remarks(entry.below, child)


def _fits_dash(entry: EntryNode) -> bool:
    """True for a block below a dash that can begin beside it."""
    value = entry.value
    return (
        entry.mark == "-"
        and isinstance(value, Block)
        and not (entry.remark or entry.props or any(value.entries[0].lead))
    )


def _write_prose(page: LineBuffer, head: str, value: Prose, column: int) -> None:
    indent = " " * (column + (value.indent or _STEP))
    page.add_line(head + value.header)
    page.add_prose([indent + line if line else "" for line in value.lines], keeps=value.keeps)


def _write_leaf(
    page: LineBuffer, head: str, leaf: LeafNode, by: int | None = None, column: int = 0
) -> None:
    """A leaf in a block at `column`; its later lines move `by` so far, as far as YAML allows."""
    first, *rest = leaf.text.split("\n")
    page.add_line(head + first)
    if by is not None:
        # Later lines of a value must stay further in than its key, but for the closing bracket,
        # which may be at its column.
        least = 0 if leaf.rigid else column + (leaf.text[-1:] not in {"]", "}"})
        rest = [_shift_line(line, by, least) for line in rest]
    page.add_prose(rest, keeps=leaf.keeps)


def _shift_line(line: str, by: int, least: int) -> str:
    text = line.lstrip(" ")
    if not text:
        return " " * max(len(line) + by, 0) if line else ""
    return " " * max(len(line) - len(text) + by, least) + text
