"""Where one resource stands: what is desired, what is recorded, and how far that is known."""

from collections.abc import Mapping, Sequence, Set
from typing import Any, NamedTuple

from ...platform.live import NOTICED, Certainty, is_declared, leaf_paths, readable_fields
from ...resource import Address, Form, Resource, unpack_form
from ...state import DriftFinding, Proof, Record, Store
from ...support.decisions import is_within
from .change import Change
from .compare import find_changes
from .field_paths import ABSENT, compare_forms, value_at


class StandingField(NamedTuple):
    """A field of a form; `None` stands for one that is not there."""

    path: str
    """Spelled as in `FieldChange.path`."""
    desired: Any
    recorded: Any
    evidence: Certainty | None
    """How far the live value is known to be the recorded one; nothing for what is not recorded."""
    left: bool = False
    """It left the manifest: the platform keeps it."""

    @property
    def differs(self) -> bool:
        return bool(self.desired != self.recorded) and not self.left


class Standing(NamedTuple):
    """One resource, without a look at the platform."""

    address: Address
    desired: Resource | None
    recorded: Record | None
    proof: Proof | None
    """The last look, if what it has compared is what is recorded now; none where fields were only
    counted."""
    fields: Sequence[StandingField]
    finding: DriftFinding | None = None
    """What a look for drift has found of it."""


def find_standing(
    address: Address, desired: Mapping[Address, Resource], store: Store, routes: Set[str]
) -> Standing:
    """Compares what is desired with what is recorded; `routes` are those of the instance."""
    differing = {one.address: one for one in find_changes(desired, store)}
    change, record = differing.get(address), store.find_record(address)
    resource = desired.get(address)
    if change is not None:
        record = change.recorded
    wanted = _wanted_form(change, resource)
    applied = change.applied if change else (record.form if record else {})
    proof = store.find_proofs().get(record.address) if record else None
    if record and proof and not (proof.proved_at and _is_current(proof, record, store)):
        proof = None
    fields = _standing_fields(wanted, applied, resource is None)
    evidence = _evidence_of(record, applied, proof, routes)
    known = [one._replace(evidence=evidence.get(one.path)) for one in fields]
    found = {one.address: one for one in store.list_findings()} if record else {}
    finding = found.get(record.address) if record else None
    return Standing(address, resource, record, proof, known, finding)


def _is_current(proof: Proof, record: Record, store: Store) -> bool:
    return proof.fingerprint == store.fingerprints().get(record.address)


def _wanted_form(change: Change | None, resource: Resource | None) -> Form:
    if change is not None:
        return change.wanted
    return unpack_form(resource.packed_form) if resource else {}


def _standing_fields(wanted: Form, applied: Form, gone: bool) -> list[StandingField]:  # noqa: FBT001 - private
    """In the order of the manifest, then what is only recorded."""
    orders = [one.path for one in compare_forms(applied, wanted) if one.path.endswith(".order")]
    paths = dict.fromkeys([*leaf_paths(wanted), *leaf_paths(applied), *orders])
    return [
        StandingField(
            path,
            _value_at(wanted, path),
            _value_at(applied, path),
            None,
            gone or ("[" not in path and path.partition(".")[0] not in wanted),
        )
        for path in paths
    ]


def _value_at(form: Form, path: str) -> Any:
    value = value_at(form, path)
    return None if value is ABSENT else value


def _evidence_of(
    record: Record | None, applied: Form, proof: Proof | None, routes: Set[str]
) -> Mapping[str, Certainty]:
    """By path, as far as the last look is remembered: its routes, and the parts that it noticed."""
    if record is None:
        return {}
    shown = readable_fields(record.address.kind, routes)
    read = readable_fields(record.address.kind, routes & set(proof.readings)) if proof else set()
    marks = proof.marks if proof else {}
    noticed = [part for part, mark in marks.items() if mark == NOTICED]
    return {path: _certainty_of(path, shown, read, noticed) for path in leaf_paths(applied)}


def _certainty_of(path: str, shown: Set[str], read: Set[str], noticed: Sequence[str]) -> Certainty:
    if is_declared(read, path):
        return Certainty.PROVEN
    if any(is_within(path, part) for part in noticed):
        return Certainty.NOTICED
    return Certainty.UNREAD if is_declared(shown, path) else Certainty.UNVERIFIABLE
