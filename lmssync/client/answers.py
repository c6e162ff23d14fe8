"""Reads the answers of the platform: bodies, the five envelopes, lists (spec 7, O44)."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import orjson

from ..errors import Unreadable
from ..secrets import redact
from ..visible import visible

if TYPE_CHECKING:
    import httpx

_MISSING = object()
_LONGEST = 2_000
"""Characters of a message that are kept: some servers answer with a page."""


def body(response: "httpx.Response") -> Any:
    """The JSON of an answer without the secrets that it quotes; nothing for an empty body.

    Raises `ValueError` for anything else, and for what is nested too deeply to be written again.
    """
    if not response.content:
        return None
    answer = orjson.loads(response.content)
    text = _plain(answer)
    clean = redact(text)
    return answer if clean == text else orjson.loads(clean)


def _plain(answer: Any) -> str:
    """Spelled in one way, so that no escape of the platform's hides anything."""
    try:
        return orjson.dumps(answer).decode()
    except orjson.JSONEncodeError as error:
        raise ValueError(str(error)) from None


def words(text: str) -> str:
    """What the platform says, or what broke, fit for a line of ours: it is foreign text."""
    clean = visible(redact(text).strip())
    return clean if len(clean) <= _LONGEST else f"{clean[:_LONGEST]}…"


def complaint(answer: Any) -> str | None:
    """What an error envelope says, whichever of the five it is; nothing if it is none of them."""
    if not isinstance(answer, Mapping):
        return None
    listed = _listed(answer.get("errors"))
    if listed:
        return words(listed)
    details = _listed(answer.get("details")) or _listed(_metadata(answer).get("errors"))
    said = answer.get("message") or answer.get("error")
    if not isinstance(said, str):
        return None
    return words(f"{said} ({details})" if details and details != said else said)


def _metadata(answer: Mapping[str, Any]) -> Mapping[str, Any]:
    metadata = answer.get("metadata")
    return metadata if isinstance(metadata, Mapping) else {}


def _listed(errors: Any) -> str:
    """`string[]` of envelopes A and B, `[{message}]` of E, `[{field, message}]` of C."""
    if not isinstance(errors, list):
        return ""
    words = [
        f"{error['field']}: {error.get('message')}"
        if isinstance(error, Mapping) and "field" in error
        else str(error.get("message") if isinstance(error, Mapping) else error)
        for error in errors
    ]
    return "; ".join(words)


def items(answer: Any, key: str) -> list[Any]:
    """The list in an answer: under its key, under `data`, or bare (O44)."""
    for found in (
        answer,
        _under(answer, key),
        _under(answer, "data"),
        _under(_under(answer, "data"), key),
    ):
        if isinstance(found, list):
            return found
    raise Unreadable(f"the platform's answer has no list `{key}`")


def _under(answer: Any, key: str) -> Any:
    return answer.get(key) if isinstance(answer, Mapping) else _MISSING


def next_page(answer: Any) -> str | None:
    """The cursor of the next page, while there is one (spec 4, O42)."""
    page = _under(answer, "pageInfo")
    if not isinstance(page, Mapping) or not page.get("hasMore"):
        return None
    cursor = page.get("cursor")
    return None if cursor is None else str(cursor)
