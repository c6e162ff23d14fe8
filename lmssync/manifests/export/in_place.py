"""Sets values in the text of a manifest; everything else of the file stays as it was written."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError

from ...source import Path
from ..formatter import Unproven, comments, of_document, same, unified
from ..yaml import Strange, load, scanners
from .replacement import Replacement, replacement


class Edit(NamedTuple):
    """A value that a document shall have."""

    document: int
    path: Path
    """Of the value; its last key may be new, what is above it must be there."""
    value: Any
    name: str = ""
    """Another name for the key: a text that was `markdown` may become `body`."""


def edited(raw: bytes, edits: Sequence[Edit]) -> bytes:
    """The file with all of these values; raises `YamlMistake`, and `Unproven`.

    Unproven is what cannot be shown to say the same but for the edits, with every comment but those
    beside items that leave a list.
    """
    documents = load(raw)
    wanted = _expected(documents, edits)
    text = unified(raw)
    try:
        roots = list(YAML(typ="safe", pure=True).compose_all(text))
        replacements = [
            replacement(
                text,
                roots[edit.document],
                of_document(documents[edit.document]),
                edit.path,
                edit.value,
                edit.name,
            )
            for edit in edits
        ]
    except (YAMLError, LookupError, TypeError, ValueError) as error:
        raise Unproven from error
    result = text
    for one in sorted(replacements, reverse=True):
        result = f"{result[: one.start]}{one.text}{result[one.end :]}"
    if not same(wanted, load(result.encode())) or _has_lost(text, result, replacements):
        raise Unproven
    is_crlf = raw.count(b"\r\n") == raw.count(b"\n") > 0
    return (result.replace("\n", "\r\n") if is_crlf else result).encode()


def _expected(documents: list[Any], edits: Iterable[Edit]) -> list[Any]:
    wanted = [_unshared(document) for document in documents]
    for edit in edits:
        try:
            holder = wanted[edit.document]
            for step in edit.path[:-1]:
                holder = holder[step]
            if edit.name:
                del holder[edit.path[-1]]
            holder[edit.name or edit.path[-1]] = edit.value
        except (LookupError, TypeError) as error:
            raise Unproven from error
    return wanted


def _unshared(value: Any) -> Any:
    """A copy in which what an alias repeats is there as often as it is named."""
    if isinstance(value, dict):
        return {key: _unshared(item) for key, item in value.items()}
    return [_unshared(item) for item in value] if isinstance(value, list) else value


def _has_lost(text: str, result: str, replacements: Iterable[Replacement]) -> bool:
    """True if a comment is gone that stood outside everything replaced, or if one is new."""
    try:
        scan = next(iter(scanners(text)))
        before, after = comments(text, scan(text)), comments(result, scan(result))
    except Strange as error:
        raise Unproven from error
    for comment in after:
        if comment not in before:
            return True
        before.remove(comment)
    inside = "\n".join(text[one.start : one.end] for one in replacements)
    return any(comment not in inside for comment in before)
