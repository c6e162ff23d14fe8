"""Judges a plan by the guards that the environment of a run has."""

from dataclasses import replace

from . import plan
from .plan import Plan
from .resource import unpack
from .state import Store
from .workspace import Workspace


def guarded(workspace: Workspace, made: Plan, store: Store, *, saved: bool = False) -> Plan:
    """The plan with what the guards say of it.

    A saved plan is judged again, by the guards of today; what was allowed when it was made stays
    allowed.
    """
    environment = workspace.environment
    then = {one.guard for one in made.guards if one.permitted and not one.addresses}
    by = plan.GuardContext(
        guards=workspace.project.guards_of(environment),
        environment=workspace.name,
        protected=environment.protected,
        recorded=len(store.fingerprints()),
        form=lambda address: (record := store.record(address)) and unpack(record.packed),
        lifted=workspace.decided.lifted | then,
        saved=saved,
    )
    return replace(made, guards=plan.judge(made, by))
