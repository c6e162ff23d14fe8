"""A plan's values as JSON, and back: which attributes of each are written, and how."""

from datetime import datetime
from typing import Any

import orjson

from ...kind import Effect, Ids, ManualStep, Undo
from ...kinds import KINDS
from ...learners.events import Audience
from ...platform.live import Certainty
from ...problems import Severity
from ...resource import Address, canonical_spelling, canonical_text, pack_form
from ...state import DriftFinding
from ...support.decisions import Limits
from ..diff import Drift, FieldChange, Resolution
from .codecs import (
    ANY,
    FLAG,
    NUMBER,
    SHOWN,
    TEXT,
    Codec,
    Fields,
    by,
    entry,
    keep_value,
    listed,
    maybe,
    read_fields,
    require_type,
    write_fields,
)
from .consequence import Card, CardReader, Consequence, Counted
from .plan import Action, Adoption
from .truth import Truth
from .verdict import ApprovedChange, GuardVerdict, LoweredSetting


def _read_address(value: Any) -> Address:
    """The address of a known kind."""
    address = Address.parse(require_type(str, value))
    if address.kind not in KINDS or not address.key:
        raise TypeError(f"{value[:SHOWN]!r} is not an address")
    return address


def _write_stamp(moment: datetime) -> str:
    return moment.isoformat()


def _write_adoption(one: Adoption) -> dict[str, Any]:
    return {"ids": one.ids.own, "parts": dict(one.ids.parts), "form": FORM.write(one.packed)}


def _of_adoption(one: Any) -> Adoption:
    texts = by(TEXT, TEXT).read
    return Adoption(Ids(texts(one["ids"]), texts(one["parts"])), FORM.read(one["form"]))


ADDRESS = Codec(str, _read_address)
MOMENT = Codec(_write_stamp, datetime.fromisoformat)
FORM = Codec(
    lambda packed: orjson.Fragment(canonical_spelling(packed)),
    lambda form: pack_form(require_type(dict, form)),
)

BODY = Codec(orjson.Fragment, lambda body: canonical_text(require_type(dict, body)))

PART = {"address": ADDRESS, "spelled_body": BODY, "packed_after": FORM, "marker": maybe(TEXT)}
PART |= dict.fromkeys(("adds", "repeatable", "last", "creates"), FLAG)
_DRIFT = {
    "path": TEXT,
    "recorded": ANY,
    "live": ANY,
    "decision": Codec(keep_value, Resolution),
    "noticed_at": TEXT,
    "places": by(TEXT, ANY),
}
_AUDIENCE = {
    "enrolled": NUMBER,
    "in_progress": NUMBER,
    "finished": NUMBER,
    "last_activity": maybe(MOMENT),
}
_MEANING = {
    "audience": maybe(entry(Audience, _AUDIENCE)),
    "says": listed(TEXT),
    "undo": Codec(keep_value, Undo),
    "recipe": TEXT,
    "version_of": TEXT,
}


def _consequence_codec(fields: Fields) -> Codec:
    return Codec(
        lambda one: {**write_fields(fields, one), "version": one.version},
        lambda data: Consequence(**read_fields(fields, data), version=TEXT.read(data["version"])),
    )


_CARD = {
    "paths": listed(TEXT),
    "effect": Codec(keep_value, Effect),
    "consequence": _consequence_codec(_MEANING),
}
CONSEQUENCE = _consequence_codec(
    {**_MEANING, "cards": by(Codec(str, CardReader), entry(Card, _CARD))}
)
_FIELD_CHANGE = entry(FieldChange, {"path": TEXT, "before": ANY, "after": ANY})
CHANGE = {
    "address": ADDRESS,
    "action": Codec(keep_value, Action),
    "effect": Codec(keep_value, Effect),
    "title": TEXT,
    "reasons": listed(TEXT),
    "fields": listed(_FIELD_CHANGE),
    "blocked_fields": listed(_FIELD_CHANGE),
    "blocked_because": TEXT,
    "evidence": by(TEXT, Codec(keep_value, Certainty)),
    "drift": listed(entry(Drift, _DRIFT)),
    "manual": listed(entry(ManualStep, {"field": TEXT, "text": TEXT})),
    "basis": maybe(TEXT),
    "was": ADDRESS,
    "guard": TEXT,
    "losses": Codec(list, lambda data: tuple(listed(TEXT).read(data))),
    "consequence": CONSEQUENCE,
    "edited_parts": NUMBER,
    "still_open": FLAG,
}
HEAD = dict.fromkeys(
    ("version", "environment", "base_url", "lineage", "serial", "catalog", "commit"), TEXT
) | {"serial": NUMBER}
_LIMITS = {
    "target": Codec(list, lambda data: tuple(listed(TEXT).read(data))),
    "exclude": Codec(list, lambda data: tuple(listed(TEXT).read(data))),
    "changed_since": TEXT,
    "left_out": NUMBER,
}
DECISIONS = {
    "allowed": listed(ADDRESS),
    "keep": listed(TEXT),
    "leave": listed(TEXT),
    "made_again": listed(ADDRESS),
    "protections": by(ADDRESS, FLAG),
    "refresh": TEXT,
    "intentions": TEXT,
    "limits": entry(Limits, _LIMITS),
}
_TRUTH = dict.fromkeys(("fields", "proven", "noticed", "unverifiable"), NUMBER) | {
    "oldest": maybe(TEXT)
}
_COUNTED = {"until": MOMENT, "since": maybe(MOMENT)}
_FINDING = {
    "address": ADDRESS,
    "fingerprint": TEXT,
    "found_at": TEXT,
    "missing": FLAG,
    "paths": Codec(list, lambda data: tuple(listed(TEXT).read(data))),
}
TRUTH = {
    "truth": entry(Truth, _TRUTH),
    "known_drift": listed(entry(DriftFinding, _FINDING)),
    "counted": entry(Counted, _COUNTED),
}
_VERDICT = {
    "guard": TEXT,
    "severity": Codec(keep_value, Severity),
    "addresses": listed(ADDRESS),
    "message": TEXT,
    "allow": TEXT,
    "permitted": FLAG,
}
_LOWERED = dict.fromkeys(("setting", "before", "after"), TEXT)
_APPROVED = {
    "address": ADDRESS,
    "approvers": listed(TEXT),
    "pull_request": NUMBER,
    "reviewed": TEXT,
    "lines": listed(TEXT),
}
GUARDS = {
    "guards": listed(entry(GuardVerdict, _VERDICT)),
    "approved": listed(entry(ApprovedChange, _APPROVED)),
    "lowered": listed(entry(LoweredSetting, _LOWERED)),
}
RECORDS = {
    "releases": by(ADDRESS, FORM),
    "adoptions": by(ADDRESS, Codec(_write_adoption, _of_adoption)),
}
