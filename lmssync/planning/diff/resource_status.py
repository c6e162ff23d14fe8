"""The status of one resource: what is desired, what is recorded, and how far that is known.

Desired and recorded forms are compared by fingerprint first, then with what is live where it
matters.
"""

from collections.abc import Callable, Container, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple

from ...kinds import KINDS
from ...platform.live import NOTICED, Certainty, is_declared, leaf_paths, readable_fields
from ...resource import (
    Address,
    Form,
    Resource,
    compute_fingerprints,
    is_within,
    pack_form,
    unpack_form,
)
from ...state import DriftFinding, Names, Proof, Record, Store, rename_in_form, spell_moves
from .change import Change, Difference
from .field_paths import compare_forms, value_or_none, wanted_form
from .moved_parts import (
    Paths,
    describe_undecided_moves,
    find_named_parts,
    follow_names,
    move_hints,
    moved_parts,
    point_to_parts,
)
from .moved_resources import Moves, find_moves, with_twins
from .retitled_parts import describe_undecided_titles, find_retitled, title_hints

Desired = Mapping[Address, Resource]


@dataclass(frozen=True)
class _Recorded:
    """The records of the state, and what the catalog calls their resources and parts now."""

    find: Callable[[Address], Record | None]
    """The record of an address: that of one resource is asked for twice in a row."""
    forgotten: Container[Address]
    moves: Moves
    names: Names
    """New addresses by the old ones, in the spelling of recorded forms."""
    paths: dict[Address, Paths] = field(default_factory=dict)
    """The present names of parts, of the resources that were asked about so far."""

    def find_record(self, address: Address) -> Record | None:
        return self.find(self.moves.was.get(address, address))

    def form_before(self, record: Record) -> bytes:
        """The recorded form with today's addresses: the same bytes if none has changed."""
        return rename_in_form(record.packed, self.names) if self.names else record.packed

    def newly_named_parts(self, resource: Resource) -> Paths:
        """The parts of a resource that have other ids than those that were recorded."""
        address = resource.address
        if address not in self.paths:
            record = self.find_record(address)
            differs = record is not None and record.fingerprint != resource.fingerprint
            before = unpack_form(self.form_before(record)) if record and differs else {}
            moved = resource.lifecycle.moved_parts
            self.paths[address] = find_named_parts(before, resource.form, moved) if before else {}
        return self.paths[address]

    def with_current_names(self, record: Record, resource: Resource, desired: Desired) -> Record:
        """The record with the current names of parts, its own and others'; else the same record."""
        others = {r.address for r in resource.references if r.part and r.address in desired}
        paths = {address: self.newly_named_parts(desired[address]) for address in others}
        if any(paths.values()):
            record = point_to_parts(record, paths)
        own = self.newly_named_parts(resource)
        return follow_names(record, own) if own else record


def find_changes(desired: Desired, store: Store) -> list[Change]:
    """Everything that differs; unchanged resources are left out without being opened."""
    known = store.fingerprints()
    forgotten = store.forgotten_addresses()
    moved = find_moves(desired, store, known, forgotten)
    names = spell_moves({old: address for address, old in moved.was.items()})
    recorded = _Recorded(lru_cache(maxsize=1)(store.find_record), forgotten, moved, names)
    differing = [
        _find_change(desired[address], recorded, desired)
        if address in known or address in forgotten or address in moved.was
        else _new_change(desired[address], moved)
        for address, fingerprint in compute_fingerprints(desired).items()
        if known.get(address) != fingerprint or address in moved.conflicts
    ]
    gone = sorted(known.keys() - desired - moved.held)
    leaving = [_gone_change(address, recorded) for address in gone]
    return with_twins([*(change for change in differing if change), *leaving])


def _new_change(resource: Resource, moved: Moves) -> Change:
    conflict = moved.conflicts.get(resource.address, "")
    return Change(resource.address, Difference.NEW, desired=resource, move_conflict=conflict)


def _gone_change(address: Address, recorded: _Recorded) -> Change:
    record = recorded.find(address)
    packed = recorded.form_before(record) if record and recorded.names else None
    return Change(address, Difference.GONE, recorded=record, renamed=packed)


def _find_change(resource: Resource, recorded: _Recorded, desired: Desired) -> Change | None:
    """The fields that differ; none if only addresses and ignored fields do."""
    address, moved = resource.address, recorded.moves
    record = recorded.find_record(address)
    if record is None:  # its move waits for a decision about a call that recorded nothing
        return _new_change(resource, moved)
    # The same bytes come back where nothing was renamed, so that `is` tells it without unpacking.
    packed = recorded.form_before(record)
    known = record if packed is record.packed else record._replace(packed=packed)
    today = recorded.with_current_names(known, resource, desired)
    before = today.form
    after = wanted_form(resource, before) if resource.lifecycle.ignore else resource.form
    fields = list(compare_forms(before, after))
    was = moved.was.get(address)
    returned = record.address in recorded.forgotten
    conflict = moved.conflicts.get(address, "")
    restructured = any(field.path.endswith("]") for field in fields)
    undecided, hints = _find_replaced(address, before, after) if restructured else ("", [])
    spared = resource.lifecycle.ignore or packed is not record.packed
    if spared and today is known and before == after and not (was or returned or conflict):
        return None
    return Change(
        address,
        Difference.CHANGED if fields else Difference.SAME,
        desired=resource,
        recorded=record if today is known else today,
        original=None if today is known else record,
        renamed=packed if today is known and packed is not record.packed else None,
        named=recorded.newly_named_parts(resource),
        kept=pack_form(after) if resource.lifecycle.ignore else None,
        fields=fields,
        released=sorted(
            drop_missed_people(address, before).keys() - after.keys()
        ),  # the platform keeps them
        returned=returned,
        was=was,
        move_conflict=conflict,
        undecided=undecided,
        hints=hints,
    )


def _find_replaced(address: Address, before: Form, after: Form) -> tuple[str, list[str]]:
    """What the author must decide about parts that would be made anew although they were there,
    under another title or another parent; and hints for a reviewer."""
    parts = list(find_retitled(before, after))
    moved = moved_parts(before, after, {part.path for part in parts if part.sure})
    gone = {part.was for part in moved}
    stays = [part for part in parts if part.sure or part.path not in gone]
    at_risk = KINDS[address.kind].impact.open_to_learners(before)
    questions = [describe_undecided_titles(address, stays)]
    questions += [describe_undecided_moves(address, moved)] if at_risk else []
    return " ".join(filter(None, questions)), [*title_hints(stays), *move_hints(moved)]


class FieldStatus(NamedTuple):
    """A field of a form; `None` stands for one that is not there."""

    path: str
    """Spelled as in `FieldChange.path`."""
    desired: Any
    recorded: Any
    evidence: Certainty | None
    """How far the live value is known to be the recorded one; nothing for what is not recorded."""
    left: bool = False
    """The field left the manifest: the platform keeps its value."""

    @property
    def differs(self) -> bool:
        return bool(self.desired != self.recorded) and not self.left


class ResourceStatus(NamedTuple):
    """One resource, without a look at the platform."""

    address: Address
    desired: Resource | None
    recorded: Record | None
    proof: Proof | None
    """The last look, if what it has compared is what is recorded now; none where fields were only
    counted."""
    fields: Sequence[FieldStatus]
    finding: DriftFinding | None = None
    """The finding of a look for drift at the resource."""
    title: str = ""


def find_resource_status(
    address: Address, desired: Mapping[Address, Resource], store: Store, routes: Set[str]
) -> ResourceStatus:
    """Compares what is desired with what is recorded; `routes` are those of the instance."""
    differing = {one.address: one for one in find_changes(desired, store)}
    change, record = differing.get(address), store.find_record(address)
    resource = desired.get(address)
    if change is not None:
        record, wanted, applied = change.recorded, change.wanted, change.applied
    else:
        wanted = unpack_form(resource.packed_form) if resource else {}
        applied = record.form if record else {}
    proof = store.find_proofs([record.address]).get(record.address) if record else None
    known = store.fingerprints().get(record.address) if record else None
    # A proof of another form, or one that only counts fields, says nothing of what is recorded.
    if proof and not (proof.proved_at and proof.fingerprint == known):
        proof = None
    fields = _field_statuses(wanted, drop_missed_people(address, applied), resource is None)
    evidence = _evidence_of(record, applied, proof, routes)
    fields = [one._replace(evidence=evidence.get(one.path)) for one in fields]
    found = (one for one in store.list_findings() if record and one.address == record.address)
    title = _name_form(address, wanted or applied, desired, store)
    return ResourceStatus(address, resource, record, proof, fields, next(found, None), title)


def drop_missed_people(address: Address, form: Form) -> Form:
    """A recorded form without the list of people whom the platform did not know: no manifest has
    it."""
    roster = KINDS[address.kind].reads.roster
    return {name: it for name, it in form.items() if name != roster.missed} if roster else form


def _name_form(
    address: Address, form: Form, desired: Mapping[Address, Resource], store: Store
) -> str:
    """The title of a resource, in which parts of the one that it belongs to have their titles."""
    kind = KINDS[address.kind]
    whole = kind.calls.removal(form).whole if form and kind.authoring.title_in else None
    around = (desired.get(whole) or store.find_record(whole)) if whole else None
    return kind.authoring.title_beside(form, around.form if around else {})


def _field_statuses(wanted: Form, applied: Form, gone: bool) -> list[FieldStatus]:  # noqa: FBT001 - private
    """In the order of the manifest, then what is only recorded."""
    orders = [one.path for one in compare_forms(applied, wanted) if one.path.endswith(".order")]
    paths = dict.fromkeys([*leaf_paths(wanted), *leaf_paths(applied), *orders])
    return [
        FieldStatus(
            path,
            value_or_none(wanted, path),
            value_or_none(applied, path),
            None,
            gone or ("[" not in path and path.partition(".")[0] not in wanted),
        )
        for path in paths
    ]


def _evidence_of(
    record: Record | None, applied: Form, proof: Proof | None, routes: Set[str]
) -> Mapping[str, Certainty]:
    """For each path, how far its live value is known, as far as the last look is remembered: by its
    routes, and by the parts that it noticed."""
    if record is None:
        return {}
    shown = readable_fields(record.address.kind, routes)
    read = readable_fields(record.address.kind, routes & set(proof.readings)) if proof else set()
    marks = proof.marks if proof else {}
    noticed = [part for part, mark in marks.items() if mark == NOTICED]
    return {path: _certainty_of(path, shown, read, noticed) for path in leaf_paths(applied)}


def _certainty_of(path: str, shown: Set[str], read: Set[str], noticed: Sequence[str]) -> Certainty:
    # A field that was read is known, even if its part has given a sign of some change.
    if is_declared(read, path):
        return Certainty.PROVEN
    if any(is_within(path, part) for part in noticed):
        return Certainty.NOTICED
    return Certainty.UNREAD if is_declared(shown, path) else Certainty.UNVERIFIABLE
