"""Looks at the platform where it matters for a plan."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial

from . import diff, live, plan
from .address import Address
from .client import Reader
from .diff import Change, Difference
from .errors import InvalidCatalog
from .kinds import KINDS
from .manifests.catalog import Catalog
from .problems import in_order
from .state import Store
from .workspace import Workspace


def observed(
    workspace: Workspace,
    catalog: Catalog,
    store: Store,
    reader: Reader,
    changes: list[Change],
    covers: Callable[[Address], bool],
) -> diff.Observed:
    """Looks at the platform where it matters: names that are used, what is changed or made."""
    names = live.IdsByName(reader)
    wanted = [c.desired for c in changes if c.desired and c.difference is not Difference.SAME]
    problems = live.check_names(names, wanted, catalog.resources)
    if problems:
        raise InvalidCatalog(in_order(catalog.located(problems)))
    id_of_name = partial(live.id_of_name, names)
    binder = live.Binder(store.ids, id_of_name, catalog.resources.__contains__)
    platform = workspace.project.platform
    marks = plan.marks(platform, store)
    instance = diff.Instance(reader, binder, store, platform.routes)
    view = diff.View(instance, marks, workspace.decided, covers)
    return diff.observe(view, changes, catalog.resources)


def accounts_of(
    workspace: Workspace, store: Store, reader: Reader, changes: Iterable[Change]
) -> Sequence[live.Holder] | None:
    """Who holds licenses, if some are to be given or taken and the instance lists its accounts."""
    lists = [change for change in changes if plan.has_lists(change.address)]
    if not any(one.difference in {Difference.NEW, Difference.CHANGED} for one in lists):
        return None
    roster = KINDS[lists[0].address.kind].reads.roster
    routes = workspace.project.platform.routes
    return live.holders(reader, roster, routes, store.codes.hide) if roster else None
