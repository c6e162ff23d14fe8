"""From a plan to the platform: recover, plan, ask, apply, record.

What comes before, from files to a plan, is in `planning`.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from time import monotonic

from ..catalog.manifests.catalog import Catalog
from ..errors import WrongUse
from ..learners.people import People
from ..planning import diff, plan
from ..planning.guards import apply_guards
from ..planning.plan import Plan
from ..planning.plan_loading import context_of, leave_conflicts, load_catalog, make_plan
from ..planning.releases import find_applied_release
from ..planning.slice_changes import find_slice_changes, refuse_taken
from ..planning.workspace import Workspace
from ..platform import live
from ..resource import Address, compute_fingerprints
from ..state import Store, instance_of
from ..support import tracing
from ..support.decisions import Decisions
from . import apply
from .apply import ApplyProgress, ApplySession, Report

Approve = Callable[[Plan], bool]
THINKING = 10.0
"""Seconds after which somebody who was asked may have missed what others edit meanwhile."""


def apply_catalog(
    workspace: Workspace, store: Store, progress: ApplyProgress, approve: Approve
) -> Report:
    """Recovers, plans, asks and applies, all under one lock; an unapproved plan changes nothing."""
    catalog = load_catalog(workspace)
    with apply.report_state_failure(open_session(workspace, store, progress, catalog)) as opened:
        _recover_state(opened, catalog)
        opened.people.refresh_register()
        reader, people, names = opened.reader, opened.people, opened.names
        made = make_plan(workspace, catalog, store, reader, people, names, recovered=True)
        made = apply_guards(workspace, made, store, applying=True)
        apply.refuse_late(opened, made, workspace.decided.finish_by)
        opened.fresh = store.is_empty and not workspace.decided.new_state
        asked = monotonic()
        if not approve(made):
            opened.report.declined = True
            return opened.report
        opened.begin_plan()
        plan.refuse_forbidden(made.guards)
        # Whoever thinks for long may have missed what others edit meanwhile: edits are looked for
        # once more, names are looked up anew, and the end of the run is estimated again.
        if monotonic() - asked > THINKING:
            opened.writer.ping_platform(again=True)
            opened.names.clear_ids()
            apply.ensure_not_edited(opened, made)
            apply.refuse_late(opened, made, workspace.decided.finish_by)
        del catalog  # the plan has all that is needed of it
        people.release_catalog()
        return _run_plan(workspace, opened, made)


def apply_saved(workspace: Workspace, saved: Plan, store: Store, progress: ApplyProgress) -> Report:
    """Applies a saved plan if all that it was made from is unchanged; raises `StalePlan`."""
    if (saved.environment, saved.base_url) != (workspace.name, workspace.environment.baseUrl):
        raise WrongUse(
            f"the plan is for {saved.environment} at {saved.base_url}, "
            f"but this run is for {workspace.name} at {workspace.environment.baseUrl}",
            f"choose it with -e {saved.environment}"
            if saved.environment != workspace.name
            else "plan again, or set `baseUrl` or LMSSYNC_BASE_URL to the address of the plan",
        )
    catalog = load_catalog(workspace) if apply.names_people(saved) else None
    with apply.report_state_failure(open_session(workspace, store, progress, catalog)) as opened:
        _recover_state(opened)
        opened.begin_plan()
        apply.refuse_stale(opened, saved)
        refuse_taken(store, (one.address for one in saved.changes))
        plan.refuse_underived(saved, store, opened.routes)
        judged = apply_guards(workspace, saved, store, applying=True, saved=True)
        plan.refuse_forbidden(judged.guards, saved=True)
        opened.report.approved = judged.approved
        apply.refuse_late(opened, saved, workspace.decided.finish_by)
        return _run_plan(workspace, opened, saved)


@contextmanager
def open_session(
    workspace: Workspace, store: Store, progress: ApplyProgress, catalog: Catalog | None = None
) -> Iterator[ApplySession]:
    """Locks the state, and yields it with a way to write to the platform; raises `StateLocked`."""
    with store.hold_state(), workspace.open_writer() as writer:
        workspace.check_state(store)
        # A state belongs to one instance: ids of another one would be taken for ours.
        store.claim_instance(workspace.name, instance_of(workspace.environment.baseUrl))
        writer.pace.tell = progress.note
        # The windows of the platform also count what earlier runs have just sent (spec 8).
        writer.count_earlier(store.sent_within())
        names, people, platform = live.IdsByName(writer), People(store, catalog), workspace.platform
        del catalog
        opened = ApplySession(store, writer, names, progress, people, platform.routes)
        live.allow_pairing(store, writer, platform.routes)
        opened.read_back = apply.ReadBackLimit(platform.verified_percent)
        opened.timeout, opened.receipt = platform.timeout, workspace.receipt
        opened.report.calls = writer.calls
        yield opened


@tracing.trace_stage("recover")
def _recover_state(opened: ApplySession, catalog: Catalog | None = None) -> None:
    """Clears the state of what an earlier run left open, where that can be."""
    if opened.store.open_calls():
        opened.writer.ping_platform()
        wanted = opened.people.conceal_catalog(catalog).resources if catalog else {}
        apply.recover_calls(opened, compute_fingerprints(wanted))


@tracing.trace_stage("apply")
def _run_plan(workspace: Workspace, opened: ApplySession, made: Plan) -> Report:
    opened.plan, opened.commit = plan.plan_digest(made), made.commit
    opened.read_back.needed = plan.plan_budget(made).certain
    opened.writer.expect_calls(opened.read_back.needed)
    opened.read_back.before = opened.before
    if made.steps:
        opened.writer.ping_platform()
    apply.note_other_runs(opened, made)
    _note_doubts(opened, made, new_state=workspace.decided.new_state)
    # Before the first call: what planning has read counts, whatever becomes of the run.
    apply.keep_planning_proofs(opened, made)
    apply.introduce_people(opened, made)
    with (
        apply.record_release(opened, made, find_applied_release(workspace, made)),
        apply.report_people(opened, made),
        apply.catch_stop_signals() as stop,
    ):
        report = apply.run_plan(opened, made, stop)
    opened.end_plan()
    with apply.note_state_failure(report):
        opened.people.refresh_register()
        _note_drift_left(opened, made)
        _end_doubts(opened, made)
    report.name_people(opened.people)
    return report


def _note_drift_left(opened: ApplySession, made: Plan) -> None:
    """Remembers what people have changed on the platform, and this run has left as it is there."""
    left = {diff.Resolution.KEPT, diff.Resolution.CONFLICT}
    drifted = {one.address: one.drift for one in made.changes if one.drift}
    recorded = opened.store.fingerprints() if drifted else ()
    paths = {a: [one.path for one in drift if one.decision in left] for a, drift in drifted.items()}
    found = {one: (False, names) for one, names in paths.items() if names and one in recorded}
    if found:
        opened.store.note_drift(found.keys(), found)


def _note_doubts(opened: ApplySession, made: Plan, *, new_state: bool) -> None:
    """Remembers that somebody is asked about what the state may not know."""
    if _is_partial(made) and (new_state or made.adoptions or opened.store.is_empty):
        # What this run records would hide from the next one why it has to ask.
        opened.store.note_doubt("an earlier run found that it may be missing from the state")


def _end_doubts(opened: ApplySession, made: Plan) -> None:
    """The state knows everything of the catalog once a whole plan was carried out."""
    report = opened.report
    whole = report.complete and not report.fell_short and not _is_partial(made)
    if whole and not opened.sign and opened.store.describe_doubt:
        opened.store.note_doubt("")


def _is_partial(made: Plan) -> bool:
    """True if it leaves out some of the catalog, or waits for somebody with it."""
    return bool(made.undecided_changes) or made.limits is not None


def confirm_manual(
    workspace: Workspace, store: Store, addresses: Sequence[Address]
) -> Sequence[Address]:
    """Trusts a person that all manual steps of some resources are done; returns which had any.

    No step asks for a field in conflict, so a look leaves these fields as they are recorded.
    A guard does not block this, since the steps have been done already.
    """
    catalog = load_catalog(workspace)
    people = People(store, catalog)
    catalog = people.conceal_catalog(catalog)
    with store.hold_state():
        allow = frozenset(a for a in addresses if a in catalog.resources or store.find_record(a))
        changes = find_slice_changes(catalog, store)
        context = context_of(workspace._replace(decided=Decisions(allow=allow)), people)
        context = context._replace(confirming=True)
        made = plan.make_plan(catalog, store, changes, context)
        look = partial(leave_conflicts, workspace, catalog, store, changes)
        return apply.confirm_manual_steps(store, made, addresses, look)
