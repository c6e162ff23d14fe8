"""The whole tool on one page: load, observe, plan, apply, record."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from . import apply, diff, graph, live, manifests, plan
from .address import Address
from .apply import Progress, Report, Session
from .client import Reader, Writer
from .diff import Change, Difference
from .errors import InvalidCatalog, WrongUse
from .kinds import KINDS
from .kinds.kind import Change as KindChange
from .manifests.commit import commit
from .plan import Plan, Situation
from .problems import Problem, errors, in_order
from .settings import Environment, Project
from .state import Record, Store, open_store


class Workplace(NamedTuple):
    """A catalog on disk, and the one environment that a run is about."""

    root: Path
    project: Project
    name: str
    environment: Environment

    def reader(self) -> Reader:
        return Reader(self.environment.baseUrl, self.environment.apiKey.read())

    def writer(self) -> Writer:
        return Writer(self.environment.baseUrl, self.environment.apiKey.read())

    @contextmanager
    def store(self) -> Iterator[Store]:
        store = open_store(self.project.state, self.root, self.name)
        try:
            yield store
        finally:
            store.close()


def workplace(root: Path, environment: str | None, env: Mapping[str, str]) -> Workplace:
    """Reads `lmssync.yaml` and chooses the environment; raises `WrongUse`, `InvalidCatalog`."""
    project = manifests.project(root)
    name, chosen = project.choose(environment, env)
    if env.get("LMSSYNC_STATE"):
        project = project.model_copy(update={"state": env["LMSSYNC_STATE"]})
    return Workplace(root, project, name, chosen)


def validate(root: Path) -> tuple[manifests.Catalog, list[Problem]]:
    """The catalog and everything that is wrong with it, sorted by place; touches no network."""
    catalog, problems = manifests.load(root)
    if not errors(problems):
        problems += graph.cycles(catalog.resources)
    problems += graph.check(catalog.resources)
    problems += graph.unique(catalog.resources)
    return catalog, in_order(manifests.locate(root, problems))


def load(root: Path) -> manifests.Catalog:
    """The catalog; raises `InvalidCatalog` if anything in it is an error."""
    catalog, problems = validate(root)
    if errors(problems):
        raise InvalidCatalog(problems)
    return catalog


def make_plan(place: Workplace, catalog: manifests.Catalog, store: Store, reader: Reader) -> Plan:
    """Compares and plans. It is given a reader: it could not write if it tried."""
    changes = diff.changes(catalog.resources, store)
    if changes:
        reader.ping()
        changes = _observed(catalog, store, reader, changes)
    where = Situation(
        place.name,
        place.environment.baseUrl,
        place.project.platform,
        commit(place.root) if changes else "",
    )
    return plan.make(catalog, store, changes, where)


def _observed(
    catalog: manifests.Catalog, store: Store, reader: Reader, changes: list[Change]
) -> list[Change]:
    """Looks at the platform where it matters: names that are used, things that would change."""
    names = live.Names(reader)
    wanted = [c.desired for c in changes if c.desired and c.difference is not Difference.SAME]
    problems = live.check_names(names, wanted, catalog.resources)
    if problems:
        raise InvalidCatalog(in_order(manifests.locate(catalog.root, problems)))
    binder = live.Binder(_ids(store), lambda kind, name: live.id_of_name(names, kind, name))
    records = [c.recorded for c in changes if c.recorded and c.difference is Difference.CHANGED]
    seen = live.read(reader, binder, records)
    return [diff.with_live(change, seen.get(change.address)) for change in changes]


def _ids(store: Store) -> live.binding.IdsOf:
    return lambda address: record.ids if (record := store.record(address)) else None


Approve = Callable[[Plan], bool]


def apply_catalog(place: Workplace, store: Store, progress: Progress, approve: Approve) -> Report:
    """Recovers, plans, asks and applies, all under one lock; an unapproved plan changes nothing."""
    catalog = load(place.root)
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
    desired = load(place.root).resources.get(address)
    record = store.record(address)
    if desired is None or record is None:
        raise WrongUse(
            f"{address} is not in the catalog and in the state, so nothing was left to do"
        )
    if KINDS[address.kind].update(KindChange(address, record.form, desired.form)).pieces:
        raise WrongUse(f"{address} has changes that the platform takes from lmssync", "apply first")
    with store.locked():
        paths = KINDS[address.kind].parts(desired.form)
        parts = {path: id_ for path, id_ in record.ids.parts.items() if path in paths}
        done: Record = record._replace(
            ids=record.ids._replace(parts=parts),
            packed=desired.packed,
            fingerprint=desired.fingerprint,
        )
        store.put([done], reason="a person says: done by hand")
