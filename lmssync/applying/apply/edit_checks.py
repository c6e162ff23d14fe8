"""Refuses a plan before its first call.

Its sources or the platform may have changed since, it may end too late, and somebody in it may be
nobody who can be named to the platform.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from ...errors import Forbidden, StalePlan
from ...kind import CallPart, Ids
from ...kinds import KINDS
from ...planning.diff import (
    Drift,
    Instance,
    drift_of,
    make_proof,
    paths_overlap,
    read_live,
    wanted_form,
    with_fields,
)
from ...planning.plan import Action, Plan, PlannedChange, plan_budget
from ...platform.live import LiveState, find_unmoved
from ...resource import Address, unpack_form
from ...state import Names, Proof, Record, spell_moves
from ...support.persons import code_in, codes_in, spell_person
from ...vocabulary.routes import LIST_TIMES
from .session import ApplySession


def refuse_late(session: ApplySession, plan: Plan, finish_by: datetime | None) -> None:
    """Raises `Forbidden` if even the shortest forecast ends too late; notes what is to be expected.

    How long a request takes is measured by those that this run has sent.
    """
    if finish_by is None or not plan.steps:
        return
    budget = plan_budget(plan)
    low, high = budget.seconds(session.writer.latency, session.writer.connections)
    high = max(high, session.writer.seconds_limited(budget.certain))
    left = (finish_by - datetime.now(UTC)).total_seconds()
    until = f"{finish_by.astimezone():%Y-%m-%d %H:%M}"
    there = f"there are {_spell_seconds(left)} until {until}"
    # The low forecast refuses and the high one only warns: a run that would have been in time is
    # never held back.
    if low > left:
        raise Forbidden(
            f"nothing was sent: the plan takes at least {_spell_seconds(low)}, and {there}",
            "begin earlier, give it more time, or limit the plan with --target",
        )
    can = "may end later" if high > left else "will be in time"
    session.note(
        f"the plan takes {_spell_seconds(low)} to {_spell_seconds(high)}, and {there}: it {can}"
    )


def note_other_runs(session: ApplySession, plan: Plan) -> None:
    """Says how long the plan takes beside the runs that use the limits of the instance now."""
    if plan.steps and (others := session.writer.throttle.count_others()):
        budget = plan_budget(plan)
        ends = [
            _spell_seconds(session.writer.seconds_limited(calls))
            for calls in (budget.certain, budget.by_route)
        ]
        many = f"{others} other runs use", "them"
        runs, them = ("another run uses", "it") if others == 1 else many
        takes = f"beside {them} the plan takes about {' to '.join(dict.fromkeys(ends))}"
        if session.writer.throttle.has_guesses():
            takes = f"how long the plan takes beside {them} is not known yet"
        session.note(f"{runs} the limits of the instance as well: {takes}")


def _spell_seconds(seconds: float) -> str:
    """`40 s`, `12 min`, `3.5 h`; nothing is left of what is over."""
    if seconds < 90:  # noqa: PLR2004 - where people start to count in minutes
        return f"{max(0.0, seconds):.0f} s"
    minutes = seconds / 60
    return f"{minutes:.0f} min" if minutes < 90 else f"{minutes / 60:.1f} h"  # noqa: PLR2004


_FIELDS = 5
"""The most fields that a message names."""


def ensure_not_edited(session: ApplySession, plan: Plan) -> None:
    """Raises `StalePlan` if what the plan changes or takes over is not as the plan has seen it, or
    what it asks a person to open to learners.

    What the times of lists show to be as it was then is not read again. What is read becomes a
    proof: after our own writes nobody could tell any more that somebody has changed another field
    of the same resource just before.
    """
    planned = {
        one.was or one.address: one
        for one in plan.changes
        if one.fields and (one.action in {Action.UPDATE, Action.MOVE} or one.filled)
    }
    records = [record for address in planned if (record := session.store.find_record(address))]
    records += [
        Record(address, one.ids, "", one.packed)
        for address, one in plan.adoptions.items()
        if session.store.find_record(address) is None
    ]
    instance = Instance(session.reader, session.binder, session.store, session.routes)
    known = {record.address: record for record in records}
    names = spell_moves({i.was: i.address for i in plan.with_action(Action.MOVE) if i.was})
    edited, proofs = list[str](), list[Proof]()
    unmoved = _find_unmoved(session, planned)
    begun = [
        _include_newly_managed(one, planned.get(one.address))
        for one in records
        if one.address not in unmoved
    ]
    for one, state in read_live(instance, begun):
        record = known[one.address]
        if text := _describe_edited(record, state, planned.get(record.address), names):
            edited.append(text)
        elif record.fingerprint:
            proofs.append(make_proof(record, state, session.routes))
    if edited:
        raise StalePlan(
            f"changed on the platform since the plan was made: {'; '.join(edited)}", "plan again"
        )
    session.rechecked = proofs


def _find_unmoved(
    session: ApplySession, planned: Mapping[Address, PlannedChange]
) -> frozenset[Address]:
    """What lists show to be as it was when the plan read it whole; by its recorded address."""
    if LIST_TIMES not in session.routes:
        return frozenset()
    # What a look has found to be changed on the platform is none of that, whatever its time says.
    drifted = {one.address for one in session.store.list_findings()}
    seen = {
        address: (one.listed_at, one.read_on)
        for address, one in planned.items()
        if one.listed_at and not one.filled and address not in drifted
    }
    return find_unmoved(
        session.reader, session.binder, seen, session.routes, session.store.find_records
    )


def _include_newly_managed(record: Record, planned: PlannedChange | None) -> Record:
    """The record with the fields that the plan begins to manage, to compare them as well."""
    if planned is None:
        return record
    paths = [field.path for field in planned.fields] + [drift.path for drift in planned.drift]
    return with_fields(record, (path for path in paths if not path.endswith(("]", ".order"))))


def _describe_edited(
    record: Record, state: LiveState, planned: PlannedChange | None, names: Names
) -> str:
    """The address with the fields that are not as the plan has seen them; empty for none."""
    if not state.present:
        return f"{record.address} is not there any more"
    if planned is None:
        return ""
    then = _touched_values(planned.drift, planned)
    now = _touched_values(drift_of(record, state, names), planned)
    paths = sorted(path for path in then.keys() | now.keys() if then.get(path) != now.get(path))
    paths += [path for path, mark in planned.filled.items() if state.marks.get(path, "") != mark]
    more = f" and {len(paths) - _FIELDS} more" if len(paths) > _FIELDS else ""
    return f"{planned.address}: {', '.join(paths[:_FIELDS])}{more}" if paths else ""


def _touched_values(drift: Iterable[Drift], planned: PlannedChange) -> Mapping[str, str]:
    """The live values of fields that the plan changes, or that it sends with those."""
    along = KINDS[planned.address.kind].calls.along
    return {
        one.path: _spell_drift(one)
        for one in drift
        if one.path in along
        or any(
            paths_overlap(one.path, field.path) or _sent_field(one.path) == _sent_field(field.path)
            for field in planned.fields
        )
    }


def _spell_drift(one: Drift) -> str:
    # A noticed change has no value that a route shows. Its time takes the place: another edit has
    # another time.
    value: Any = one.noticed_at or one.live
    return json.dumps(value, sort_keys=True)


def _sent_field(path: str) -> str:
    """The field that an update sends as a whole: `customFields` of `customFields.a`."""
    part, _, rest = path.rpartition("]")
    return f"{part}.{rest.strip('.').partition('.')[0]}"


def refuse_stale(session: ApplySession, saved: Plan) -> None:
    """Raises `StalePlan` if the state, or what the plan changes on the platform, has changed."""
    if saved.lineage != session.store.lineage:
        raise StalePlan(
            "the plan was made from another state",
            "plan again: a plan fits only the state that it was made from",
        )
    _state(session, saved)
    ensure_not_edited(session, saved)


def _state(session: ApplySession, saved: Plan) -> None:
    recorded = session.store.fingerprints()
    unknown = session.store.unresolved_addresses()
    moved = [
        str(planned.address)
        for planned in saved.changes
        if recorded.get(_known_as(planned)) != planned.basis
        or {planned.address, planned.was} & unknown
        or (planned.action is Action.MOVE and not _can_move(session, planned))
        or _is_made(session, saved, planned)
    ]
    moved += [str(a) for a, one in saved.adoptions.items() if _has_come(session, a, one.ids)]
    if moved:
        raise StalePlan(
            f"the state has changed since the plan was made: {', '.join(moved)}", "plan again"
        )


def _known_as(planned: PlannedChange) -> Address:
    """The address at which the state had it when the plan was made."""
    return planned.was or planned.address


def _can_move(session: ApplySession, planned: PlannedChange) -> bool:
    """False if it has already moved, or something else has taken its address."""
    here = session.store.find_record(planned.address)
    return here is None and session.store.find_record(_known_as(planned)) is not None


def _is_made(session: ApplySession, saved: Plan, planned: PlannedChange) -> bool:
    """True if the plan would create it but it already has ids, even as something forgotten."""
    again = planned.address in saved.made_again
    creates = planned.action is Action.CREATE and not again
    return creates and session.store.find_record(planned.address) is not None


def _has_come(session: ApplySession, address: Address, ids: Ids) -> bool:
    """True if what it takes over has been recorded under another address."""
    known = session.recorded_ids(address)
    mine = set(known.own.values()) if known else set()
    return not session.taken_ids(address.kind, mine).isdisjoint(ids.own.values())


_AGAIN = "plan again"


def names_people(plan: Plan) -> bool:
    """True if a call of the plan, or a record that it corrects, names somebody."""
    return bool(list(_call_parts(plan)) or any(KINDS[a.kind].concealed for a in plan.releases))


def introduce_people(session: ApplySession, plan: Plan) -> None:
    """Registers the people behind the codes of a plan, so that a later run can undo it.

    Raises `StalePlan` if somebody has left the list since, or cannot be named.
    """
    was = {planned.address: planned.was for planned in plan.changes}
    for part in _call_parts(plan):
        _require_concealed(part.address, part.packed_after)
        if part.last:
            _still_wanted(session, part, was.get(part.address) or part.address)
    for address, packed in plan.releases.items():
        _require_concealed(address, packed)
    needed = {code for part in _call_parts(plan) for code in codes_in(part.body)}
    strangers = sorted(code for code in needed if not session.people.knows_code(code))
    if strangers:
        raise StalePlan(
            "the plan names people who are in no list of the catalog and whom this machine "
            "does not know: "
            f"{', '.join(map(spell_person, strangers))}",
            _AGAIN,
        )
    session.people.register_people(needed)


def _call_parts(plan: Plan) -> Iterator[CallPart]:
    return (part for part in plan.parts if KINDS[part.address.kind].concealed)


def _require_concealed(address: Address, packed: bytes) -> None:
    """Refuses a plan that an older lmssync has saved."""
    concealed = KINDS[address.kind].concealed
    people = concealed.listed(unpack_form(packed), {}) if concealed else ()
    # The identifiers in it would be recorded without codes.
    if any(code_in(one.text) is None for one in people):
        raise StalePlan(f"the plan names people of {address}: an older lmssync saved it", _AGAIN)


def _still_wanted(session: ApplySession, part: CallPart, known_as: Address) -> None:
    """Refuses a call about somebody who has left the list."""
    desired, record = session.people.find_desired(part.address), session.store.find_record(known_as)
    form = desired.form if desired else {}
    if desired and record and desired.lifecycle.ignore:
        # A manifest that ignores the list keeps everybody who is recorded.
        form = wanted_form(desired, record.form)
    gone = sorted(set(codes_in(part.after)) - set(codes_in(form)))
    if gone:
        raise StalePlan(
            f"{part.address} no longer lists everybody whom the plan is about: "
            f"{', '.join(map(spell_person, gone))}",
            _AGAIN,
        )
