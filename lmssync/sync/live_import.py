"""From the platform into the catalog: manifests of what others have made there, and records."""

from collections.abc import Iterable, Iterator, Sequence, Set
from contextlib import nullcontext
from typing import NamedTuple

from ..planning import diff, plan_loading as planning
from ..planning.plan import count_fields
from ..planning.workspace import Workspace
from ..platform import live
from ..platform.client import Reader
from ..state import Proof, Record, Store, instance_of
from ..support.git import commit
from . import discovery


class ImportResult(NamedTuple):
    """Everything that an import did."""

    brought: Sequence[discovery.Brought]
    files: int
    managed: int = 0
    """How much of what was asked for is managed already, without what stands inside a course."""
    dry: bool = False


def import_live(
    workspace: Workspace,
    store: Store,
    reader: Reader,
    words: Sequence[str],
    tell: discovery.Tell,
    *,
    dry_run: bool,
) -> ImportResult:
    """Makes manifests of what the words name, or of all that is not managed, and records it.

    Raises `WrongUse` for a word that means nothing, and `InvalidCatalog` for a catalog with errors.
    """
    desired = planning.load_catalog(workspace).resources
    routes = workspace.project.platform.routes
    with nullcontext() if dry_run else store.hold_state():
        workspace.check_state(store)
        reader.ping_platform()
        names = discovery.NamesById(
            reader, store.list_records(), store.forgotten_addresses(), desired
        )
        items = discovery.list_everything(reader, routes)
        items = discovery.choose_items(items, words) if words else items
        new = [item for item in items if not discovery.is_managed(item, names)]
        into = None if dry_run else _destination(workspace, store, names)
        lines = list(discovery.bring_items(reader, routes, into, new, names, tell))
        if into:
            _count_fields(store, routes)
    files = sum(written for _, written in lines)
    return ImportResult([line for line, _ in lines], files, len(items) - len(new), dry_run)


def _count_fields(store: Store, routes: Set[str]) -> None:
    """Counts the fields of what was recorded: plans sum them up without opening every record."""
    recorded = store.fingerprints()
    counted = count_fields(store, store.proof_totals().uncounted, routes)
    store.keep_proofs(Proof(one, recorded[one], counts=found) for one, found in counted.items())


def _destination(
    workspace: Workspace, store: Store, names: discovery.NamesById
) -> discovery.Destination:
    store.claim_instance(workspace.name, instance_of(workspace.environment.baseUrl))
    binder, routes = live.Binder(store.find_ids, names.id_of), workspace.project.platform.routes

    def record(imported: Iterable[tuple[Record, discovery.ImportedResource]]) -> None:
        pairs = list(imported)
        store.put_records([record for record, _ in pairs], reason="imported from the platform")
        store.keep_proofs(_proofs_of(binder, routes, pairs))

    return discovery.Destination(workspace.root, record, commit(workspace.root))


def _proofs_of(
    binder: live.Binder,
    routes: Set[str],
    pairs: Iterable[tuple[Record, discovery.ImportedResource]],
) -> Iterator[Proof]:
    """What the reads have proven that the manifests were made from."""
    for record, one in pairs:
        seen = live.shown_whole(binder, record, one.form, one.item.answers, routes)
        if seen and seen.present:
            yield diff.make_proof(record, seen, routes, form=one.form)
