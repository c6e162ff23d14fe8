"""Performs the steps of a plan, and continues after a failure where it can."""

from collections.abc import Set

from ..errors import PlatformError
from ..plan import Action, Plan, PlannedChange
from . import jobs, without_calls
from .compared import compare_changes
from .order import check_order
from .result import Done, Report
from .session import ApplySession
from .steps import perform_all
from .stop import Stop


def run(session: ApplySession, plan: Plan, stop: Stop) -> Report:
    """Carries out the plan as far as possible; the report lists the rest."""
    session.progress.begin(len(plan.steps))
    session.stop = stop
    session.writer.pace.stops = lambda: stop.asked
    session.planned = {i.address: i.action is not Action.FORGET for i in plan.changes}
    session.allowed = frozenset(plan.allowed)
    session.deleting = {i.address: _deleting(i) for i in plan.changes if i.manual}
    without_calls.move(session, plan)
    without_calls.take_over(session, plan)
    try:
        perform_all(session, plan)
        check_order(session, plan)
        compare_changes(session, plan)
        jobs.follow_all(session)
    except PlatformError as error:
        session.report.error = error
    for address, why in session.left.items():
        known = session.report.because.get(address)
        both = f"{known}; {why}" if known and known != why else why
        session.report.note(address, Done.FAILED, both)
    if session.report.complete:
        without_calls.finish(session, plan)
    return session.report


def _deleting(planned: PlannedChange) -> Set[str]:
    """Paths of parts that left the manifest; a manual step says `topics[start/one/hello]`."""
    return {step.field[:-1].partition("[")[2] for step in planned.manual if step.field[-1:] == "]"}
