"""The whole tool on one page: load, observe, plan, apply, record."""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from . import apply, checking, diff, live, plan
from .address import Address
from .apply import Progress, Report, Session
from .client import Reader
from .diff import Change, Difference
from .errors import InvalidCatalog, WrongUse
from .kinds.kind import Ids
from .manifests.catalog import Catalog
from .manifests.git import commit
from .manifests.scope import Scope
from .plan import Plan, Situation
from .problems import in_order
from .state import Store
from .workplace import Workplace


def load(place: Workplace) -> Catalog:
    """The catalog as the environment wants it; raises `InvalidCatalog` if anything is an error."""
    name = place.name if place.name in place.project.environments else ""
    return checking.load(Scope(place.root, place.project, name))


def make_plan(place: Workplace, catalog: Catalog, store: Store, reader: Reader) -> Plan:
    """Compares and plans. It is given a reader: it could not write if it tried."""
    before = Counter(reader.asked)
    changes = diff.changes(catalog.resources, store)
    if changes:
        reader.ping()
        changes = _observed(catalog, store, reader, changes)
    where = Situation(
        place.name,
        place.environment.baseUrl,
        place.project.platform,
        commit(place.root) if changes else "",
        place.allow,
        Counter(reader.asked) - before,
    )
    return plan.make(catalog, store, changes, where)


def _observed(
    catalog: Catalog, store: Store, reader: Reader, changes: list[Change]
) -> list[Change]:
    """Looks at the platform where it matters: names that are used, things that would change."""
    names = live.Names(reader)
    wanted = [c.desired for c in changes if c.desired and c.difference is not Difference.SAME]
    problems = live.check_names(names, wanted, catalog.resources)
    if problems:
        raise InvalidCatalog(in_order(catalog.located(problems)))
    binder = live.Binder(
        _ids(store),
        lambda kind, name: live.id_of_name(names, kind, name),
        catalog.resources.__contains__,
    )
    records = [c.recorded for c in changes if c.recorded and c.difference is Difference.CHANGED]
    seen = live.read(reader, binder, records)
    return [diff.with_live(c, seen.get(c.was or c.address)) for c in changes]


def _ids(store: Store) -> Callable[[Address], Ids | None]:
    return lambda address: record.ids if (record := store.record(address)) else None


Approve = Callable[[Plan], bool]


def apply_catalog(place: Workplace, store: Store, progress: Progress, approve: Approve) -> Report:
    """Recovers, plans, asks and applies, all under one lock; an unapproved plan changes nothing."""
    catalog = load(place)
    with session(place, store, progress) as opened:
        _recover(opened)
        made = make_plan(place, catalog, store, opened.reader)
        if not approve(made):
            opened.report.declined = True
            return opened.report
        return _run(opened, made)


def apply_saved(place: Workplace, saved: Plan, store: Store, progress: Progress) -> Report:
    """Applies a saved plan, if everything it was made from still stands; raises `StalePlan`."""
    if (saved.environment, saved.base_url) != (place.name, place.environment.baseUrl):
        raise WrongUse(
            f"the plan is for {saved.environment} at {saved.base_url}, "
            f"this run for {place.name} at {place.environment.baseUrl}",
            f"choose it with -e {saved.environment}",
        )
    with session(place, store, progress) as opened:
        _recover(opened)
        apply.refuse_stale(opened, saved)
        plan.refuse_underived(saved, store)
        return _run(opened, saved)


@contextmanager
def session(place: Workplace, store: Store, progress: Progress) -> Iterator[Session]:
    """Holds the state and a way to write to the platform; raises `StateLocked`."""
    with store.locked(), place.writer() as writer:
        store.claim(place.name)
        opened = Session(store, writer, live.Names(writer), progress)
        opened.report.calls = writer.calls
        yield opened


def _recover(opened: Session) -> None:
    """Clears the state of what an earlier run left open, where that can be."""
    if opened.store.open_operations():
        opened.writer.ping()
        apply.recover(opened)


def _run(opened: Session, made: Plan) -> Report:
    opened.plan, opened.commit = plan.digest(made), made.commit
    if made.steps:
        opened.writer.ping()
    with apply.listening() as stop:
        return apply.run(opened, made, stop)


def confirm_manual(place: Workplace, store: Store, address: Address) -> None:
    """Believes a person that the manual steps of a resource are done: records it as desired."""
    apply.done_by_hand(store, address, load(place).resources.get(address))
