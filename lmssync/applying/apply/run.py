"""Performs the steps of a plan, and continues after a failure where it can.

It also records what needs no call, reads again what was sent, and reports an apply whose state
fails at its end.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence, Set
from contextlib import AbstractContextManager, contextmanager, suppress
from typing import NamedTuple

from ...catalog.manifests.release_documents import Release
from ...errors import PlatformError, StateError
from ...kind import Undo
from ...kinds import KINDS, LOOKUPS
from ...planning.diff import (
    Drift,
    FieldChange,
    Instance,
    find_drift,
    make_proof,
    put_value,
    read_live,
)
from ...planning.plan import Action, Plan, PlannedChange, find_unreached_fields
from ...platform.live import LiveState, readable_fields
from ...resource import Address, pack_form
from ...state import (
    RELEASES,
    WHILE_RUNNING,
    Record,
    ReleaseRecord,
    Store,
    find_release_record,
    now_utc,
    spell_releases,
)
from . import manual_work, platform_work
from .confirm import PATIENCE, check_order
from .proof_recording import flush_proofs
from .result import DONE, NO_TURN, ApplyOutcome, Report
from .session import ApplySession, StopRequest
from .steps import perform_all

_OTHER = "the platform accepted the call, but shows another value of {fields}"
_GONE = "the platform accepted the call, but no longer shows the resource"


class _Changed(NamedTuple):
    """A resource that was changed by such a call."""

    planned: PlannedChange
    fields: Collection[str]
    """The fields that the call has sent."""


class _Unlike(NamedTuple):
    """A resource that a read shows otherwise than it is recorded."""

    record: Record
    drift: Sequence[Drift]
    """The fields; none if the resource is not there."""


def compare_changes(session: ApplySession, plan: Plan) -> None:
    """Reads what such calls have changed until all is as recorded, for a bounded time (O31)."""
    changed = {one.planned.address: one for one in _changed_fields(session, plan)}
    unlike: list[_Unlike] = []
    for _ in session.reader.take_looks(PATIENCE) if changed else ():
        seen = _read_changed(session, changed)
        unlike = []
        for record, state in seen:
            drift = list(_find_unlike(changed[record.address], record, state))
            if drift or not state.present:
                unlike.append(_Unlike(record, drift))
            else:
                session.proofs.append(make_proof(record, state, session.routes))
                del changed[record.address]
        if not unlike:
            break
    for one in unlike:
        _report_unlike(session, one)


def _changed_fields(session: ApplySession, plan: Plan) -> Iterator[_Changed]:
    called = {(part.address, part.route) for part in plan.parts}
    for planned in plan.changes:
        address, calls = planned.address, KINDS[planned.address.kind].calls
        shown = {*calls.along, *(field.path for field in planned.fields)}
        fields = [n for n, route in calls.further.items() if (address, route) in called]
        sent = shown.intersection(fields)
        if sent and session.report.done.get(address) in {
            ApplyOutcome.UPDATED,
            ApplyOutcome.ADOPTED,
            ApplyOutcome.MOVED,
        }:
            yield _Changed(planned, sent)


def _read_changed(
    session: ApplySession, changed: Mapping[Address, _Changed]
) -> list[tuple[Record, LiveState]]:
    """The live state of these fields, where it can be read."""
    records = [record for address in changed if (record := session.store.find_record(address))]
    fields = {address: one.fields for address, one in changed.items()}
    instance = Instance(session.reader, session.binder, session.store, session.routes)
    return list(read_live(instance, records, fields))


def _find_unlike(one: _Changed, record: Record, state: LiveState) -> Iterator[Drift]:
    """The fields that are not as they were sent, but for what stays as people have it."""
    left = {drift.path for drift in one.planned.drift if drift.decision.stays}
    for drift in find_drift(record.form, state) if state.present else ():
        if drift.path in one.fields and drift.path not in left:
            yield drift


def _report_unlike(session: ApplySession, unlike: _Unlike) -> None:
    """Reports it as a step for a person."""
    record, form = unlike.record, unlike.record.form
    paths = [drift.path for drift in unlike.drift]
    fields = " and ".join(f"`{path}`" for path in paths)
    session.report.leave_for_person(
        record.address, _OTHER.format(fields=fields) if fields else _GONE
    )
    for drift in unlike.drift:
        # What was sent is recorded as the platform shows it, so that it stays planned.
        form = put_value(form, drift.path, drift.live)
    session.store.put_records(
        [record.with_form(pack_form(form))], reason="as the platform shows it"
    )


@contextmanager
def note_state_failure(report: Report) -> Iterator[None]:
    """A state that cannot be written any more is what has stopped the run."""
    try:
        yield
    except StateError as error:
        report.stop_with(error)


@contextmanager
def report_state_failure(session: AbstractContextManager[ApplySession]) -> Iterator[ApplySession]:
    """A session that may fail at its very end: if the state cannot be given back, its report says
    so, and shows what was done all the same."""
    ended = False
    try:
        with session as opened:
            yield opened
            ended = True
    except StateError as error:
        if not ended:
            raise
        opened.report.stop_with(error)


@contextmanager
def record_release(opened: ApplySession, made: Plan, release: Release | None) -> Iterator[None]:
    """Records that the release of a plan begins and, after the block, what is open of it."""
    if release is None:
        yield
        return
    at = release.spec.at or ""
    known = find_release_record(opened.store.releases, release.name, at)
    if known and known.ended:  # nothing of it is left to be done: the guard has seen to that
        opened.report.release = known
        yield
        return
    first = ReleaseRecord(release.name, at, opened.store.serial, now_utc())
    begun = _add_plan(known or first, made)._replace(at=at)
    # Before the first call: after a crash, the next run and `status` know what was under way.
    _keep_release(opened.store, begun)
    yield
    with note_state_failure(opened.report):
        left = list(_list_left(opened.report))
        ended = begun._replace(left=left)
        if opened.report.complete and not left:
            ended = ended._replace(ended=now_utc(), after=opened.store.serial)
        _keep_release(opened.store, ended)
        opened.report.release = ended


def _keep_release(store: Store, record: ReleaseRecord) -> None:
    every = store.releases | {record.name: record}
    store.write_note(RELEASES, spell_releases(every.values()))


def _add_plan(record: ReleaseRecord, made: Plan) -> ReleaseRecord:
    """The record with what a plan is about to do."""
    acting = (one.address for one in made.changes if one.action is not Action.UNCHANGED)
    changes = [*map(str, (*acting, *made.releases))]
    # What an earlier run has done counts: this one may only know the rest of it.
    undo = {**dict(_list_what_people_undo(made)), **dict(record.undo)}
    return record._replace(
        addresses=[*dict.fromkeys((*record.addresses, *changes))],
        # All of it is open until the run has ended.
        left=[(address, WHILE_RUNNING) for address in changes],
        undo=[*undo.items()],
        commit=made.commit or record.commit,
    )


def _list_what_people_undo(made: Plan) -> Iterator[tuple[str, str]]:
    """What no later plan takes back, by address, with the way; empty for what nobody can undo."""
    for one in made.changes:
        if one.consequence and one.consequence.undo is not Undo.REVERSIBLE:
            yield str(one.address), one.consequence.recipe


def _list_left(report: Report) -> Iterator[tuple[str, str]]:
    # Steps for people are in the state, which knows when somebody has confirmed them.
    for address, outcome in report.done.items():
        if report.has_failed(address):
            why = report.partly.get(address) or report.because.get(address) or outcome.value
            yield str(address), why
    for address, why in report.undecided_fields.items():
        yield str(address), why


def move_records(session: ApplySession, plan: Plan) -> None:
    """Moves all records first: every later step uses the new addresses."""
    pairs = {i.was: i.address for i in plan.with_action(Action.MOVE) if i.was}
    if pairs:
        session.store.move_records(pairs, because={"plan": session.plan, "commit": session.commit})
    for address in pairs.values():
        session.report.note(address, ApplyOutcome.MOVED)


def record_adoptions(session: ApplySession, plan: Plan) -> None:
    """Records what already exists on the platform, and drops what no longer exists."""
    if plan.made_again:
        reason = "deleted on the platform by hand, and made again"
        session.store.forget_addresses(plan.made_again, reason=reason, wholly=True)
    records = [
        session.record_without_call(a, one.ids, one.packed) for a, one in plan.adoptions.items()
    ]
    if records:
        session.store.put_records(records, reason="on the platform before it was recorded")
    for planned in plan.with_action(Action.ADOPT):
        session.report.note(planned.address, ApplyOutcome.ADOPTED)


def finish_plan(session: ApplySession, plan: Plan) -> None:
    """Things that left the catalog, fields that left a manifest, protections, manual steps."""
    gone = [planned.address for planned in plan.with_action(Action.FORGET)]
    if gone:
        session.store.forget_addresses(gone, reason="left the catalog")
    for address in gone:
        session.report.note(address, ApplyOutcome.FORGOTTEN)
    _note(session, plan)
    released = [
        record.with_form(packed)
        for address, packed in plan.releases.items()
        if (record := session.store.find_record(address))
    ]
    if plan.releases:
        session.store.put_records(released, reason="fields left the manifest")
    protections = {a: on for a, on in plan.protections.items() if session.is_recorded(a)}
    if protections:
        session.store.set_protections(protections)
    manual_work.keep_manual_steps(session.store, plan)


def _note(session: ApplySession, plan: Plan) -> None:
    for planned in plan.with_action(Action.MANUAL):
        session.report.note(planned.address, ApplyOutcome.MANUAL)
    for planned in plan.changes:
        if planned.blocked_fields:
            paths = ", ".join(field.path for field in planned.blocked_fields)
            session.report.undecided_fields[planned.address] = (
                f"{paths} not sent: {planned.blocked_because}"
            )
    for planned in plan.with_action(Action.BLOCKED):
        session.report.note(planned.address, ApplyOutcome.BLOCKED, planned.block_reason)
        if planned.guard:
            session.report.forbidden.add(planned.address)


def run_plan(session: ApplySession, plan: Plan, stop: StopRequest) -> Report:
    """Carries out the plan as far as possible; the report lists the rest."""
    session.progress.begin(len(plan.steps))
    session.stop = stop
    session.writer.pace.stops = lambda: stop.asked
    named = (one for one in plan.changes if one.address.kind in LOOKUPS)
    session.planned = {one.address: one.action is not Action.FORGET for one in named}
    session.below = _group_parts(plan)
    session.allowed = frozenset(plan.allowed)
    session.deleting = {i.address: _paths_to_delete(i) for i in plan.changes if i.manual}
    move_records(session, plan)
    record_adoptions(session, plan)
    try:
        perform_all(session, plan)
        # After all steps, and not after each: a later step may move the same parts once more.
        check_order(session, plan)
        compare_changes(session, plan)
        platform_work.follow_left_jobs(session)
    except PlatformError as error:
        session.report.stop_with(error)
    except StateError as error:
        session.report.stop_with(error)
        _note_open(session)
    for address, why in session.left.items():
        known = session.report.because.get(address)
        both = f"{known}; {why}" if known and known != why else why
        session.report.note_shortfall(address, ApplyOutcome.FAILED, both)
    with note_state_failure(session.report):
        # What is forgotten or released is recorded only after everything was sent: if the run stops
        # before, the next plan still shows it.
        if session.report.complete:
            finish_plan(session, plan)
        flush_proofs(session, plan)
        session.report.unreached = dict(_unreached_fields(session, plan))
        _note_unsent(session.report)
        _judge_reads(session)
    return session.report


def _group_parts(plan: Plan) -> Mapping[Address, Sequence[Address]]:
    """The resources that a plan creates in others, by those."""
    groups: dict[Address, list[Address]] = {}
    for one in plan.changes:
        if one.part_of and one.action is Action.CREATE:
            groups.setdefault(one.part_of, []).append(one.address)
    return groups


def _judge_reads(session: ApplySession) -> None:
    """Says which of the new resources a read has shown as they are recorded, as `status` does."""
    report, store = session.report, session.store
    # One by one: the addresses or the proofs of a hundred thousand courses would fill the memory.
    paired = report.shown | report.unread
    paired.difference_update(store.unpaired_addresses())
    compared = paired.intersection(store.compared_addresses())
    report.shown |= compared
    report.unread -= compared
    # An id may have been paired by a list that shows no field, and a later call may have changed
    # what was read before.
    for address in paired - compared:
        if readable_fields(address.kind, session.routes):
            report.unread.add(address)
            report.shown.discard(address)


def _unreached_fields(
    session: ApplySession, plan: Plan
) -> Iterator[tuple[Address, Sequence[FieldChange]]]:
    """The fields that are not recorded as planned, of what may not be done whole."""
    report = session.report
    for planned in plan.changes:
        short = report.has_failed(planned.address)
        if report.complete and not short:
            continue
        record = session.store.find_record(planned.address)
        if record is None:
            continue
        missing = list(find_unreached_fields(plan, planned, record.form))
        if short or report.done.get(planned.address) not in {
            ApplyOutcome.CREATED,
            ApplyOutcome.UPDATED,
        }:
            # What git has won is recorded before it is sent.
            known = {one.path for one in missing}
            unsure = {drift.path for drift in planned.drift} - known
            missing += [one for one in planned.fields if one.path in unsure]
        yield planned.address, missing


def _note_unsent(report: Report) -> None:
    """Notes that the run has ended before everything about what it has made or changed was sent."""
    for address, missing in report.unreached.items():
        if missing and report.done.get(address) in DONE and address not in report.partly:
            report.leave_for_person(address, NO_TURN)


def _note_open(session: ApplySession) -> None:
    """Notes the calls that were sent last, if their outcome could not be written down any more."""
    with suppress(StateError):
        for address in session.store.unresolved_addresses() - session.report.done.keys():
            session.report.note(
                address, ApplyOutcome.UNKNOWN, "it was sent; the next run looks for it"
            )


def _paths_to_delete(planned: PlannedChange) -> Set[str]:
    """Paths of parts that left the manifest; a manual step says `topics[start/one/hello]`."""
    return {step.field[:-1].partition("[")[2] for step in planned.manual if step.field[-1:] == "]"}
