"""Judges a plan by the guards that the environment of a run has."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

from . import plan
from .plan import Plan
from .resource import unpack
from .settings import Guards
from .state import Store
from .workspace import Workspace


def guarded(
    workspace: Workspace,
    made: Plan,
    store: Store,
    *,
    applying: bool = False,
    saved: bool = False,
) -> Plan:
    """The plan with what the guards say of it.

    A plan is judged again when it is applied, since some guards ask when and how; one that was
    `saved` by the guards of today, and what was allowed when it was made stays allowed.
    """
    environment = workspace.environment
    guards = workspace.project.guards_of(environment)
    then = {one.guard for one in made.guards if one.permitted and not one.addresses}
    by = plan.GuardContext(
        guards=guards,
        environment=workspace.name,
        protected=environment.protected,
        recorded=len(store.fingerprints()),
        form=lambda address: (record := store.record(address)) and unpack(record.packed),
        lifted=workspace.decided.lifted | then,
        saved=saved,
        now=datetime.now(UTC) if applying else None,
        hours=_hours(workspace, guards),
    )
    return replace(made, guards=plan.judge(made, by))


def _hours(workspace: Workspace, guards: Guards) -> Sequence[int] | None:
    """When learners do something, where a guard has to learn that."""
    if guards.quietHours is None or guards.quietHours.begin:
        return None
    with workspace.learner_index() as index:
        return index.hours() if index else None
