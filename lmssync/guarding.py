"""Judges a plan by the guards that the environment of a run has, and by policies over plans."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from . import plan
from .address import Address
from .errors import InvalidCatalog
from .manifests.files import POLICIES, walk_catalog
from .plan import GuardVerdict, Plan
from .problems import Severity
from .promoting import Promotion, promotion
from .resource import unpack
from .settings import Guards
from .state import Store
from .workspace import Workspace

if TYPE_CHECKING:
    from .manifests.policies import Policy


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
    promoted = Promotion() if saved else promotion(workspace, _changed(made))
    guards = workspace.project.guards_of(environment)
    then = {one.guard for one in made.guards if one.permitted and not one.addresses}
    by = plan.GuardContext(
        guards=guards,
        environment=workspace.name,
        protected=environment.protected,
        recorded=len(store.fingerprints()),
        form=lambda address: (record := store.find_record(address)) and unpack(record.packed),
        policies=list(_policies(workspace)),
        lifted=workspace.decided.lifted | then,
        saved=saved,
        now=datetime.now(UTC) if applying else None,
        promotes=environment.promoteFrom or "",
        untested=promoted.untested,
        hours=_hours(workspace, guards),
    )
    verdicts = [*_judged_before(made, saved=saved), *plan.judge(made, by)]
    return replace(made, guards=verdicts, intentions=made.intentions or promoted.intentions)


def _changed(made: Plan) -> Iterator[Address]:
    passive = {plan.Action.UNCHANGED, plan.Action.BLOCKED}
    return (i.address for i in made.changes if i.action not in passive and not i.still_open)


def _judged_before(made: Plan, *, saved: bool) -> Iterator[GuardVerdict]:
    """What only the catalog can tell that a saved plan was made from, which may be gone."""
    return (one for one in made.guards if saved and one.guard == plan.PROMOTION)


def _hours(workspace: Workspace, guards: Guards) -> Sequence[int] | None:
    """When learners do something, where a guard has to learn that."""
    if guards.quietHours is None or guards.quietHours.begin:
        return None
    with workspace.learner_index() as index:
        return index.activity_by_hour() if index else None


def _policies(workspace: Workspace) -> Iterator["Policy"]:
    """Those that the project has not switched off; raises `InvalidCatalog` for mistakes in them."""
    if not (workspace.root / POLICIES).is_dir():
        return
    from .manifests.policies import PLAN, read_policies  # most catalogs have none

    house, problems = read_policies(
        workspace.root, walk_catalog(workspace.root).yaml_files_below(POLICIES)
    )
    if problems:
        raise InvalidCatalog(problems)
    for policy in house:
        grade = workspace.project.rules.get(policy.rule.id, policy.rule.severity)
        if PLAN in policy.compiled and isinstance(grade, str) and grade != "off":
            yield policy._replace(rule=policy.rule._replace(severity=Severity(grade)))
