"""Looks at the platform where it matters for a plan."""

from collections.abc import Callable, Collection, Iterable, Sequence
from functools import partial

from ..catalog.manifests.catalog import Catalog
from ..errors import InvalidCatalog
from ..kind import Ids
from ..kinds import KINDS
from ..platform import live
from ..platform.client import Reader
from ..problems import in_order
from ..resource import Address
from ..state import Store
from . import diff, plan
from .diff import Change, Difference
from .workspace import Workspace


def observe_platform(
    workspace: Workspace,
    catalog: Catalog,
    store: Store,
    reader: Reader,
    changes: list[Change],
    covers: Callable[[Address], bool],
) -> diff.Observed:
    """Looks at the platform where it matters: names that are used, what is changed or made."""
    view = _make_view(workspace, catalog, store, reader, changes)._replace(covers=covers)
    return diff.observe_changes(view, changes, catalog.resources)


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
    with workspace.reader() as reader:
        view = _make_view(workspace, catalog, store, reader, own)
        return diff.leave_seen_conflicts(view, changes, addresses)


def _make_view(
    workspace: Workspace,
    catalog: Catalog,
    store: Store,
    reader: Reader,
    changes: Sequence[Change],
) -> diff.View:
    """What a look needs; raises `InvalidCatalog` if a name that the changes use is unknown."""
    names = live.IdsByName(reader)
    wanted = [c.desired for c in changes if c.desired and c.difference is not Difference.SAME]
    problems = live.check_names(names, wanted, catalog.resources)
    if problems:
        raise InvalidCatalog(in_order(catalog.locate_problems(problems)))
    id_of_name = partial(live.id_of_name, names)
    binder = live.Binder(_ids_of(store, changes), id_of_name, catalog.resources.__contains__)
    platform = workspace.project.platform
    marks = plan.choose_markers(platform, store)
    instance = diff.Instance(reader, binder, store, platform.routes)
    return diff.View(instance, marks, workspace.decided)


def _ids_of(store: Store, changes: Iterable[Change]) -> Callable[[Address], Ids | None]:
    """Reads recorded ids; the state is not asked about what is new, of which it has none."""
    new = {change.address for change in changes if change.difference is Difference.NEW}
    return lambda address: None if address in new else store.find_ids(address)


def accounts_of(
    workspace: Workspace, store: Store, reader: Reader, changes: Iterable[Change]
) -> Sequence[live.Holder] | None:
    """Who holds licenses, if that matters for a change and the instance lists its accounts."""
    roster = next((kind.reads.roster for kind in KINDS.values() if kind.reads.roster), None)
    if roster is None or not any(map(plan.concerns_holders, changes)):
        return None
    return live.read_holders(
        reader, roster, workspace.project.platform.routes, store.codes.hash_text
    )
