"""Sets values and lists in the text of a manifest; the rest of the file stays as it was written.

An item of a list takes its text along, with the comments above it and beside it.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import reduce
from itertools import groupby
from operator import getitem
from typing import Any, NamedTuple, TypeVar

from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError
from ruamel.yaml.nodes import Node, SequenceNode

from ....resource import Path
from ..formatter import (
    MappingShape,
    Unproven,
    of_document,
    same_values,
    sorted_comments,
    unify_line_ends,
)
from ..yaml import STEP, Strange, YamlMistake, list_scanners, load_yaml, write_flow, write_items
from .manifest_files import arrange_keys
from .replacement import (
    Replacement,
    after_colon,
    end_of,
    find_replacement,
    holder_of,
    is_block,
    line_end,
)


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


def _replace_list(text: str, root: Node, shape: MappingShape | None, edit: ListEdit) -> Replacement:
    """What makes a list have other items; raises `Unproven` and `LookupError`."""
    pair, column, within = holder_of(root, shape, edit.path)
    old, colon = pair[1], after_colon(text, pair[0])
    values = [item for item in edit.items if isinstance(item, NewItem)]
    new = {id(item): arrange_keys(within, item.value) for item in values}
    if column is None or (isinstance(old, SequenceNode) and old.flow_style and old.value):
        return _in_brackets(text, root, old, edit, new)
    if is_block(old):
        dash, tail = old.start_mark.column, text[colon : line_end(text, colon)]
        end = _end_with_comments(text, line_end(text, end_of(text, old)), dash)
    else:
        dash, last = column + STEP, max(end_of(text, old), colon)
        end = line_end(text, last)
        tail = text[last:end]  # the comment behind a value that is none or empty
    if not edit.items:
        return Replacement(colon, end, f" []{tail}", _text_without(text, old, edit))
    chunks = [_item_chunk(text, root, item, dash, new) for item in edit.items]
    gap = next((chunk.gap for chunk in reversed(chunks) if chunk.gap), "")
    spaced = [
        f"{(chunk.gap or gap * isinstance(item, NewItem)) if position else ''}{chunk.text}"
        for position, (chunk, item) in enumerate(zip(chunks, edit.items, strict=True))
    ]
    return Replacement(colon, end, "\n".join([tail, *spaced]), _text_without(text, old, edit))


def _text_without(text: str, old: Node, edit: ListEdit) -> str:
    """The text of the items of a block list that it shall not have any more."""
    stay = {one.position for one in edit.items if isinstance(one, Item) and one.path == edit.path}
    chunks = list(_list_chunks(text, old)) if is_block(old) else []
    return "\n".join(chunk.text for place, chunk in enumerate(chunks) if place not in stay)


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


def _in_brackets(
    text: str, root: Node, old: Node, edit: ListEdit, new: dict[int, Any]
) -> Replacement:
    """A list between brackets: what stood between its first two items stands between all."""
    start, end = old.start_mark.index, old.end_mark.index
    if not isinstance(old, SequenceNode) or not text[start:end].startswith("["):
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


E = TypeVar("E", "Edit", ListEdit)


class Edit(NamedTuple):
    """A value that a document shall have."""

    document: int
    path: Path
    """Of the value; its last key may be new, what is above it must be there."""
    value: Any
    name: str = ""
    """Another name for the key: a text that was `markdown` may become `body`."""


def edit_manifest(raw: bytes, edits: Sequence[Edit], lists: Sequence[ListEdit] = ()) -> bytes:
    """The file with all of these values, then with these lists; raises `YamlMistake`, `Unproven`.

    Unproven is what cannot be shown to say the same but for the edits, with every comment but those
    beside items that leave a list. Paths of lists are those of the file as it is: the inner ones
    are edited first.
    """
    text, is_crlf = unify_line_ends(raw), raw.count(b"\r\n") == raw.count(b"\n") > 0
    if edits:
        text = _apply_edits(text, edits, _expected_documents)
    # The deepest first: an edit of an inner list changes the text of the outer one, which then
    # moves it as it is by now.
    for _, level in groupby(sorted(lists, key=_edit_depth), key=_edit_depth):
        text = _apply_edits(text, list(level), _with_lists)
    return (text.replace("\n", "\r\n") if is_crlf else text).encode()


def _edit_depth(edit: ListEdit) -> int:
    return -len(edit.path)


def _apply_edits(
    text: str, edits: Sequence[E], expected: Callable[[list[Any], Sequence[E]], list[Any]]
) -> str:
    """Makes edits in a text; none of them is inside another."""
    documents = load_yaml(text.encode())
    wanted = expected([_copy_without_aliases(document) for document in documents], edits)
    try:
        roots = list(YAML(typ="safe", pure=True).compose_all(text))
        replacements = [
            _replacement_of(text, roots[edit.document], of_document(documents[edit.document]), edit)
            for edit in edits
        ]
    except (YAMLError, LookupError, TypeError, ValueError, AttributeError) as error:
        raise Unproven from error
    result = text
    # From the end of the text to its beginning, so that places that are still to be replaced stay
    # where they are.
    for one in sorted(replacements, reverse=True):
        result = f"{result[: one.start]}{one.text}{result[one.end :]}"
    try:
        # No edit is trusted. The edited text is parsed, and must say exactly what was asked for.
        is_same = same_values(wanted, load_yaml(result.encode()))
    except YamlMistake as error:
        raise Unproven from error
    if not is_same or _has_lost(text, result, replacements):
        raise Unproven
    return result


def _replacement_of(
    text: str, root: Node, shape: MappingShape | None, edit: Edit | ListEdit
) -> Replacement:
    if isinstance(edit, ListEdit):
        return _replace_list(text, root, shape, edit)
    return find_replacement(text, root, shape, edit.path, edit.value, edit.name)


def _expected_documents(wanted: list[Any], edits: Sequence[Edit]) -> list[Any]:
    for edit in edits:
        try:
            holder = reduce(getitem, edit.path[:-1], wanted[edit.document])
            if edit.name:
                del holder[edit.path[-1]]
            holder[edit.name or edit.path[-1]] = edit.value
        except (LookupError, TypeError) as error:
            raise Unproven from error
    return wanted


def _with_lists(wanted: list[Any], edits: Sequence[ListEdit]) -> list[Any]:
    try:
        lists = [
            [
                one.value
                if isinstance(one, NewItem)
                else reduce(getitem, one.path, wanted[edit.document])[one.position]
                for one in edit.items
            ]
            for edit in edits
        ]
        for edit, items in zip(edits, lists, strict=True):
            reduce(getitem, edit.path[:-1], wanted[edit.document])[edit.path[-1]] = items
    except (LookupError, TypeError) as error:
        raise Unproven from error
    return wanted


def _copy_without_aliases(value: Any) -> Any:
    """A copy in which what an alias repeats is there as often as it is named."""
    if isinstance(value, dict):
        return {key: _copy_without_aliases(item) for key, item in value.items()}
    return [_copy_without_aliases(item) for item in value] if isinstance(value, list) else value


def _has_lost(text: str, result: str, replacements: Iterable[Replacement]) -> bool:
    """True if a comment is gone that stood outside everything that leaves, or if one is new."""
    try:
        scan = next(iter(list_scanners(text)))
        before, after = sorted_comments(text, scan(text)), sorted_comments(result, scan(result))
    except Strange as error:
        raise Unproven from error
    for comment in after:
        if comment not in before:
            return True
        before.remove(comment)
    inside = "\n".join(
        text[one.start : one.end] if one.leaves is None else one.leaves for one in replacements
    )
    return any(comment not in inside for comment in before)
