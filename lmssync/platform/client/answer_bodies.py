"""Reads the bodies of answers: JSON, the five envelopes of refusals, lists (spec 7, O44)."""

from collections.abc import Iterator, Mapping
from typing import Any

import orjson

from ...support.invisible_characters import escape_invisible
from ...support.redaction import is_told_in, redact_secrets

_LONGEST = 2_000
"""The most characters of a message that are shown: some servers answer with a page."""
_CLIENT_ERROR = 400


def read_body(content: bytes | bytearray) -> Any:
    """The JSON of an answer with its secrets hidden; None for an empty body.

    Raises `ValueError` for anything else, and for what is nested too deeply to be written again.
    """
    if not content:
        return None
    answer = orjson.loads(content)
    text = _spell_plainly(answer)
    # A secret in an answer would go on into messages, the journal and reports. It is hidden here
    # once, where every answer comes in.
    return orjson.loads(redact_secrets(text.decode())) if is_told_in(text) else answer


def _spell_plainly(answer: Any) -> bytes:
    """The text in one spelling, so that an escape cannot hide a secret."""
    try:
        return orjson.dumps(answer)
    except orjson.JSONEncodeError as error:
        raise ValueError(str(error)) from None


def platform_words(text: str) -> str:
    """The message of the platform, or of what broke, made safe for one line of output."""
    clean = escape_invisible(redact_secrets(text).strip())
    return clean if len(clean) <= _LONGEST else f"{clean[:_LONGEST]}…"


def describe_refusal(answer: Any) -> str | None:
    """The messages of an error envelope of any of the five shapes; empty for any other body."""
    if not isinstance(answer, Mapping):
        return None
    listed = _join_messages(answer.get("errors"))
    if listed:
        return platform_words(listed)
    details = _join_messages(answer.get("details"))
    details = details or _join_messages(_value_under(answer.get("metadata"), "errors"))
    message = answer.get("message") or answer.get("error")
    if not isinstance(message, str):
        return None
    return platform_words(f"{message} ({details})" if details and details != message else message)


def describe_failure(answer: Any, *, errors_are_results: bool = False) -> str | None:
    """The messages of a 2xx that is a failure anyway (O29, O64); empty if it is not."""
    if isinstance(answer, list) and answer and all(map(_is_message, answer)):
        return platform_words(_join_messages(answer))
    if not isinstance(answer, Mapping):
        return None
    status = answer.get("statusCode")  # of envelope D
    failed = (
        (answer.get("errors") and not errors_are_results)
        or answer.get("error")
        or answer.get("valid") is False
        or (isinstance(status, int) and status >= _CLIENT_ERROR)
    )
    return (
        (describe_refusal(answer) or "the answer says that the call failed, but not why")
        if failed
        else None
    )


def _is_message(value: Any) -> bool:
    """An item of a list of refusals that stands alone: what is listed bare (O44) has an id."""
    return isinstance(value, Mapping) and "message" in value and "id" not in value


def find_warnings(answer: Any) -> list[str]:
    """The warnings of a 2xx about fields that it skipped or that are deprecated (spec 4)."""
    listed = _value_under(answer, "warnings")
    return [platform_words(str(one)) for one in listed] if isinstance(listed, list) else []


def _join_messages(errors: Any) -> str:
    """`string[]` of envelopes A and B, `[{message}]` of E, `[{field, message}]` of C; and what
    else stands there: a text alone, or messages by field."""
    return "; ".join(_find_messages(errors))


def _find_messages(errors: Any) -> Iterator[str]:
    if isinstance(errors, list):
        for error in errors:
            yield from _find_messages(error)
    elif isinstance(errors, Mapping) and "message" in errors:
        message = str(errors["message"])
        yield f"{errors['field']}: {message}" if "field" in errors else message
    elif isinstance(errors, Mapping):
        for field, messages in errors.items():
            yield f"{field}: {_join_messages(messages)}"
    elif errors is not None and errors != "":
        yield str(errors)


def find_items(answer: Any, key: str) -> list[Any] | None:
    """The list in an answer: under its key, under `data`, or bare (O44); nothing if none is."""
    data = _value_under(answer, "data")
    # Instances differ: the same list comes bare, under its key, or under `data` (O44).
    places = (answer, _value_under(answer, key), data, _value_under(data, key))
    return next((place for place in places if isinstance(place, list)), None)


def page_info(answer: Any) -> Any:
    """The page information of a list; None if the answer is the whole list.

    The asset library says only where the next page begins (spec 4).
    """
    data = _value_under(answer, "data")
    if isinstance(data, Mapping) and "nextCursor" in data:
        following = data["nextCursor"]
        return {"hasMore": following is not None, "cursor": following}
    info = _value_under(answer, "pageInfo")
    return _value_under(data, "pageInfo") if info is None else info


def _value_under(answer: Any, key: str) -> Any:
    return answer.get(key) if isinstance(answer, Mapping) else None


class Misfit(ValueError):
    """An answer of the wrong shape; the message says what was expected and where."""
