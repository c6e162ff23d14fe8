"""Judges a plan by the guards that the environment of a run has, and by policies over plans."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

from . import checking, plan
from .address import Address
from .base_revision import BaseRevision, list_lowered_settings, read_approvers, read_house_policies
from .manifests.documents import Scope
from .people import People
from .plan import GuardVerdict, Plan
from .problems import Grades, Severity
from .resource import canonical_text, fingerprint_of, fingerprints, unpack_form
from .settings import Environment, Guards
from .state import Store
from .workspace import Workspace, open_workspace

if TYPE_CHECKING:
    from .manifests.policies import Policy


class Promotion(NamedTuple):
    """How the changes of a plan stand to the environment where they are tried first."""

    untested: frozenset[Address] = frozenset()
    """Those that it does not have as the catalog wants them there."""
    intentions: str = ""
    """Digest of what git wants of them there: two plans that want the same have the same one,
    whatever ids and overlays their environments have."""


def find_promotion(here: Workspace, changed: Iterable[Address]) -> Promotion:
    """Empty where no environment of the project names another one under `promoteFrom`.

    What an environment has, its own state says: no platform is asked. Raises `StateError`,
    `InvalidCatalog`.
    """
    environments = here.project.environments
    addresses = frozenset(changed)
    if not addresses or not any(one.promoteFrom for one in environments.values()):
        return Promotion()
    source = here.environment.promoteFrom
    there = open_workspace(here.root, source, here.env) if source else here
    desired, recorded = _fingerprints_of(there)
    intentions = fingerprint_of(canonical_text({str(a): desired.get(a) for a in addresses}))
    if not source:
        return Promotion(intentions=intentions)
    untested = (a for a in addresses if desired.get(a) != recorded.get(a))
    return Promotion(frozenset(untested), intentions)


def _fingerprints_of(place: Workspace) -> tuple[Mapping[Address, str], Mapping[Address, str]]:
    """Fingerprints of what is desired and of what is recorded; none for what is undecided."""
    catalog = checking.load(Scope(place.root, place.project, place.name))
    with place.store(read_only=True) as store:
        desired = fingerprints(People(store, catalog).conceal_catalog(catalog).resources)
        waiting = dict.fromkeys(store.unresolved_addresses(), "")
        return desired, {**store.fingerprints(), **waiting}


def apply_guards(
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
    environment, project = workspace.environment, workspace.project
    policies = read_house_policies(workspace.root)
    settings = _GuardSettings(environment, project.guards_of(environment), policies)
    promoted = Promotion() if saved else find_promotion(workspace, _changed_addresses(made))
    by = _make_guard_context(workspace, made, store, settings)._replace(
        saved=saved,
        now=datetime.now(UTC) if applying else None,
        promotes=environment.promoteFrom or "",
        untested=promoted.untested,
    )
    verdicts = [*_judged_before(made, saved=saved), *plan.judge_plan(made, by)]
    lowered = made.lowered
    if workspace.base:
        verdicts = _keep_strictest([*verdicts, *_judge_by_base(workspace, made, store, by)])
        head = BaseRevision(project, policies, read_approvers(workspace.root))
        lowered = list_lowered_settings(workspace.base, head, workspace.name, environment)
    intentions = made.intentions or promoted.intentions
    return replace(made, guards=verdicts, lowered=lowered, intentions=intentions)


class _GuardSettings(NamedTuple):
    """What guards a run, by its own commit or by the base of a pull request."""

    environment: Environment
    guards: Guards
    policies: "Sequence[Policy]"


def _make_guard_context(
    workspace: Workspace, made: Plan, store: Store, settings: _GuardSettings
) -> plan.GuardContext:
    then = {one.guard for one in made.guards if one.permitted and not one.addresses}
    return plan.GuardContext(
        guards=settings.guards,
        environment=workspace.name,
        protected=settings.environment.protected,
        recorded=len(store.fingerprints()),
        form=lambda address: (record := store.find_record(address)) and unpack_form(record.packed),
        policies=list(_policies_of_plans(settings.policies, workspace.strict_project.rules)),
        lifted=workspace.decided.lifted | then,
        hours=_hours(workspace, settings.guards),
    )


def _judge_by_base(
    workspace: Workspace, made: Plan, store: Store, head: plan.GuardContext
) -> Iterator[GuardVerdict]:
    """What the guards of the base say: a pull request is judged by the stricter of both."""
    base = workspace.base
    assert base is not None
    alike = base.environments_like(workspace.name, workspace.environment, workspace.project)
    for one in alike:
        settings = _GuardSettings(one, base.project.guards_of(one), base.policies)
        first = one.promoteFrom or head.promotes
        by = _make_guard_context(workspace, made, store, settings)._replace(
            saved=head.saved,
            now=head.now,
            promotes=first,
            untested=head.untested
            if first == head.promotes
            else frozenset(_changed_addresses(made)),
        )
        yield from plan.judge_plan(made, by)


def _keep_strictest(verdicts: Iterable[GuardVerdict]) -> list[GuardVerdict]:
    """Each thing that is said once, with its gravest severity; what stops the plan first."""
    kept: dict[tuple[object, ...], GuardVerdict] = {}
    for one in sorted(verdicts, key=lambda one: one.severity is not Severity.ERROR):
        kept.setdefault((one.guard, *one.addresses, one.message, one.permitted), one)
    return sorted(kept.values(), key=lambda one: one.permitted)


def _changed_addresses(made: Plan) -> Iterator[Address]:
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


def _policies_of_plans(house: "Sequence[Policy]", rules: Grades) -> Iterator["Policy"]:
    """Those that are about plans and that the project has not switched off, as it grades them."""
    if not house:
        return
    from .manifests.policies import PLAN  # most catalogs have none

    for policy in house:
        grade = rules.get(policy.rule.id, policy.rule.severity)
        if PLAN in policy.compiled and isinstance(grade, str) and grade != "off":
            yield policy._replace(rule=policy.rule._replace(severity=Severity(grade)))
