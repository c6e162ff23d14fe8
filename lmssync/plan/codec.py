"""A plan's values as JSON, and back.

What is read must be of exactly its type: anything else is a `TypeError`, `ValueError` or
`LookupError`.
"""

from collections.abc import Callable
from datetime import datetime
from functools import partial
from typing import Any, NamedTuple

import orjson

from ..address import Address
from ..decisions import Limits
from ..diff import Drift, FieldChange, Resolution
from ..events import Audience
from ..kind import Effect, Ids, ManualStep, Undo
from ..kinds import KINDS
from ..live import Certainty
from ..problems import Severity
from ..resource import pack, pack_form, spelling, unpack
from .consequence import Consequence, Counted
from .plan import Action, Adoption
from .truth import Truth
from .verdict import GuardVerdict


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
    "was": "from",
    "permitted": "allowed",
    "still_open": "stillOpen",
    "leave": "keepPlatform",
    "noticed_at": "noticedAt",
    "edited_parts": "editedParts",
    "changed_since": "changedSince",
    "left_out": "leftOut",
    "packed_body": "body",
    "packed_after": "after",
    "in_progress": "inProgress",
    "last_activity": "lastActivity",
    "counted": "learnersCounted",
    "version_of": "versionOf",
}
"""Keys of attributes whose key differs from their name."""
_OPTIONAL = {
    "was",
    "guard",
    "guards",
    "losses",
    "still_open",
    "allowed",
    "keep",
    "leave",
    "made_again",
    "protections",
    "drift",
    "evidence",
    "edited_parts",
    "consequence",
    "counted",
    "noticed_at",
    "truth",
    "refresh",
    "limits",
    "target",
    "exclude",
    "changed_since",
}
"""Attributes that are written only if they are not empty."""
_TYPES = {str: "text", int: "number", bool: "flag", list: "list", dict: "mapping"}
_SHOWN = 40


def write(fields: Fields, value: Any) -> dict[str, Any]:
    return {
        _KEYS.get(name, name): codec.write(getattr(value, name))
        for name, codec in fields.items()
        if name not in _OPTIONAL or getattr(value, name)
    }


def read(fields: Fields, data: Any) -> dict[str, Any]:
    """The arguments of the object that `data` describes."""
    keys = {name: _KEYS.get(name, name) for name in fields}
    given = exactly(dict, data).keys()
    there = {name: key for name, key in keys.items() if name not in _OPTIONAL or key in given}
    return {name: fields[name].read(data[key]) for name, key in there.items()}


def exactly(kind: type, value: Any) -> Any:
    """A value of one type of JSON; numbers count something."""
    if type(value) is not kind or (type(value) is int and value < 0):
        shown = repr(value)
        shown = shown if len(shown) <= _SHOWN else f"{shown[: _SHOWN - 1]}…"
        raise TypeError(f"{shown} is not a {_TYPES[kind]}")
    return value


def _same(value: Any) -> Any:
    return value


def _maybe(codec: Codec) -> Codec:
    return Codec(
        lambda value: None if value is None else codec.write(value),
        lambda value: None if value is None else codec.read(value),
    )


def _listed(codec: Codec) -> Codec:
    write, read = codec
    return Codec(lambda all_: [*map(write, all_)], lambda all_: [*map(read, exactly(list, all_))])


def _entry(made: Callable[..., Any], fields: Fields) -> Codec:
    return Codec(partial(write, fields), lambda data: made(**read(fields, data)))


def _by(key: Codec, codec: Codec) -> Codec:
    def all_of(one: Callable[[Any], Any], other: Callable[[Any], Any], values: Any) -> Any:
        return {one(name): other(value) for name, value in values.items()}

    return Codec(
        lambda values: all_of(key.write, codec.write, values),
        lambda values: all_of(key.read, codec.read, exactly(dict, values)),
    )


def _address(value: Any) -> Address:
    """The address of a known kind."""
    address = Address.parse(exactly(str, value))
    if address.kind not in KINDS or not address.key:
        raise TypeError(f"{value[:_SHOWN]!r} is not an address")
    return address


def _stamp(moment: datetime) -> str:
    return moment.isoformat()


def _adoption(one: Adoption) -> dict[str, Any]:
    return {"ids": one.ids.own, "parts": dict(one.ids.parts), "form": FORM.write(one.packed)}


def _of_adoption(one: Any) -> Adoption:
    texts = _by(TEXT, TEXT).read
    return Adoption(Ids(texts(one["ids"]), texts(one["parts"])), FORM.read(one["form"]))


ANY = Codec(_same, _same)
TEXT, NUMBER, FLAG = (Codec(_same, partial(exactly, kind)) for kind in (str, int, bool))
ADDRESS = Codec(str, _address)
MOMENT = Codec(_stamp, datetime.fromisoformat)
FORM = Codec(
    lambda packed: orjson.Fragment(spelling(packed)), lambda form: pack_form(exactly(dict, form))
)
BODY = Codec(unpack, lambda body: pack(orjson.dumps(exactly(dict, body))))

PART = {"address": ADDRESS, "packed_body": BODY, "packed_after": FORM, "marker": _maybe(TEXT)}
PART |= dict.fromkeys(("adds", "repeatable", "last", "creates"), FLAG)
_DRIFT = {
    "path": TEXT,
    "recorded": ANY,
    "live": ANY,
    "decision": Codec(_same, Resolution),
    "noticed_at": TEXT,
}
_AUDIENCE = {
    "enrolled": NUMBER,
    "in_progress": NUMBER,
    "finished": NUMBER,
    "last_activity": _maybe(MOMENT),
}
_MEANING = {
    "audience": _maybe(_entry(Audience, _AUDIENCE)),
    "says": _listed(TEXT),
    "undo": Codec(_same, Undo),
    "recipe": TEXT,
    "version_of": TEXT,
}
CONSEQUENCE = Codec(
    lambda one: {**write(_MEANING, one), "version": one.version},
    lambda data: Consequence(**read(_MEANING, data), version=TEXT.read(data["version"])),
)
CHANGE = {
    "address": ADDRESS,
    "action": Codec(_same, Action),
    "effect": Codec(_same, Effect),
    "title": TEXT,
    "reasons": _listed(TEXT),
    "fields": _listed(_entry(FieldChange, {"path": TEXT, "before": ANY, "after": ANY})),
    "evidence": _by(TEXT, Codec(_same, Certainty)),
    "drift": _listed(_entry(Drift, _DRIFT)),
    "manual": _listed(_entry(ManualStep, {"field": TEXT, "text": TEXT})),
    "basis": _maybe(TEXT),
    "was": ADDRESS,
    "guard": TEXT,
    "losses": Codec(list, lambda data: tuple(_listed(TEXT).read(data))),
    "consequence": CONSEQUENCE,
    "edited_parts": NUMBER,
    "still_open": FLAG,
}
HEAD = dict.fromkeys(
    ("version", "environment", "base_url", "lineage", "serial", "catalog", "commit"), TEXT
) | {"serial": NUMBER}
_LIMITS = {
    "target": Codec(list, lambda data: tuple(_listed(TEXT).read(data))),
    "exclude": Codec(list, lambda data: tuple(_listed(TEXT).read(data))),
    "changed_since": TEXT,
    "left_out": NUMBER,
}
DECISIONS = {
    "allowed": _listed(ADDRESS),
    "keep": _listed(TEXT),
    "leave": _listed(TEXT),
    "made_again": _listed(ADDRESS),
    "protections": _by(ADDRESS, FLAG),
    "refresh": TEXT,
    "limits": _entry(Limits, _LIMITS),
}
_TRUTH = dict.fromkeys(("fields", "proven", "noticed", "unverifiable"), NUMBER) | {
    "oldest": _maybe(TEXT)
}
_COUNTED = {"until": MOMENT, "since": _maybe(MOMENT)}
TRUTH = {"truth": _entry(Truth, _TRUTH), "counted": _entry(Counted, _COUNTED)}
_VERDICT = {
    "guard": TEXT,
    "severity": Codec(_same, Severity),
    "addresses": _listed(ADDRESS),
    "message": TEXT,
    "allow": TEXT,
    "permitted": FLAG,
}
GUARDS = {"guards": _listed(_entry(GuardVerdict, _VERDICT))}
RECORDS = {
    "releases": _by(ADDRESS, FORM),
    "adoptions": _by(ADDRESS, Codec(_adoption, _of_adoption)),
}
