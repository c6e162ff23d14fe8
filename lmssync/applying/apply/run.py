"""Performs the steps of a plan, and continues after a failure where it can."""

from collections.abc import Iterator, Sequence, Set
from contextlib import suppress

from ...errors import PlatformError, StateError
from ...planning.diff import FieldChange
from ...planning.plan import Action, Plan, PlannedChange, find_unreached_fields
from ...resource import Address
from . import jobs, without_calls
from .compared import compare_changes
from .ending import note_state_failure
from .order import check_order
from .proving import flush_proofs
from .result import DONE, NO_TURN, Done, Report
from .session import ApplySession
from .steps import perform_all
from .stop import Stop


def run_plan(session: ApplySession, plan: Plan, stop: Stop) -> Report:
    """Carries out the plan as far as possible; the report lists the rest."""
    session.progress.begin(len(plan.steps))
    session.stop = stop
    session.writer.pace.stops = lambda: stop.asked
    session.planned = {i.address: i.action is not Action.FORGET for i in plan.changes}
    session.allowed = frozenset(plan.allowed)
    session.deleting = {i.address: _paths_to_delete(i) for i in plan.changes if i.manual}
    without_calls.move(session, plan)
    without_calls.take_over(session, plan)
    try:
        perform_all(session, plan)
        check_order(session, plan)
        compare_changes(session, plan)
        jobs.follow_all(session)
    except PlatformError as error:
        session.report.stop_with(error)
    except StateError as error:
        session.report.stop_with(error)
        _note_open(session)
    for address, why in session.left.items():
        known = session.report.because.get(address)
        both = f"{known}; {why}" if known and known != why else why
        session.report.note_shortfall(address, Done.FAILED, both)
    with note_state_failure(session.report):
        if session.report.complete:
            without_calls.finish(session, plan)
        flush_proofs(session, plan)
        session.report.unreached = dict(_unreached_fields(session, plan))
        _note_unsent(session.report)
        session.report.unread -= {address for _, address in session.store.read_pairs}
    return session.report


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
        if short or report.done.get(planned.address) not in {Done.CREATED, Done.UPDATED}:
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
    """What was sent last, if what came of it could not be written down any more."""
    with suppress(StateError):
        for address in session.store.unresolved_addresses() - session.report.done.keys():
            session.report.note(address, Done.UNKNOWN, "it was sent; the next run looks for it")


def _paths_to_delete(planned: PlannedChange) -> Set[str]:
    """Paths of parts that left the manifest; a manual step says `topics[start/one/hello]`."""
    return {step.field[:-1].partition("[")[2] for step in planned.manual if step.field[-1:] == "]"}
