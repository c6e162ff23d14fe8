"""Judges a plan by the guards that the environment of a run has, and by policies over plans."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ..catalog.catalog_validation import load_catalog_anew, load_checked_catalog
from ..catalog.manifests.catalog import Catalog
from ..catalog.manifests.documents import Scope, read_project_file
from ..errors import InvalidCatalog, WrongUse
from ..kind import as_meant
from ..kinds import KINDS
from ..learners.people import People
from ..problems import Grades, Severity
from ..resource import (
    Address,
    Form,
    Resource,
    canonical_text,
    compute_fingerprints,
    fingerprint_of,
    unpack_form,
)
from ..settings import Environment, Guards
from ..state import Store
from ..support.git_repository import text_at
from . import approvals, plan
from .base_revision import (
    BaseRevision,
    list_lowered_settings,
    open_revision,
    read_approvers,
    read_house_policies,
)
from .diff import compare_forms
from .plan import Action, ApprovalFindings, ApprovedChange, GuardVerdict, Plan, PlannedChange
from .releases import find_waiting_release
from .workspace import Workspace, open_workspace

if TYPE_CHECKING:
    from ..catalog.manifests.policies import Policy
    from ..code_hosts import ReviewedPull


_NEW = 3_600.0
"""Seconds in which a run that was interrupted may go on with what it has begun to create."""


class Promotion(NamedTuple):
    """The result of comparing a plan with the environment where changes are tried first."""

    untested: Mapping[Address, int] = {}
    """The changes that this environment does not have as the catalog wants them there, each with
    the number of people if nothing but these is missing in its list there, else with 0."""
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
    desired, recorded, missing = _compare_with_catalog(there, addresses)
    intentions = fingerprint_of(canonical_text({str(a): desired.get(a) for a in addresses}))
    if not source:
        return Promotion(intentions=intentions)
    untested = {a: missing.get(a, 0) for a in addresses if desired.get(a) != recorded.get(a)}
    return Promotion(untested, intentions)


def _compare_with_catalog(
    place: Workspace, addresses: Iterable[Address]
) -> tuple[Mapping[Address, str], Mapping[Address, str], Mapping[Address, int]]:
    """Fingerprints of what is desired and of what is recorded, none for what is undecided; and how
    many people are missing in lists where nothing else differs."""
    catalog = load_checked_catalog(Scope(place.root, place.project, place.name))
    with place.store(read_only=True) as store:
        resources = People(store, catalog).conceal_catalog(catalog).resources
        desired = compute_fingerprints(resources)
        # Nobody knows what an open call has done, so its resource equals no desired form.
        waiting = dict.fromkeys(store.unresolved_addresses(), "")
        missing = {
            address: _count_missing_people(address, record.form, resources[address].form)
            for address in addresses
            if KINDS[address.kind].reads.roster and address in resources and address not in waiting
            if (record := store.find_record(address))
        }
        return desired, {**store.fingerprints(), **waiting}, missing


def _count_missing_people(address: Address, recorded: Form, desired: Form) -> int:
    """How many people a recorded list lacks; 0 where anything else differs as well."""
    roster = KINDS[address.kind].reads.roster
    assert roster is not None
    users, wanted = recorded.get(roster.list, []), desired.get(roster.list, [])
    alike = all(one.path == roster.list for one in compare_forms(recorded, desired))
    return len(wanted) - len(users) if alike and all(one in wanted for one in users) else 0


def apply_guards(
    workspace: Workspace, made: Plan, store: Store, *, applying: bool = False, saved: bool = False
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
        release=find_waiting_release(workspace, made, store),
    )
    verdicts = _judge_plan(workspace, made, store, by)
    stops = (one for one in plan.stopping_verdicts(verdicts) if one.guard == plan.PUBLISHED)
    waiting = {address for one in stops for address in one.addresses}
    approved: list[ApprovedChange] = []
    if waiting:  # a code host is asked only where its answer can release something
        findings = _find_approvals(workspace, made, store, saved=saved)
        verdicts = _judge_plan(workspace, made, store, by._replace(approvals=findings))
        approved = [one for one in findings.approved if one.address in waiting]
    lowered = made.lowered
    if workspace.base:
        head = BaseRevision(project, policies, read_approvers(workspace.root))
        lowered = list_lowered_settings(workspace.base, head, workspace.name, environment)
    intentions = made.intentions or promoted.intentions
    return replace(made, guards=verdicts, approved=approved, lowered=lowered, intentions=intentions)


def _judge_plan(
    workspace: Workspace, made: Plan, store: Store, by: plan.GuardContext
) -> list[GuardVerdict]:
    # Promotion is judged by the catalog that a saved plan was made from, which may be gone.
    verdicts = [
        *(one for one in made.guards if by.saved and one.guard == plan.PROMOTION),
        *plan.judge_plan(made, by),
    ]
    if workspace.base:
        verdicts += _judge_by_base(workspace, made, store, by)
    elif by.saved and made.lowered:
        verdicts += _list_stops_of_base(made, by)
    else:
        return verdicts
    return _keep_strictest(verdicts)


def _list_stops_of_base(made: Plan, by: plan.GuardContext) -> Iterator[GuardVerdict]:
    """What stopped a saved plan whose pull request lowers its own guards."""
    # The base that judged it is not at hand when it is applied. Hours pass, and approvals may have
    # come since.
    approved = {one.address for one in by.approvals.approved}
    for one in plan.stopping_verdicts(made.guards):
        released = one.guard == plan.PUBLISHED and approved.issuperset(one.addresses)
        if one.guard != plan.QUIET_HOURS and not released:
            yield one


def _find_approvals(
    workspace: Workspace, made: Plan, store: Store, *, saved: bool
) -> ApprovalFindings:
    ask = workspace.find_approvals if made.approved or not saved else None
    found = ask(made, store) if ask else ApprovalFindings()
    if not saved:
        return found
    # Those of a saved plan were asked for again: a file proves nothing.
    refused = {one.address: _UNCONFIRMED for one in made.approved} | dict(found.refused)
    return ApprovalFindings([one for one in found.approved if one in made.approved], refused)


_UNCONFIRMED = "the approvals differ from those in the saved plan, or cannot be read here"
ApproversOf = Callable[[Iterable[str]], Mapping[str, str]]


def find_approved_changes(
    workspace: Workspace, made: Plan, store: Store, pull: "ReviewedPull", approvers_of: ApproversOf
) -> ApprovalFindings:
    """Which changes of a plan the approvals of a pull request release.

    They are about what the pull request does, so a change has to be that and no more: what is
    recorded is what the base wants, and what the plan leaves is what its commit wants. All of it is
    read from the commits, whatever the files of the folder hold. `approvers_of` gets teams, and
    gives who has approved for which. Raises `WrongUse`.
    """
    texts = (text_at(workspace.root, at, approvals.FILE) for at in (pull.base, made.commit))
    base, head = map(approvals.parse_approval_rules, texts)
    needed = approvals.find_required_approvals(made, approvals.merge_rules(base, head))
    given = approvers_of({team for one in needed for team in one.rule.teams})
    judged = approvals.judge_approvals(made, base, head, given)
    refused = {address: one.refusal for address, one in judged.items() if one.refusal}
    if len(refused) < len(judged):
        changes = [one for one in made.changes if one.address in judged.keys() - refused.keys()]
        refused |= _find_foreign_changes(workspace, made, store, pull.base, changes)
    approved = [
        ApprovedChange(address, list(one.approvers), pull.number, pull.head, list(one.lines))
        for address, one in judged.items()
        if address not in refused
    ]
    return ApprovalFindings(approved, refused)


def _find_foreign_changes(
    workspace: Workspace, made: Plan, store: Store, base: str, changes: Iterable[PlannedChange]
) -> Iterator[tuple[Address, str]]:
    """The changes that are not those of the pull request alone, and why."""
    with _open_resources(workspace, store, base) as before:
        wanted = compute_fingerprints(before)
        waiting = dict.fromkeys(store.unresolved_addresses(), "")
        recorded = {**store.fingerprints(), **waiting}
    with _open_resources(workspace, store, made.commit) as after:
        for one in changes:
            earlier = one.was or one.address
            why = _why_foreign(made, one, after.get(one.address))
            if wanted.get(earlier) != recorded.get(earlier):
                why = "{} is recorded differently from what was merged before this pull request"
            if why:
                yield one.address, why.format(one.address)


_OTHER = "what the plan does with {} is not what the commit says"
_BY_HAND = "{} has steps for a person, and approvals release only calls"
_DECIDED = "somebody has made a decision about {} that the commit does not contain"
_MORE_SENT = "what is sent for {} does not follow from its manifest alone"


def _why_foreign(made: Plan, planned: PlannedChange, resource: Resource | None) -> str:
    """Why a change does not make a resource what a commit wants, and no more; empty if it does."""
    calls = sum(part.address == planned.address for part in made.parts)
    # A step for a person says nothing of what calls send beside it.
    if planned.manual:
        return _BY_HAND
    if planned.drift or planned.address in {*made.made_again, *made.adoptions}:
        return _DECIDED
    # What is sent has to follow from the commit, and no later call of something new is checked.
    if KINDS[planned.address.kind].calls.result is not as_meant or (
        planned.action is Action.CREATE and calls != 1
    ):
        return _MORE_SENT
    _, reached = plan.forms_of_change(made, planned)
    as_wanted = resource is not None and canonical_text(reached) == canonical_text(resource.form)
    return "" if as_wanted else _OTHER


@contextmanager
def _open_resources(
    workspace: Workspace, store: Store, revision: str
) -> Iterator[Mapping[Address, Resource]]:
    """Yields the catalog of the environment at a revision, for the length of a block."""
    with open_revision(workspace.root, revision) as folder:
        try:
            catalog, _ = load_folder_catalog(workspace, store, folder)
        except (InvalidCatalog, WrongUse) as error:
            text = f"the catalog at commit {revision[:7]} cannot be compared: {error.message}"
            raise WrongUse(text) from None
        yield catalog.resources


def load_folder_catalog(workspace: Workspace, store: Store, folder: Path) -> tuple[Catalog, People]:
    """The catalog of the environment in another folder, where codes name people, and who they are;
    raises `InvalidCatalog` and `WrongUse`."""
    project, name = read_project_file(folder), workspace.name
    if name in workspace.project.environments:
        project.require_known(name)
    catalog = load_catalog_anew(
        Scope(folder, project, name if name in project.environments else "")
    )
    people = People(store, catalog)
    return people.conceal_catalog(catalog), people


class _GuardSettings(NamedTuple):
    """The guards of a run, by its own commit or by the base of a pull request."""

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
        dropped=store.dropped_addresses,
        begun=lambda: store.begun_within(_NEW),
        policies=list(_policies_of_plans(settings.policies, workspace.strict_project.rules)),
        lifted=workspace.decided.lifted | then,
        hours=_hours(workspace, settings.guards),
    )


def _judge_by_base(
    workspace: Workspace, made: Plan, store: Store, head: plan.GuardContext
) -> Iterator[GuardVerdict]:
    base = workspace.base
    assert base is not None
    # A pull request is judged by the stricter of both, so it cannot lower what judges it.
    alike = base.environments_like(workspace.name, workspace.environment, workspace.project)
    for one in alike:
        settings = _GuardSettings(one, base.project.guards_of(one), base.policies)
        first = one.promoteFrom or head.promotes
        by = _make_guard_context(workspace, made, store, settings)._replace(
            saved=head.saved,
            now=head.now,
            approvals=head.approvals,
            release=head.release,
            promotes=first,
            untested=head.untested
            if first == head.promotes
            else dict.fromkeys(_changed_addresses(made), 0),
        )
        yield from plan.judge_plan(made, by)


def _keep_strictest(verdicts: Iterable[GuardVerdict]) -> list[GuardVerdict]:
    """Each thing that is said once, with its gravest severity; what stops the plan first."""
    kept: dict[tuple[object, ...], GuardVerdict] = {}
    for one in sorted(verdicts, key=lambda one: one.severity is not Severity.ERROR):
        # Errors come first in the loop, so that an error stays where a warning says the same.
        kept.setdefault((one.guard, *one.addresses, one.message, one.permitted), one)
    return sorted(kept.values(), key=lambda one: one.permitted)


def _changed_addresses(made: Plan) -> Iterator[Address]:
    passive = {plan.Action.UNCHANGED, plan.Action.BLOCKED}
    return (i.address for i in made.changes if i.action not in passive and not i.still_open)


def _hours(workspace: Workspace, guards: Guards) -> Sequence[int] | None:
    """When learners do something, where a guard has to learn that."""
    if guards.quietHours is None or guards.quietHours.begin:
        return None
    with workspace.learner_index() as index:
        return index.activity_by_hour() if index else None


def _policies_of_plans(house: "Sequence[Policy]", rules: Grades) -> Iterator["Policy"]:
    """The policies over plans that the project has not switched off, as it grades them."""
    if not house:
        return
    from ..catalog.manifests.policies import PLAN  # most catalogs have none

    for policy in house:
        grade = rules.get(policy.rule.id, policy.rule.severity)
        if PLAN in policy.compiled and isinstance(grade, str) and grade != "off":
            yield policy._replace(rule=policy.rule._replace(severity=Severity(grade)))
