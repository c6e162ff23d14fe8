"""Settles calls that an earlier run left open: by evidence, or by what a person says.

A missing object counts only if an exact read shows that it is missing, and the call can no longer
take effect: the platform may still work on a request whose sender is gone (design: never twice).
"""

import time
from collections.abc import Mapping, Sequence, Set
from typing import Any, NamedTuple

from ...errors import WrongUse
from ...kind import CallPart, Ids, declare_nothing
from ...kinds import KINDS
from ...planning.diff import FieldChange, compare_forms
from ...planning.plan import list_part_titles
from ...platform.client import WORK
from ...platform.live import ResourceFinder, may_be_shown
from ...resource import Address, canonical_spelling, fingerprint_of
from ...state import CallStatus, JournaledCall, Record, Store
from . import platform_work
from .confirm import PATIENCE, confirm_call
from .evidence import keep_marks, look_for_part, make_evidence_record, settle_updates
from .identify import identify_object, shows_ids
from .result import Recovered
from .session import ApplySession

Fingerprints = Mapping[Address, str]


def recover_calls(session: ApplySession, desired: Fingerprints) -> list[JournaledCall]:
    """Goes through the open calls; returns those that only a person can settle.

    `desired` are the fingerprints that the catalog asks for now.
    """
    unsettled: list[JournaledCall] = []
    opened, left = session.store.open_calls(), set[str]()
    for call in opened:
        if call.status is CallStatus.ACKNOWLEDGED:
            session.note(f"reading back what {call.route} made before the stop")
            keep_marks(session, call)
            done = confirm_call(session, call, patience=platform_work.LAG)
            for address, why in done.failed.items():
                session.note(f"{address}: {why}")
                left.add(call.op)
        elif call.status in {CallStatus.INTENT, CallStatus.UNKNOWN}:
            unsettled.append(call)
    for route in dict.fromkeys(one.route for one in unsettled if _may_be_settled(session, one)):
        session.note(f"looking for what {route} may have made")
    left |= _settle_calls(session, unsettled, desired)
    waiting = [op for op in session.store.open_calls() if op.parts]
    session.report.recovered = _count_outcomes(opened, left, waiting)
    return waiting


def _may_be_settled(session: ApplySession, call: JournaledCall) -> bool:
    """Whether this run may find out by itself what a call has done of some part."""
    return any(
        may_be_shown(part, session.routes, recorded=session.is_recorded(part.address))
        for part in call.parts
    )


def _count_outcomes(
    opened: Sequence[JournaledCall], left: Set[str], waiting: Sequence[JournaledCall]
) -> Recovered:
    """Counts the calls that were open; `left` are those of which the plan may do something."""
    calls = {call.op for call in opened if call.parts}
    undecided = calls & {call.op for call in waiting}
    left = (calls & left) - undecided
    return Recovered(len(calls - left - undecided), len(left), len(undecided))


class _Unsettled(NamedTuple):
    """A call without an outcome."""

    call: JournaledCall
    at_work: bool
    """A job may still be doing its work."""
    waiting: list[CallPart]
    """Parts that no look has shown yet."""


def _settle_calls(
    session: ApplySession, given: Sequence[JournaledCall], desired: Fingerprints
) -> set[str]:
    """Looks until everything is found or doubtful, or the calls can no longer take effect.

    One look is for all of them, so that many take no longer than one. Returns the calls that lost
    parts which they are not known to have done.
    """
    for call in given:
        keep_marks(session, call)
    calls = [_without_repeated(session, call, desired) for call in given]
    unsettled = [
        _Unsettled(
            call, _job_may_run(session, call), [m for m in call.parts if m.adds or m.repeatable]
        )
        for call in calls
    ]
    # A request whose sender is gone may still be carried out. Before that time has passed, "it is
    # not there" only means "not yet".
    landed = (platform_work.seconds_left(session, one.call) for one in unsettled if not one.at_work)
    patience = max([platform_work.LAG, *landed])
    for left in session.reader.take_looks(patience, pause=0.3, longest=5.0) if calls else ():
        looker = session.looker()
        looker.prefetch_answers(
            session.wanted_query(m) for one in unsettled for m in one.waiting if not m.repeatable
        )
        for call, _, waiting in unsettled:
            waiting[:] = [m for m in waiting if not _is_settled(session, looker, call, m)]
        if not any(one.waiting for one in unsettled):
            break
        if left == patience > platform_work.LAG:  # once, after the first look
            platform_work.announce_wait(session, left)
    for call, at_work, waiting in unsettled:
        _close_call(session, call, [] if at_work else waiting)
    never = [(one.call.op, part) for one in unsettled if not one.at_work for part in one.waiting]
    again = [
        (call.op, part)
        for call, less in zip(given, calls, strict=True)
        for part in call.parts
        if part not in less.parts
    ]
    return {op for op, part in (*never, *again) if not _find_done(session, part)}


def _job_may_run(session: ApplySession, call: JournaledCall) -> bool:
    """True while a job may still be running whose id was in the lost answer."""
    once = [part for part in call.parts if not part.repeatable]
    works = any(KINDS[part.address.kind].calls.works_in_jobs(part.route) for part in once)
    # Until it ends, a missing result proves nothing.
    return works and platform_work.seconds_since_sent(session, call) < WORK


def _is_settled(
    session: ApplySession, looker: ResourceFinder, call: JournaledCall, part: CallPart
) -> bool:
    """True if waiting cannot help: it is found, or doubtful."""
    if part.repeatable:
        return False
    shown = look_for_part(session, looker, part)
    if shown.paths:
        record = make_evidence_record(session, call, part, shown)
        if shown.whole:
            session.store.settle_call(call.op, [record], status=call.status)
        else:  # the rest of it may still come
            session.store.put_records([record], reason=f"{call.op} has done a part of it")
    return shown.whole or bool(shown.doubt)


def _without_repeated(
    session: ApplySession, call: JournaledCall, desired: Fingerprints
) -> JournaledCall:
    """The call without the parts that the next plan repeats with the same content."""
    # Of these, running late does no harm. With other content, the late call would undo the new one.
    again = [
        part
        for part in call.parts
        if part.repeatable
        and desired.get(part.address) == fingerprint_of(canonical_spelling(part.packed_after))
    ]
    _drop_parts(session, call, again)
    return call._replace(parts=tuple(part for part in call.parts if part not in again))


def _why_never(part: CallPart) -> str:
    if part.repeatable:
        return "no read shows that the whole change was made, so the next plan sends the rest"
    return "an exact read does not show it, and the call can no longer take effect"


def _close_call(session: ApplySession, call: JournaledCall, never: Sequence[CallPart]) -> None:
    _drop_parts(session, call, never)
    left = [op for op in session.store.open_calls() if op.op == call.op]
    if left and not left[0].parts:
        session.store.settle_call(call.op)


def _drop_parts(session: ApplySession, call: JournaledCall, parts: Sequence[CallPart]) -> None:
    """Takes parts out of a call, once it is recorded what it may have done of them."""
    if not parts:
        return
    settle_updates(session, call, parts)
    if done := [record for part in parts if (record := _find_done(session, part))]:
        session.store.settle_call(call.op, done, status=call.status)
    known = {record.address for record in done}
    if left := {part.address: _why_never(part) for part in parts if part.address not in known}:
        session.store.drop_parts(call.op, left)


def _find_done(session: ApplySession, part: CallPart) -> Record | None:
    """The record of a part that reads have shown to be as it was sent."""
    record, sent = session.store.find_record(part.address), part.packed_after
    is_done = record and sent and record.fingerprint == fingerprint_of(canonical_spelling(sent))
    return record if is_done else None


def adopt_outcome(
    session: ApplySession, address: Address, platform_id: str, *, unverified: bool = False
) -> str:
    """Takes over what a person has found, once a read or a list has shown that it is the right
    object; returns what people should know about the id. Where no route shows it, a person who says
    `unverified` is believed."""
    call, part = _find_open(session, address)
    wanted, id_ = session.wanted_query(part), platform_id.lower()
    patience = min(PATIENCE, platform_work.seconds_left(session, call))
    found = identify_object(
        session, wanted, id_, unverified=unverified, sent=True, patience=patience
    )
    _settle_part(session, call, part, found.ids, {"adopted": platform_id, "checked": found.checked})
    return found.remark


def believe_not_created(session: ApplySession, address: Address) -> None:
    """Trusts a person who says the platform does not have it; the next plan creates it.

    Waits until the call can no longer take effect. Raises `WrongUse` if a read shows it after all.
    """
    call, part = _find_open(session, address)
    left = platform_work.seconds_left(session, call)
    if left > 0:
        platform_work.announce_wait(session, left)
        time.sleep(left)
    if part.adds and look_for_part(session, session.looker(), part).paths:
        raise WrongUse(
            f"the platform has {address} after all: a read shows it",
            "run `lmssync apply` to take it over",
        )
    settle_updates(session, call, [part])
    session.store.drop_parts(call.op, {address: "a person says: not created"})
    if len(call.parts) == 1:
        session.store.settle_call(call.op, because={"notCreated": str(part.address)})


def believe_done(session: ApplySession, address: Address) -> None:
    """Trusts a person who says that a call which creates nothing with an id has worked.

    Raises `WrongUse` if it created something with an id: then the id must be given.
    """
    call, part = _find_open(session, address)
    if makes_id(part):
        raise WrongUse(
            f"a call for {address} waits for a decision, and the resource that it creates has "
            f"an id",
            "give the id with `--adopt ID`, or use `--not-created` if it is not there",
        )
    _settle_part(
        session, call, part, session.recorded_ids(address) or Ids({}), {"done": str(address)}
    )


def makes_id(part: CallPart) -> bool:
    """True if a part makes something with an id, which whoever has found it must give."""
    kind = KINDS[part.address.kind]
    read = kind.reads.request(part.address, part.after)
    return part.adds and (kind.calls.created is not declare_nothing or read is not None)


def _settle_part(
    session: ApplySession, call: JournaledCall, part: CallPart, ids: Ids, because: Mapping[str, Any]
) -> None:
    record = session.make_record(call, part, ids)
    status = call.status if call.parts != (part,) else CallStatus.SETTLED
    session.store.settle_call(call.op, [record], status=status, because=because)


def _find_open(session: ApplySession, address: Address) -> tuple[JournaledCall, CallPart]:
    waiting = [(call, part) for call in session.store.open_calls() for part in call.parts]
    for call, part in waiting:
        if part.address == address:
            return call, part
    others = ", ".join(str(part.address) for _, part in waiting)
    take_over = f"`lmssync adopt {address}=ID` takes over what is on the platform"
    raise WrongUse(
        f"no call for {address} waits for a decision",
        f"these do: {others}" if others else take_over,
    )


class Undecided(NamedTuple):
    """One resource in a call with an unknown outcome."""

    address: Address
    title: str
    call: JournaledCall
    mark: str
    """The mark of the resource if it was made, as `field=value`; empty if it has none."""
    place: str
    """The list of the admin interface in which to look."""
    id: str
    """The id of the resource, if it was there before the call."""
    makes_id: bool
    """True if the call makes something with an id: whoever has found it gives that."""
    checkable: bool
    """A route of the instance shows what has that id."""
    findable: bool
    """The next apply may settle it: reads may show whether it was done."""
    changes: Sequence[FieldChange]
    """What differs on the platform if the call was done; nothing for what the call creates."""
    part_titles: Mapping[str, str]
    """The titles of the parts that the changes are in, by the paths of the parts."""


def list_undecided(store: Store, routes: Set[str]) -> list[Undecided]:
    """Everything that waits for a decision, oldest call first; the instance has these `routes`."""
    return [
        _describe_undecided(store, call, part, routes)
        for call in store.open_calls()
        for part in call.parts
    ]


def _describe_undecided(
    store: Store, call: JournaledCall, part: CallPart, routes: Set[str]
) -> Undecided:
    kind, record = KINDS[part.address.kind], store.find_record(part.address)
    shown = may_be_shown(part, routes, recorded=record is not None)
    return Undecided(
        part.address,
        kind.authoring.title(part.after),
        call,
        part.marker or "",
        kind.reads.place(part.after) or f"the list of {kind.nouns}",
        record.known_ids.own.get(kind.reads.id_name, "") if record else "",
        makes_id(part),
        shows_ids(part, routes),
        shown or call.status is CallStatus.ACKNOWLEDGED,
        list(compare_forms(record.form, part.after)) if record else [],
        {
            **dict(list_part_titles(record.form if record else {})),
            **dict(list_part_titles(part.after)),
        },
    )
