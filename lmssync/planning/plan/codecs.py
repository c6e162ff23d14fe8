"""How values become JSON and are read again: a codec for each, made of smaller ones.

What is read must be of exactly its type: anything else is a `TypeError`, `ValueError` or
`LookupError`.
"""

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple


class Codec(NamedTuple):
    """How a value is written, and how it is read."""

    write: Callable[[Any], Any]
    read: Callable[[Any], Any]


Fields = dict[str, Codec]
"""How each attribute is written and read, by its name."""
_KEYS = {
    "version": "lmssync",
    "base_url": "baseUrl",
    "made_again": "madeAgain",
    "blocked_fields": "blockedFields",
    "blocked_because": "blockedBecause",
    "was": "from",
    "permitted": "allowed",
    "still_open": "stillOpen",
    "leave": "keepPlatform",
    "noticed_at": "noticedAt",
    "edited_parts": "editedParts",
    "changed_since": "changedSince",
    "left_out": "leftOut",
    "spelled_body": "body",
    "packed_after": "after",
    "in_progress": "inProgress",
    "last_activity": "lastActivity",
    "counted": "learnersCounted",
    "version_of": "versionOf",
    "known_drift": "knownDrift",
    "found_at": "foundAt",
    "pull_request": "pullRequest",
    "reviewed": "commit",
}
"""Keys of attributes whose key differs from their name."""
_OPTIONAL = {
    "was",
    "guard",
    "guards",
    "approved",
    "lowered",
    "losses",
    "still_open",
    "allowed",
    "keep",
    "leave",
    "made_again",
    "protections",
    "drift",
    "blocked_fields",
    "blocked_because",
    "evidence",
    "edited_parts",
    "consequence",
    "cards",
    "counted",
    "known_drift",
    "noticed_at",
    "places",
    "truth",
    "refresh",
    "intentions",
    "limits",
    "target",
    "exclude",
    "changed_since",
}
"""Attributes that are written only if they are not empty."""
_TYPES = {str: "text", int: "number", bool: "flag", list: "list", dict: "mapping"}
SHOWN = 40


def write_fields(fields: Fields, value: Any) -> dict[str, Any]:
    data: dict[str, Any] = {}
    for name, codec in fields.items():
        one = getattr(value, name)
        if one or name not in _OPTIONAL:
            data[_KEYS.get(name, name)] = codec.write(one)
    return data


def read_fields(fields: Fields, data: Any) -> dict[str, Any]:
    """The arguments of the object that `data` describes."""
    keys = {name: _KEYS.get(name, name) for name in fields}
    given = require_type(dict, data).keys()
    there = {name: key for name, key in keys.items() if name not in _OPTIONAL or key in given}
    return {name: fields[name].read(data[key]) for name, key in there.items()}


def require_type(kind: type, value: Any) -> Any:
    """A value of one type of JSON; numbers count something."""
    if type(value) is not kind or (type(value) is int and value < 0):
        shown = repr(value)
        shown = shown if len(shown) <= SHOWN else f"{shown[: SHOWN - 1]}…"
        raise TypeError(f"{shown} is not a {_TYPES[kind]}")
    return value


def keep_value(value: Any) -> Any:
    return value


def maybe(codec: Codec) -> Codec:
    return Codec(
        lambda value: None if value is None else codec.write(value),
        lambda value: None if value is None else codec.read(value),
    )


def listed(codec: Codec) -> Codec:
    write, read = codec
    return Codec(
        lambda all_: [*map(write, all_)], lambda all_: [*map(read, require_type(list, all_))]
    )


def entry(made: Callable[..., Any], fields: Fields) -> Codec:
    return Codec(partial(write_fields, fields), lambda data: made(**read_fields(fields, data)))


def by(key: Codec, codec: Codec) -> Codec:
    def all_of(one: Callable[[Any], Any], other: Callable[[Any], Any], values: Any) -> Any:
        return {one(name): other(value) for name, value in values.items()}

    return Codec(
        lambda values: all_of(key.write, codec.write, values),
        lambda values: all_of(key.read, codec.read, require_type(dict, values)),
    )


ANY = Codec(keep_value, keep_value)
TEXT, NUMBER, FLAG = (Codec(keep_value, partial(require_type, kind)) for kind in (str, int, bool))
