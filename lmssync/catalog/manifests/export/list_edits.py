"""Which piece of a YAML text has to change so that a list has other items, or another order.

An item takes its text along, with the comments above it and beside it.
"""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, TypeGuard

from ruamel.yaml.nodes import Node, SequenceNode

from ....resource import Path
from ..formatter import MappingShape, Unproven
from ..yaml import STEP, write_flow, write_items
from .replacement import Replacement, after_colon, end_of, holder_of, is_block, line_end
from .to_manifest import arrange_keys


class Item(NamedTuple):
    """An item that the document has already."""

    path: Path
    """Of its list."""
    position: int


class NewItem(NamedTuple):
    """An item that the document does not have yet."""

    value: Any


class ListEdit(NamedTuple):
    """The wanted items of a list; lists are edited from the inside out."""

    document: int
    path: Path
    items: Sequence[Item | NewItem]


class _Chunk(NamedTuple):
    """The lines of an item, without blank ones at its start."""

    text: str
    gap: str
    """The blank lines above it."""
    column: int
    """The column of its dash."""


def list_replacement(
    text: str, root: Node, shape: MappingShape | None, edit: ListEdit
) -> Replacement:
    """What makes a list have other items; raises `Unproven` and `LookupError`."""
    pair, column, within = holder_of(root, shape, edit.path)
    old, colon = pair[1], after_colon(text, pair[0])
    values = [item for item in edit.items if isinstance(item, NewItem)]
    new = {id(item): arrange_keys(within, item.value) for item in values}
    if column is None or (_is_list(old) and old.flow_style and old.value):
        return _in_brackets(text, root, old, edit, new)
    tail = (
        text[colon : line_end(text, colon)]
        if is_block(old)
        else _trailing_comment(text, colon, old)
    )
    end = _last_line(text, old) if is_block(old) else line_end(text, max(end_of(text, old), colon))
    if not edit.items:
        return Replacement(colon, end, f" []{tail}", _text_without(text, old, edit))
    dash = old.start_mark.column if is_block(old) else column + STEP
    chunks = [_item_chunk(text, root, item, dash, new) for item in edit.items]
    gap = next((chunk.gap for chunk in reversed(chunks) if chunk.gap), "")
    spaced = [
        f"{(chunk.gap or gap * _is_new(item)) if position else ''}{chunk.text}"
        for position, (chunk, item) in enumerate(zip(chunks, edit.items, strict=True))
    ]
    return Replacement(colon, end, "\n".join([tail, *spaced]), _text_without(text, old, edit))


def _text_without(text: str, old: Node, edit: ListEdit) -> str:
    """The text of the items of a block list that it shall not have any more."""
    stay = {one.position for one in edit.items if isinstance(one, Item) and one.path == edit.path}
    chunks = list(_list_chunks(text, old)) if is_block(old) else []
    return "\n".join(chunk.text for place, chunk in enumerate(chunks) if place not in stay)


def _is_new(item: Item | NewItem) -> bool:
    return isinstance(item, NewItem)


def _is_list(node: Node) -> TypeGuard[SequenceNode]:
    return isinstance(node, SequenceNode)


def _trailing_comment(text: str, colon: int, old: Node) -> str:
    """The comment behind a value that is none or empty."""
    end = max(end_of(text, old), colon)
    return text[end : line_end(text, end)]


def _item_chunk(
    text: str, root: Node, item: Item | NewItem, column: int, new: dict[int, Any]
) -> _Chunk:
    """The lines of an item for a list with its dashes at a column."""
    if isinstance(item, NewItem):
        return _Chunk(write_items([new[id(item)]], column), "", column)
    old = _sequence_at(root, item.path)
    if not is_block(old):
        node = old.value[item.position]
        return _Chunk(f"{' ' * column}- {text[node.start_mark.index : end_of(text, node)]}", "", 0)
    chunk = list(_list_chunks(text, old))[item.position]
    return chunk._replace(text=_shift_lines(chunk.text, column - chunk.column))


def _shift_lines(text: str, by: int) -> str:
    """Lines that begin further in or out; raises `Unproven` where one has no room."""
    if by >= 0:
        return "\n".join(f"{' ' * by}{line}" if line else "" for line in text.split("\n"))
    lines = text.split("\n")
    if any(line[:-by].strip() for line in lines):
        raise Unproven
    return "\n".join(line[-by:] for line in lines)


def _list_chunks(text: str, old: SequenceNode) -> Iterator[_Chunk]:
    """Every item of a block list with the comments above it and in it."""
    column = old.start_mark.column
    start = text.rfind("\n", 0, old.start_mark.index) + 1
    start = _start_of_comments(text, start)
    for node in old.value:
        end = _end_with_comments(text, line_end(text, end_of(text, node)), column)
        lines = text[start:end]
        bare = _without_blanks(lines)
        yield _Chunk(bare, lines[: len(lines) - len(bare)], column)
        start = end + 1


def _without_blanks(lines: str) -> str:
    """The text from the first line on that is not empty."""
    rest = lines
    while rest.partition("\n")[0].strip() == "":
        rest = rest.partition("\n")[2]
    return rest


def _start_of_comments(text: str, start: int) -> int:
    """Where the comments above a line begin, with blank lines between them."""
    while start:
        before = text.rfind("\n", 0, start - 1) + 1
        line = text[before:start].strip()
        if line and not line.startswith("#"):
            break
        start = before
    return start


def _end_with_comments(text: str, end: int, column: int) -> int:
    """The end of an item with the comments below it that are indented further than its dash."""
    while end < len(text):
        after = line_end(text, end + 1)
        line = text[end + 1 : after]
        if not line.lstrip().startswith("#") or len(line) - len(line.lstrip()) <= column:
            break
        end = after
    return end


def _last_line(text: str, old: Node) -> int:
    """Where the last line of a block list ends."""
    assert isinstance(old, SequenceNode)
    return _end_with_comments(text, line_end(text, end_of(text, old)), old.start_mark.column)


def _in_brackets(
    text: str, root: Node, old: Node, edit: ListEdit, new: dict[int, Any]
) -> Replacement:
    """A list between brackets: what stood between its first two items stands between all."""
    start, end = old.start_mark.index, old.end_mark.index
    if not _is_list(old) or not text[start:end].startswith("["):
        raise Unproven
    items = [_flow_text(text, root, item, new) for item in edit.items]
    comma = ", "
    if len(old.value) > 1:
        one, two = old.value[:2]
        comma = text[one.end_mark.index : two.start_mark.index]
    if comma.strip() != ",":
        raise Unproven
    first = text[start + 1 : old.value[0].start_mark.index] if old.value else ""
    last = text[old.value[-1].end_mark.index : end - 1] if old.value else ""
    items_text = f"[{first}{comma.join(items)}{last}]" if items else "[]"
    return Replacement(start, end, items_text, leaves="")


def _flow_text(text: str, root: Node, item: Item | NewItem, new: dict[int, Any]) -> str:
    if isinstance(item, NewItem):
        return write_flow(new[id(item)])
    node = _sequence_at(root, item.path).value[item.position]
    if isinstance(node, SequenceNode) or not node.flow_style:
        raise Unproven
    return text[node.start_mark.index : node.end_mark.index]


def _sequence_at(root: Node, path: Path) -> SequenceNode:
    (_, node), *_ = holder_of(root, None, path)
    if not isinstance(node, SequenceNode):
        raise Unproven
    return node
