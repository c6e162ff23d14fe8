"""A plan's values as JSON, and back: a codec for each, made of smaller ones."""

from collections.abc import Callable
from datetime import datetime
from functools import cache, partial
from typing import Any, NamedTuple

import orjson
from pydantic.alias_generators import to_camel

from ...kind import Effect, Ids, ManualStep, Undo
from ...kinds import KINDS
from ...learners.events import Audience
from ...platform.live import Certainty
from ...problems import Severity
from ...resource import Address, canonical_spelling, canonical_text, pack_form
from ...state import DriftFinding
from ...support.decisions import Limits
from ...vocabulary.iso_dates import parse_moment
from ..diff import Drift, FieldChange, Resolution
from ..verification_coverage import VerificationCoverage
from .plan import Action, Adoption, Card, CardReader, Consequence, Counted
from .verdict import ApprovedChange, GuardVerdict, LoweredSetting


class Codec(NamedTuple):
    """The functions that write a value as JSON and read it."""

    write: Callable[[Any], Any]
    read: Callable[[Any], Any]
    may_lack: bool = False
    """Whether an attribute is written only if it is not empty."""


Fields = dict[str, Codec]
"""How each attribute is written and read, by its name."""
_KEYS = {
    "version": "lmssync",
    "was": "from",
    "permitted": "allowed",
    "leave": "keepPlatform",
    "spelled_body": "body",
    "packed_after": "after",
    "counted": "learnersCounted",
    "reviewed": "commit",
    "verified_share": "verify",
}
"""Keys of attributes whose key is another word than their name."""
_TYPES = {str: "text", int: "number", bool: "flag", list: "list", dict: "mapping"}
SHOWN = 40


@cache
def _key_of(name: str) -> str:
    """`base_url` is `baseUrl` in the file."""
    return _KEYS.get(name) or to_camel(name)


def write_fields(fields: Fields, value: Any) -> dict[str, Any]:
    data: dict[str, Any] = {}
    for name, codec in fields.items():
        one = getattr(value, name)
        if one or not codec.may_lack:
            data[_key_of(name)] = codec.write(one)
    return data


def read_fields(fields: Fields, data: Any) -> dict[str, Any]:
    """The arguments of the object that `data` describes."""
    keys = {name: _key_of(name) for name in fields}
    given = require_type(dict, data).keys()
    there = {n: key for n, key in keys.items() if not fields[n].may_lack or key in given}
    return {name: fields[name].read(data[key]) for name, key in there.items()}


def require_type(kind: type, value: Any) -> Any:
    """A value of one type of JSON; numbers count something."""
    # Not `isinstance`: True is an int as well, and would pass for a number.
    if type(value) is not kind or (type(value) is int and value < 0):
        shown = repr(value)
        shown = shown if len(shown) <= SHOWN else f"{shown[: SHOWN - 1]}…"
        raise TypeError(f"{shown} is not a {_TYPES[kind]}")
    return value


def unless_empty(codec: Codec) -> Codec:
    """The codec of an attribute that is written only if it is not empty."""
    return codec._replace(may_lack=True)


def keep_value(value: Any) -> Any:
    return value


def optional_codec(codec: Codec) -> Codec:
    return Codec(
        lambda value: None if value is None else codec.write(value),
        lambda value: None if value is None else codec.read(value),
    )


def list_codec(codec: Codec) -> Codec:
    write, read, _ = codec
    return Codec(
        lambda all_: [*map(write, all_)], lambda all_: [*map(read, require_type(list, all_))]
    )


def object_codec(made: Callable[..., Any], fields: Fields) -> Codec:
    return Codec(partial(write_fields, fields), lambda data: made(**read_fields(fields, data)))


def mapping_codec(key: Codec, codec: Codec) -> Codec:
    def all_of(one: Callable[[Any], Any], other: Callable[[Any], Any], values: Any) -> Any:
        return {one(name): other(value) for name, value in values.items()}

    return Codec(
        lambda values: all_of(key.write, codec.write, values),
        lambda values: all_of(key.read, codec.read, require_type(dict, values)),
    )


ANY = Codec(keep_value, keep_value)
TEXT, NUMBER, FLAG = (Codec(keep_value, partial(require_type, kind)) for kind in (str, int, bool))
TEXTS = Codec(list, lambda data: tuple(list_codec(TEXT).read(data)))


def _read_address(value: Any) -> Address:
    address = Address.parse(require_type(str, value))
    if address.kind not in KINDS or not address.key:
        raise TypeError(f"{value[:SHOWN]!r} is not an address")
    return address


def _read_course(value: Any) -> Address | str:
    address = Address.parse(require_type(str, value))
    return address if address.kind in KINDS and address.key else str(value)


def _write_adoption(one: Adoption) -> dict[str, Any]:
    return {"ids": one.ids.own, "parts": dict(one.ids.parts), "form": FORM.write(one.packed)}


def _of_adoption(one: Any) -> Adoption:
    texts = mapping_codec(TEXT, TEXT).read
    return Adoption(Ids(texts(one["ids"]), texts(one["parts"])), FORM.read(one["form"]))


ADDRESS = Codec(str, _read_address)
MOMENT = Codec(datetime.isoformat, parse_moment)
FORM = Codec(
    # A fragment is JSON already and is put in as it is, not parsed to be written again.
    lambda packed: orjson.Fragment(canonical_spelling(packed)),
    lambda form: pack_form(require_type(dict, form)),
)

BODY = Codec(orjson.Fragment, lambda body: canonical_text(require_type(dict, body)))

PART = {
    "address": ADDRESS,
    "spelled_body": BODY,
    "packed_after": FORM,
    "marker": optional_codec(TEXT),
}
PART |= dict.fromkeys(("adds", "repeatable", "last", "creates"), FLAG)
_DRIFT = {
    "path": TEXT,
    "recorded": ANY,
    "live": ANY,
    "decision": Codec(keep_value, Resolution),
    "noticed_at": unless_empty(TEXT),
    "places": unless_empty(mapping_codec(TEXT, ANY)),
}
_AUDIENCE = {
    "enrolled": NUMBER,
    "in_progress": NUMBER,
    "finished": NUMBER,
    "last_activity": optional_codec(MOMENT),
}
_MEANING = {
    "audience": optional_codec(object_codec(Audience, _AUDIENCE)),
    "says": list_codec(TEXT),
    "undo": Codec(keep_value, Undo),
    "recipe": TEXT,
    "version_of": Codec(str, _read_course),
}


def _consequence_codec(fields: Fields) -> Codec:
    return Codec(
        lambda one: {**write_fields(fields, one), "version": one.version},
        lambda data: Consequence(**read_fields(fields, data), version=TEXT.read(data["version"])),
    )


_CARD = {
    "paths": list_codec(TEXT),
    "effect": Codec(keep_value, Effect),
    "consequence": _consequence_codec(_MEANING),
}
CONSEQUENCE = _consequence_codec(
    {
        **_MEANING,
        "cards": unless_empty(mapping_codec(Codec(str, CardReader), object_codec(Card, _CARD))),
        "replayed": unless_empty(mapping_codec(TEXT, NUMBER)),
    }
)
_FIELD_CHANGE = object_codec(FieldChange, {"path": TEXT, "before": ANY, "after": ANY})
CHANGE = {
    "address": ADDRESS,
    "action": Codec(keep_value, Action),
    "effect": Codec(keep_value, Effect),
    "title": TEXT,
    "reasons": list_codec(TEXT),
    "fields": list_codec(_FIELD_CHANGE),
    "blocked_fields": unless_empty(list_codec(_FIELD_CHANGE)),
    "blocked_because": unless_empty(TEXT),
    "evidence": unless_empty(mapping_codec(TEXT, Codec(keep_value, Certainty))),
    "drift": unless_empty(list_codec(object_codec(Drift, _DRIFT))),
    "manual": list_codec(object_codec(ManualStep, {"field": TEXT, "text": TEXT})),
    "basis": optional_codec(TEXT),
    "was": unless_empty(ADDRESS),
    "guard": unless_empty(TEXT),
    "losses": unless_empty(TEXTS),
    "consequence": unless_empty(CONSEQUENCE),
    "edited_parts": unless_empty(NUMBER),
    "still_open": unless_empty(FLAG),
    "part_of": unless_empty(ADDRESS),
    "part_titles": unless_empty(mapping_codec(TEXT, TEXT)),
    "listed_at": unless_empty(TEXT),
    "read_on": unless_empty(TEXT),
    "filled": unless_empty(mapping_codec(TEXT, TEXT)),
}
HEAD = dict.fromkeys(
    ("version", "environment", "base_url", "lineage", "serial", "catalog", "commit", "currency"),
    TEXT,
    # The names above give the order of the keys in the file, so some stand there as well.
) | {
    "serial": NUMBER,
    "currency": unless_empty(TEXT),
    "titles": unless_empty(mapping_codec(ADDRESS, TEXT)),
    "verified_share": unless_empty(TEXT),
}
_LIMITS = {
    "target": unless_empty(TEXTS),
    "exclude": unless_empty(TEXTS),
    "changed_since": unless_empty(TEXT),
    "left_out": NUMBER,
    "release": unless_empty(TEXT),
    "held": unless_empty(TEXTS),
}
DECISIONS = {
    "allowed": unless_empty(list_codec(ADDRESS)),
    "keep": unless_empty(list_codec(TEXT)),
    "leave": unless_empty(list_codec(TEXT)),
    "made_again": unless_empty(list_codec(ADDRESS)),
    "protections": unless_empty(mapping_codec(ADDRESS, FLAG)),
    "refresh": unless_empty(TEXT),
    "intentions": unless_empty(TEXT),
    "limits": unless_empty(object_codec(Limits, _LIMITS)),
}
_TRUTH = dict.fromkeys(("fields", "proven", "noticed", "unverifiable"), NUMBER) | {
    "oldest": optional_codec(TEXT)
}
_COUNTED = {"until": MOMENT, "since": optional_codec(MOMENT)}
_FINDING = {
    "address": ADDRESS,
    "fingerprint": TEXT,
    "found_at": TEXT,
    "missing": FLAG,
    "paths": TEXTS,
}
TRUTH = {
    "truth": unless_empty(object_codec(VerificationCoverage, _TRUTH)),
    "known_drift": unless_empty(list_codec(object_codec(DriftFinding, _FINDING))),
    "drift_titles": unless_empty(mapping_codec(ADDRESS, mapping_codec(TEXT, TEXT))),
    "counted": unless_empty(object_codec(Counted, _COUNTED)),
}
_VERDICT = {
    "guard": TEXT,
    "severity": Codec(keep_value, Severity),
    "addresses": list_codec(ADDRESS),
    "message": TEXT,
    "allow": TEXT,
    "permitted": FLAG,
}
_LOWERED = dict.fromkeys(("setting", "before", "after"), TEXT)
_APPROVED = {
    "address": ADDRESS,
    "approvers": list_codec(TEXT),
    "pull_request": NUMBER,
    "reviewed": TEXT,
    "lines": list_codec(TEXT),
}
GUARDS = {
    "guards": unless_empty(list_codec(object_codec(GuardVerdict, _VERDICT))),
    "approved": unless_empty(list_codec(object_codec(ApprovedChange, _APPROVED))),
    "lowered": unless_empty(list_codec(object_codec(LoweredSetting, _LOWERED))),
}
RECORDS = {
    "releases": mapping_codec(ADDRESS, FORM),
    "adoptions": mapping_codec(ADDRESS, Codec(_write_adoption, _of_adoption)),
}
