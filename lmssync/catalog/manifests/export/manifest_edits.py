"""Sets values in the text of a manifest; everything else of the file stays as it was written."""

from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from typing import Any, NamedTuple, TypeVar

from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError
from ruamel.yaml.nodes import Node

from ....resource import Path
from ..formatter import (
    MappingShape,
    Unproven,
    of_document,
    same_values,
    sorted_comments,
    unify_line_ends,
)
from ..yaml import Strange, YamlMistake, list_scanners, load_yaml
from .list_edits import ListEdit, NewItem, list_replacement
from .replacement import Replacement, find_replacement

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
        text = _apply_edits(text, edits, _expected_documents, _value_replacement)
    for _, level in groupby(sorted(lists, key=_edit_depth), key=_edit_depth):
        text = _apply_edits(text, list(level), _with_lists, _list_replacement)
    return (text.replace("\n", "\r\n") if is_crlf else text).encode()


def _edit_depth(edit: ListEdit) -> int:
    return -len(edit.path)


def _apply_edits(
    text: str,
    edits: Sequence[E],
    expected: Callable[[list[Any], Sequence[E]], list[Any]],
    replacement_of: Callable[[str, Node, MappingShape | None, E], Replacement],
) -> str:
    """Makes edits in a text; none of them is inside another."""
    documents = load_yaml(text.encode())
    wanted = expected([_copy_without_aliases(document) for document in documents], edits)
    try:
        roots = list(YAML(typ="safe", pure=True).compose_all(text))
        replacements = [
            replacement_of(text, roots[edit.document], of_document(documents[edit.document]), edit)
            for edit in edits
        ]
    except (YAMLError, LookupError, TypeError, ValueError, AttributeError) as error:
        raise Unproven from error
    result = text
    for one in sorted(replacements, reverse=True):
        result = f"{result[: one.start]}{one.text}{result[one.end :]}"
    try:
        is_same = same_values(wanted, load_yaml(result.encode()))
    except YamlMistake as error:
        raise Unproven from error
    if not is_same or _has_lost(text, result, replacements):
        raise Unproven
    return result


def _value_replacement(
    text: str, root: Node, shape: MappingShape | None, edit: Edit
) -> Replacement:
    return find_replacement(text, root, shape, edit.path, edit.value, edit.name)


def _list_replacement(
    text: str, root: Node, shape: MappingShape | None, edit: ListEdit
) -> Replacement:
    return list_replacement(text, root, shape, edit)


def _expected_documents(wanted: list[Any], edits: Iterable[Edit]) -> list[Any]:
    for edit in edits:
        try:
            holder = _value_at(wanted, edit.document, edit.path[:-1])
            if edit.name:
                del holder[edit.path[-1]]
            holder[edit.name or edit.path[-1]] = edit.value
        except (LookupError, TypeError) as error:
            raise Unproven from error
    return wanted


def _with_lists(wanted: list[Any], edits: Iterable[ListEdit]) -> list[Any]:
    edits = list(edits)
    try:
        lists = [
            [
                one.value
                if isinstance(one, NewItem)
                else _value_at(wanted, edit.document, one.path)[one.position]
                for one in edit.items
            ]
            for edit in edits
        ]
        for edit, items in zip(edits, lists, strict=True):
            _value_at(wanted, edit.document, edit.path[:-1])[edit.path[-1]] = items
    except (LookupError, TypeError) as error:
        raise Unproven from error
    return wanted


def _value_at(documents: list[Any], document: int, path: Path) -> Any:
    value = documents[document]
    for step in path:
        value = value[step]
    return value


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
