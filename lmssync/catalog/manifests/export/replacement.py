"""Which piece of a YAML text has to change so that a key of it has another value."""

from collections.abc import Sequence
from typing import Any, NamedTuple, TypeGuard

from ruamel.yaml.nodes import MappingNode, Node, SequenceNode

from ....resource import Path
from ..formatter import MappingShape, Unproven
from ..yaml import write_flow, write_yaml_below


class Replacement(NamedTuple):
    """A piece of a text, in characters, and what goes in its place."""

    start: int
    end: int
    text: str
    leaves: str | None = None
    """What of the old piece may be lost; all of it, if nothing else is said."""


def find_replacement(
    text: str, root: Node, shape: MappingShape | None, path: Path, value: Any, name: str = ""
) -> Replacement:
    """What makes `value` stand at `path` of a document, under another key where there is a `name`.

    `shape` says where a new key belongs. Raises `Unproven` and `LookupError` for a path that leads
    nowhere.
    """
    holder, shape = _holder_of(root, shape, path)
    last = str(path[-1])
    pair = next((pair for pair in holder.value if pair[0].value == last), None)
    if pair:
        return _change_pair(text, holder, pair, value, name)
    return _add_pair(text, holder, _find_neighbour(holder, shape, last), last, value)


def _holder_of(
    root: Node, shape: MappingShape | None, path: Path
) -> tuple[MappingNode, MappingShape | None]:
    """The mapping that has the last key of a path, and what is known of it."""
    holder = root
    for step in path[:-1]:
        holder = _child_node(holder, step)
        shape = shape.shape_of_value(step) if shape and isinstance(step, str) else shape
    if not isinstance(holder, MappingNode):
        raise Unproven
    return holder, shape


class KeyAndValue(NamedTuple):
    """A key of a mapping with its value."""

    pair: "Pair"
    column: int | None
    """The column of the keys of the mapping; None between brackets."""
    within: MappingShape | None
    """What is known of the items of the value."""


def holder_of(root: Node, shape: MappingShape | None, path: Path) -> KeyAndValue:
    """The key at the end of a path, which is there; raises `Unproven`."""
    holder, shape = _holder_of(root, shape, path)
    last = str(path[-1])
    pair = next((pair for pair in holder.value if pair[0].value == last), None)
    if pair is None:
        raise Unproven
    column = None if holder.flow_style else holder.start_mark.column
    return KeyAndValue(pair, column, shape.shape_of_value(last) if shape else None)


def _child_node(node: Node, step: str | int) -> Node:
    child: Node | None = None
    if isinstance(node, MappingNode):
        child = next((value for key, value in node.value if key.value == step), None)
    elif isinstance(node, SequenceNode) and isinstance(step, int):
        child = node.value[step]
    if child is None:
        raise Unproven
    return child


Pair = tuple[Node, Node]
"""A key and its value."""


def _change_pair(text: str, holder: MappingNode, pair: Pair, value: Any, name: str) -> Replacement:
    """Another value for a key that is there, and another name for it where there is one."""
    key, old = pair
    start, colon = key.start_mark.index, after_colon(text, key)
    head = f"{name}:" if name else text[start:colon]
    if holder.flow_style:
        written = f" {write_flow(value)}"
    elif is_block(old) and _are_words(value):
        written = f"{text[colon : _line_start(text, old)]}{_list_lines(text, old, value)}"
    elif isinstance(old, SequenceNode) and old.flow_style and isinstance(value, list):
        written = f"{text[colon : old.start_mark.index]}{write_flow(value)}"
    else:
        written = write_yaml_below(value, holder.start_mark.column)
    return Replacement(start, _end_of_pair(text, pair), head + written)


def is_block(node: Node) -> TypeGuard[SequenceNode]:
    return isinstance(node, SequenceNode) and not node.flow_style


def _are_words(value: Any) -> bool:
    """True for a list of values that each take one line."""
    return (
        isinstance(value, list)
        and bool(value)
        and not any(isinstance(item, dict | list) or "\n" in str(item) for item in value)
    )


def _list_lines(text: str, old: Node, items: Sequence[Any]) -> str:
    """The lines of a list: items that stay keep theirs, with the comments on and above them."""
    margin = " " * old.start_mark.column
    ends = [line_end(text, end_of(text, item)) for item in old.value]
    starts = [_line_start(text, old), *(end + 1 for end in ends[:-1])]
    spans = zip(old.value, starts, ends, strict=True)
    lines = {item.value: text[start:end] for item, start, end in spans}
    return "\n".join(lines.get(str(item), f"{margin}- {write_flow(item)}") for item in items)


def _add_pair(
    text: str, holder: MappingNode, before: Pair | None, name: str, value: Any
) -> Replacement:
    """A key that is not there yet, after the pair `before`; at the start if there is none."""
    column = holder.start_mark.column
    if before is None:  # ahead of all others, with a value that takes one line
        start = holder.value[0][0].start_mark.index
        gap = ", " if holder.flow_style else f"\n{' ' * column}"
        return Replacement(start, start, f"{name}: {write_flow(value)}{gap}")
    end = _end_of_pair(text, before)
    if holder.flow_style:
        return Replacement(end, end, f", {name}: {write_flow(value)}")
    at = line_end(text, end)
    return Replacement(at, at, f"\n{' ' * column}{name}:{write_yaml_below(value, column)}")


def _find_neighbour(holder: MappingNode, shape: MappingShape | None, name: str) -> Pair | None:
    """The last key of those that `fmt` would put before the new one, with its value."""
    pairs: list[Pair] = holder.value
    if not pairs:
        raise Unproven
    if shape is None:
        return pairs[-1]
    ahead = [pair for pair in pairs if shape.rank_of_key(pair[0].value) <= shape.rank_of_key(name)]
    return ahead[-1] if ahead else None


def after_colon(text: str, key: Node) -> int:
    return text.index(":", key.end_mark.index) + 1


def _end_of_pair(text: str, pair: Pair) -> int:
    """Where a pair ends: a value that is left out stands nowhere."""
    key, value = pair
    colon = after_colon(text, key)
    is_there = value.end_mark.index > value.start_mark.index
    return max(end_of(text, value), colon) if is_there else colon


def end_of(text: str, node: Node) -> int:
    """Where the text of a node ends: before blank lines and comments below it."""
    start: int = node.start_mark.index
    end: int = node.end_mark.index
    if isinstance(node, MappingNode | SequenceNode) and not node.flow_style:
        last = node.value[-1] if isinstance(node, SequenceNode) else node.value[-1][1]
        return max(end_of(text, last), start)
    return start + len(text[start:end].rstrip())


def _line_start(text: str, node: Node) -> int:
    return text.rfind("\n", 0, node.start_mark.index) + 1


def line_end(text: str, at: int) -> int:
    """The position at which the line ends that contains a position."""
    end = text.find("\n", at)
    return len(text) if end < 0 else end
