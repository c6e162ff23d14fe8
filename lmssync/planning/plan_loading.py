"""From files to a plan: load, observe, plan. Nothing here can write to the platform.

`validate`, which asks no platform, is in `checking`: what it can recall, it recalls without this.
"""

from collections import Counter

from ..catalog import checking
from ..catalog.manifests.catalog import Catalog
from ..catalog.manifests.documents import Scope
from ..errors import InvalidCatalog
from ..learners.people import People
from ..platform.client import Reader
from ..state import Store
from ..support import tracing
from ..support.decisions import Refresh
from ..support.git import commit
from . import diff, plan, targeting
from .guards import apply_guards
from .plan import Extent, Plan, PlanContext
from .refresh import accounts_of, observe_platform
from .workspace import Workspace


@tracing.trace_stage("load")
def load_catalog(workspace: Workspace) -> Catalog:
    """The catalog as the environment wants it; raises `InvalidCatalog` if anything is an error."""
    name = workspace.name if workspace.name in workspace.project.environments else ""
    scope = Scope(workspace.root, workspace.strict_project, name)
    if workspace.base:
        return checking.load_anew(scope._replace(policies=tuple(workspace.base.policies)))
    return checking.load(scope)


@tracing.trace_stage("plan")
def make_plan(
    workspace: Workspace,
    catalog: Catalog,
    store: Store,
    reader: Reader | None,
    people: People | None = None,
) -> Plan:
    """Compares and plans. It gets only a reader, so it cannot write; with none, it is offline."""
    workspace.check_state(store)
    people = people or People(store, catalog)
    catalog = people.conceal_catalog(catalog)
    before = Counter(reader.asked) if reader else Counter()
    changes, decided = diff.find_changes(catalog.resources, store), workspace.decided
    extent = Extent()
    if decided.limits.is_given:
        changes, extent = targeting.limit_changes(decided.limits, catalog, store, changes)
    looked = diff.Observed(changes, [])
    if reader and (changes or decided.decided_addresses or decided.refresh is Refresh.ALL):
        reader.ping_platform()
        looked = observe_platform(workspace, catalog, store, reader, changes, extent.covers)
        plan.refuse_lost_state(store, looked.changes, new_state=decided.new_state)
    extent = targeting.widen_extent(extent, looked.changes)
    accounts = accounts_of(workspace, store, reader, looked.changes) if reader else None
    context = context_of(workspace, people)._replace(
        commit=commit(workspace.root) if looked.changes else "",
        planning=Counter(reader.asked) - before if reader else before,
        proofs=looked.proofs,
        extent=extent,
        accounts=accounts,
    )
    with workspace.learner_index() as index:
        context = context._replace(learners=index)
        made = plan.tell_people(
            plan.make_plan(catalog, store, looked.changes, context), people.with_places
        )
    return apply_guards(workspace, made, store)


def context_of(workspace: Workspace, people: People) -> PlanContext:
    """Where a plan is made for, what was decided, and who can be named."""
    base_url, platform = workspace.environment.baseUrl, workspace.project.platform
    return PlanContext(workspace.name, base_url, platform, workspace.decided, people.knows_code)


def find_people(workspace: Workspace, store: Store) -> People:
    """Who is behind the codes: by the register, else by the lists of the catalog."""
    people = People(store)
    if people.complete:
        return people
    try:
        return People(store, load_catalog(workspace))
    except InvalidCatalog:
        return people
