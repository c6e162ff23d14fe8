"""From files to a plan: load, choose, observe, plan. Nothing here can write to the platform.

Where somebody wants only some of the changes, what these need is chosen as well.
`validate`, which asks no platform, is in `checking`: what it can recall, it recalls without this.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING

from ..catalog.catalog_validation import load_catalog_anew, load_checked_catalog
from ..catalog.manifests.catalog import Catalog
from ..catalog.manifests.catalog_files import Listing
from ..catalog.manifests.documents import Scope
from ..errors import InvalidCatalog, WrongUse
from ..kind import Ids
from ..kinds import KINDS
from ..learners.people import People
from ..platform import live
from ..platform.client import Reader
from ..problems import in_order
from ..resource import Address, Resource
from ..state import Record, Store
from ..support import tracing
from ..support.decisions import Limits, Refresh
from ..support.git_repository import read_commit
from . import diff, plan
from .changed_resources import (
    find_changed_files,
    find_resources_in,
    list_files_of,
    match_addresses,
)
from .diff import Change, Difference
from .guards import apply_guards
from .plan import Extent, Plan, PlanContext
from .releases import (
    explain_foreign_release,
    find_own_record,
    find_release,
    list_open_releases,
    list_release_addresses,
)
from .slice_changes import find_slice_changes, refuse_former_state
from .workspace import Workspace

if TYPE_CHECKING:
    from ..catalog.manifests.release_documents import Release


def limit_changes(
    limits: Limits,
    catalog: Catalog,
    store: Store,
    changes: Sequence[Change],
    releases: Sequence["Release"] = (),
) -> tuple[list[Change], Extent]:
    """The changes within the limits, with those that they need, and how far the plan reaches.

    What one of the open `releases` has is left to that. Raises `WrongUse` for a pattern that
    nothing matches and for an unknown revision.
    """
    recorded, desired = store.fingerprints(), catalog.outlines
    known = {*desired, *recorded}
    family = _Family(_find_owners(desired, changes), {c.was: c.address for c in changes if c.was})
    excluded = family.whole_family(match_addresses(limits.exclude, known, "--exclude"))
    chosen = match_addresses(limits.target, known, "--target") if limits.target else known
    files = list_files_of(catalog, desired, family.owners, known)
    if limits.changed_since:
        changed = find_changed_files(catalog, limits.changed_since, files)
        chosen = chosen & find_resources_in(changed, files, family.owners)
    contents = partial(list_release_addresses, catalog, files, family.owners)
    if limits.release:
        own = find_release(catalog.scope or Scope(catalog.root), limits.release)
        # What it has taken out of the catalog before may be in nothing any more.
        chosen = contents(own, strict=find_own_record(store, own) is None)
    shares = {
        release.name: family.whole_family(contents(release))
        for release in releases
        if release.name != limits.release
    }
    # Whichever of two releases came first would apply the share of both: there is one text of it.
    # Another release with a share in a release stops it; any other plan leaves the share alone.
    excluded |= set() if limits.release else set().union(*shares.values())
    chosen = family.whole_family(chosen) - excluded
    by_address = {change.address: change for change in changes}
    waiting = [change for change in changes if change.address in chosen]
    while waiting:
        needed = set(_needed_addresses(waiting.pop(), by_address, store, family.owners))
        for address in needed - chosen - excluded:
            chosen.add(address)
            waiting.append(by_address[address])
    within = [change for change in changes if change.address in chosen]
    outside = [change for change in changes if change.address not in chosen]
    left = [change.address for change in outside if change.does_anything]
    shared = {change.address for change in within} if limits.release else {*left}
    limits = limits._replace(held=tuple(n for n, own in shares.items() if own & shared))
    if not limits.is_given:
        return [*changes], Extent()
    extent = Extent(
        limits._replace(left_out=len(left)),
        chosen.__contains__,
        frozenset(change.address for change in outside),
        excluded,
    )
    return within, extent


def widen_extent(extent: Extent, looked: Sequence[Change]) -> Extent:
    """The extent with what a look has added to the plan: what names something that is made again.

    Raises `WrongUse` if that is excluded: it would go on naming what is no longer there.
    """
    beyond = {change.address for change in looked if not extent.covers(change.address)}
    if lost := sorted(beyond & extent.excluded):
        raise WrongUse(
            f"what `--recreate` makes again is named by {lost[0]}, which `--exclude` leaves out",
            "plan without excluding it",
        )
    joined = beyond & extent.left_out
    limits = extent.limits._replace(left_out=extent.limits.left_out - len(joined))
    return extent._replace(limits=limits, left_out=extent.left_out - joined)


@dataclass(frozen=True)
class _Family:
    """The addresses that belong together, whatever a pattern says."""

    owners: Mapping[Address, Address]
    """By what is written inside a manifest, the resource of the manifest."""
    moved: Mapping[Address, Address]
    """Old addresses to new ones."""

    def whole_family(self, addresses: Set[Address]) -> set[Address]:
        """The addresses with new ones of what has moved, and with what is written inside them."""
        named = {*addresses, *(new for old, new in self.moved.items() if old in addresses)}
        return named | {inner for inner, owner in self.owners.items() if owner in named}


def _find_owners(
    desired: Mapping[Address, Resource], changes: Sequence[Change]
) -> dict[Address, Address]:
    """The owner of each resource that is written inside a manifest, or was until both left."""
    tops = {(r.origin.file, r.origin.document): a for a, r in desired.items() if not r.origin.path}
    owners = {
        address: tops[at]
        for address, resource in desired.items()
        if resource.origin.path and (at := (resource.origin.file, resource.origin.document)) in tops
    }
    leaving = {c.address: c.before for c in changes if c.difference is Difference.GONE}
    wholes = {a: KINDS[a.kind].calls.removal(form).whole for a, form in leaving.items()}
    return owners | {inner: whole for inner, whole in wholes.items() if whole in leaving and whole}


def _needed_addresses(
    change: Change,
    changes: Mapping[Address, Change],
    store: Store,
    owners: Mapping[Address, Address],
) -> Iterator[Address]:
    """What has to be in this plan as well."""
    if change.difference is Difference.GONE and change.address in owners:
        yield owners[change.address]  # people are asked about the whole
    is_new = change.difference is Difference.NEW
    for reference in change.desired.references if change.desired else ():
        address = reference.address
        if address not in changes or (reference.deferrable and is_new):
            continue
        record = store.find_record(address) if address in store.fingerprints() else None
        if record is None or (reference.part and reference.part not in _recorded_parts(record)):
            # No call for the change can be made without its id.
            yield address


def _recorded_parts(record: Record) -> Collection[str]:
    """The paths of the parts that it has; where no read has shown their ids, those of its form."""
    form = record.form if record.unpaired else None
    return KINDS[record.address.kind].authoring.parts(form) if form else record.known_ids.parts


def leave_conflicts(
    workspace: Workspace,
    catalog: Catalog,
    store: Store,
    changes: Sequence[Change],
    addresses: Collection[Address],
) -> list[Change]:
    """The changes of some addresses, without the fields in which a read shows a conflict."""
    own = [change for change in changes if change.address in addresses]
    if not any(change.difference is Difference.CHANGED for change in own):
        return own
    with workspace.open_reader() as reader:
        live.allow_pairing(store, reader, workspace.platform.routes)
        view = _make_view(workspace, catalog, store, own, live.IdsByName(reader))
        return diff.leave_seen_conflicts(view, changes, addresses)


def read_changes(
    workspace: Workspace,
    catalog: Catalog,
    store: Store,
    reader: Reader,
    addresses: Collection[Address],
) -> Iterator[Change]:
    """The changes of some addresses with what a read shows now; what has left the catalog is
    `missing` if it is not on the platform any more."""
    own = [one for one in diff.find_changes(catalog.resources, store) if one.address in addresses]
    live.allow_pairing(store, reader, workspace.platform.routes)
    view = _make_view(workspace, catalog, store, own, live.IdsByName(reader))
    changed = [one for one in own if one.difference is Difference.CHANGED]
    yield from diff.observe_changes(view, changed, catalog.resources).changes
    left = {one.address: one for one in own if one.difference is Difference.GONE}
    records = [one.recorded for one in left.values() if one.recorded]
    for record, seen in diff.read_live(view.instance, records):
        yield left[record.address]._replace(missing=not seen.present)


def _make_view(
    workspace: Workspace,
    catalog: Catalog,
    store: Store,
    changes: Sequence[Change],
    names: live.IdsByName,
) -> diff.View:
    """What a look needs; raises `InvalidCatalog` if a name that the changes use is unknown."""
    wanted = [c.desired for c in changes if c.desired and c.difference is not Difference.SAME]
    problems = live.check_names(names, wanted, [*catalog.resources, *catalog.elsewhere])
    if problems:
        raise InvalidCatalog(in_order(catalog.locate_problems(problems)), workspace.root)
    new = {change.address for change in changes if change.difference is Difference.NEW}

    def find_recorded_ids(address: Address) -> Ids | None:
        return None if address in new else store.find_ids(address)  # the state has none of these

    platform, id_of_name = workspace.platform, partial(live.id_of_name, names)
    binder = live.Binder(find_recorded_ids, id_of_name, catalog.has_address)
    instance = diff.Instance(names.reader, binder, store, platform.routes)
    return diff.View(instance, plan.choose_markers(platform, store), workspace.decided)


def accounts_of(
    workspace: Workspace, store: Store, reader: Reader, changes: Iterable[Change]
) -> Sequence[live.Holder] | None:
    """The people who have licenses, if a change concerns them and the instance lists accounts."""
    roster = next((kind.reads.roster for kind in KINDS.values() if kind.reads.roster), None)
    if roster is None or not any(map(plan.concerns_holders, changes)):
        return None
    return live.read_holders(reader, roster, workspace.platform.routes, store.codes.hash_text)


@tracing.trace_stage("load")
def load_catalog(workspace: Workspace, listing: Listing | None = None) -> Catalog:
    """The catalog as the environment wants it; raises `InvalidCatalog` if anything is an error."""
    name = workspace.name if workspace.name in workspace.project.environments else ""
    scope = Scope(workspace.root, workspace.strict_project, name)
    workspace.project.require_slice(workspace.slice)
    if workspace.base:
        scope = scope._replace(policies=tuple(workspace.base.policies))
        catalog = load_catalog_anew(scope)
    else:
        catalog = load_checked_catalog(scope, listing)
    part = workspace.slice
    return catalog.limit_to_slice(workspace.project, part) if part else catalog


def list_foreign_releases(
    workspace: Workspace, store: Store, names: Sequence[str]
) -> dict[str, tuple[str, str]]:
    """The releases that are not all in the slice of the run: why it does not apply them, and what
    to do."""
    if not (workspace.slice and names):
        return {}
    catalog = load_catalog(workspace)
    reasons = {name: explain_foreign_release(workspace, catalog, store, name) for name in names}
    return {name: reason for name, reason in reasons.items() if reason}


@tracing.trace_stage("plan")
def make_plan(
    workspace: Workspace,
    catalog: Catalog,
    store: Store,
    reader: Reader | None,
    people: People | None = None,
    names: live.IdsByName | None = None,
    *,
    recovered: bool = False,
) -> Plan:
    """Compares and plans. It gets only a reader, so it cannot write; with none, it is offline.

    `names` are those that the run has looked up already, by the same reader. If it has `recovered`,
    it has just looked for what open calls have done.
    """
    workspace.check_state(store)
    if reason := explain_foreign_release(
        workspace, catalog, store, workspace.decided.limits.release
    ):
        raise WrongUse(*reason)
    people = people or People(store, catalog)
    catalog = people.conceal_catalog(catalog)
    made = _make_unjudged(workspace, catalog, store, reader, people, names, recovered=recovered)
    # The changes that were compared are gone by now: guards need memory as well.
    return apply_guards(workspace, made, store)


def _make_unjudged(
    workspace: Workspace,
    catalog: Catalog,
    store: Store,
    reader: Reader | None,
    people: People,
    names: live.IdsByName | None,
    *,
    recovered: bool,
) -> Plan:
    """The plan before any guard has judged it."""
    # What a run has asked about open calls of an earlier one was asked for this plan.
    before = Counter(reader.asked) if reader and not recovered else Counter[str]()
    if reader:
        live.allow_pairing(store, reader, workspace.platform.routes)
    changes, decided = find_slice_changes(catalog, store), workspace.decided
    if workspace.slice and store.is_empty and not decided.new_state:
        refuse_former_state(changes, store, workspace.open_former_states(), workspace.state)
    extent = Extent()
    releases = list_open_releases(catalog.scope or Scope(catalog.root), store)
    if decided.limits.is_given or releases:
        changes, extent = limit_changes(decided.limits, catalog, store, changes, releases)
    looked = diff.Observed(changes, [])
    if reader and (changes or decided.decided_addresses or decided.refresh is Refresh.ALL):
        reader.ping_platform()
        names = names or live.IdsByName(reader)
        view = _make_view(workspace, catalog, store, changes, names)._replace(covers=extent.covers)
        looked = diff.observe_changes(view, changes, catalog.resources)
        del view
        plan.refuse_lost_state(store, looked.changes, new_state=decided.new_state)
    extent = widen_extent(extent, looked.changes)
    accounts = accounts_of(workspace, store, reader, looked.changes) if reader else None
    context = context_of(workspace, people)._replace(
        commit=read_commit(workspace.root) if looked.changes else "",
        planning=Counter(reader.asked) - before if reader else before,
        proofs=looked.proofs,
        extent=extent,
        accounts=accounts,
        recovered=recovered,
    )
    with workspace.learner_index() as index:
        context = context._replace(learners=index)
        del changes
        made = plan.make_plan(catalog, store, diff.take_changes(looked.changes), context)
        made = plan.add_replayed_outcomes(made, catalog, store, index, datetime.now(UTC))
    return plan.tell_people(made, people.with_places)


def context_of(workspace: Workspace, people: People) -> PlanContext:
    """Where a plan is made for, what was decided, and who can be named."""
    project, base_url = workspace.project, workspace.environment.baseUrl
    return PlanContext(
        workspace.name,
        base_url,
        workspace.platform,
        workspace.decided,
        people.knows_code,
        currency=project.currency or "",
    )


def find_people(workspace: Workspace, store: Store) -> People:
    """The people behind the codes: from the register, else from the lists of the catalog."""
    people = People(store)
    if people.complete:
        return people
    try:
        return People(store, load_catalog(workspace))
    except InvalidCatalog:
        return people
