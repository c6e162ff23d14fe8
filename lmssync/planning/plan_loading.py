"""From files to a plan: load, observe, plan. Nothing here can write to the platform.

`validate`, which asks no platform, is in `checking`: what it can recall, it recalls without this.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from functools import partial

from ..catalog import checking
from ..catalog.manifests.catalog import Catalog
from ..catalog.manifests.documents import Scope
from ..errors import InvalidCatalog
from ..kind import Ids
from ..kinds import KINDS
from ..learners.people import People
from ..platform import live
from ..platform.client import Reader
from ..problems import in_order
from ..resource import Address
from ..state import Store
from ..support import tracing
from ..support.decisions import Refresh
from ..support.git import commit
from . import diff, plan, targeting
from .diff import Change, Difference
from .guards import apply_guards
from .plan import Extent, Plan, PlanContext
from .workspace import Workspace


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


def _make_view(
    workspace: Workspace,
    catalog: Catalog,
    store: Store,
    changes: Sequence[Change],
    names: live.IdsByName,
) -> diff.View:
    """What a look needs; raises `InvalidCatalog` if a name that the changes use is unknown."""
    wanted = [c.desired for c in changes if c.desired and c.difference is not Difference.SAME]
    problems = live.check_names(names, wanted, catalog.resources)
    if problems:
        raise InvalidCatalog(in_order(catalog.locate_problems(problems)), workspace.root)
    new = {change.address for change in changes if change.difference is Difference.NEW}

    def find_recorded_ids(address: Address) -> Ids | None:
        return None if address in new else store.find_ids(address)  # the state has none of these

    platform, id_of_name = workspace.platform, partial(live.id_of_name, names)
    binder = live.Binder(find_recorded_ids, id_of_name, catalog.resources.__contains__)
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
def load_catalog(workspace: Workspace) -> Catalog:
    """The catalog as the environment wants it; raises `InvalidCatalog` if anything is an error."""
    name = workspace.name if workspace.name in workspace.project.environments else ""
    scope = Scope(workspace.root, workspace.strict_project, name)
    if workspace.base:
        return checking.load_catalog_anew(scope._replace(policies=tuple(workspace.base.policies)))
    return checking.load_checked_catalog(scope)


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
    people = people or People(store, catalog)
    catalog = people.conceal_catalog(catalog)
    before = Counter(reader.asked) if reader else Counter()
    if reader:
        live.allow_pairing(store, reader, workspace.platform.routes)
    changes, decided = diff.find_changes(catalog.resources, store), workspace.decided
    extent = Extent()
    if decided.limits.is_given:
        changes, extent = targeting.limit_changes(decided.limits, catalog, store, changes)
    looked = diff.Observed(changes, [])
    if reader and (changes or decided.decided_addresses or decided.refresh is Refresh.ALL):
        reader.ping_platform()
        names = names or live.IdsByName(reader)
        view = _make_view(workspace, catalog, store, changes, names)._replace(covers=extent.covers)
        looked = diff.observe_changes(view, changes, catalog.resources)
        plan.refuse_lost_state(store, looked.changes, new_state=decided.new_state)
    extent = targeting.widen_extent(extent, looked.changes)
    accounts = accounts_of(workspace, store, reader, looked.changes) if reader else None
    context = context_of(workspace, people)._replace(
        commit=commit(workspace.root) if looked.changes else "",
        planning=Counter(reader.asked) - before if reader else before,
        proofs=looked.proofs,
        extent=extent,
        accounts=accounts,
        recovered=recovered,
    )
    with workspace.learner_index() as index:
        context = context._replace(learners=index)
        made = plan.tell_people(
            plan.make_plan(catalog, store, looked.changes, context), people.with_places
        )
    return apply_guards(workspace, made, store)


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
