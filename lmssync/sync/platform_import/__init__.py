"""platform_import: what the platform has, listed, made into manifests, and recorded.

It reads the platform and sends no write. Manifests are written in batches.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from ...catalog.manifests.export import Manifest, manifest_texts, write_manifests
from ...errors import WrongUse
from ...kinds import KINDS, LOOKUPS
from ...planning import diff, plan_loading as planning
from ...planning.verification_coverage import count_fields
from ...planning.workspace import Workspace
from ...platform import live
from ...platform.client import Reader
from ...problems import suggest_near
from ...resource import Address, pack_form
from ...state import Proof, Record, Store, instance_of
from ...support.git_repository import read_commit
from .imported_manifests import (
    ImportedResource,
    UnwritablePart as UnwritablePart,
    import_items,
    write_new_part as write_new_part,
)
from .platform_items import (
    ListedItem,
    ListOwner,
    NamesById as NamesById,
    find_outer_kind,
    list_belonging,
    list_top_items,
)


def refuse_without_lists(routes: Set[str]) -> None:
    """Raises `WrongUse` where no route of the instance lists anything."""
    lists = [kind.imports for kind in KINDS.values() if kind.imports and not kind.imports.owner]
    if not any(imports.routes <= routes for imports in lists):
        raise WrongUse(
            "no route of this instance lists its content",
            "if it has further routes, say so in lmssync.yaml: `platform: {profile: extended}`",
        )


def list_everything(reader: Reader, routes: Set[str], names: NamesById) -> list[ListedItem]:
    """All that the platform has and that can have a manifest of its own."""
    items = list(list_top_items(reader, routes))
    for kind in LOOKUPS:
        if any(k.imports and k.imports.owner == kind for k in KINDS.values()):
            owners = [ListOwner([one["id"]], one) for one in names.looked_up[kind]]
            of_owners = list_belonging(reader, routes, kind, owners)
            items += [item for item in of_owners if not find_outer_kind(item.kind)]
    return items


def choose_items(items: Sequence[ListedItem], words: Iterable[str]) -> list[ListedItem]:
    """The items that the words name, by an id or a slug; raises `WrongUse` for an unknown one."""
    by_word = {word: item for item in items for word in (item.name, *item.ids)}
    wanted: dict[str, ListedItem] = {}
    for word in words:
        item = by_word.get(word) or by_word.get(word.lower())
        if item is None:
            raise WrongUse(
                f"the platform lists nothing with the id or slug `{word}`",
                suggest_near(word, [item.name for item in items])  # ids are alike by chance
                or "give the id of a course, a course group or a license",
            )
        wanted[item.ids[0]] = item
    return list(wanted.values())


def write_imported(
    root: Path, outcomes: Iterable[ImportedResource], *, again: bool = False
) -> list[str]:
    """Writes the manifests and their bodies below a folder; returns the paths.

    What the catalog has already stays as it is, and so does a file with the same text: an import
    that was stopped goes on. Raises `WrongUse` for a file that says something else, unless this
    run wrote it and now writes it `again`, and `LmssyncError`.
    """
    new = (outcome for outcome in outcomes if not outcome.written)
    wanted = manifest_texts(map(_make_manifest, new), body_files=True, folders=True)
    write_manifests(
        root,
        {path: text for path, text in wanted.items() if not _has_text(root / path, text)},
        force=again,
    )
    return list(wanted)


def _has_text(file: Path, text: str) -> bool:
    try:
        return file.read_bytes() == text.encode()
    except OSError:
        return False


def _make_manifest(outcome: ImportedResource) -> Manifest:
    """The document of an outcome, with the short forms of what is written inside it."""
    data = dict(outcome.data)
    for inner in outcome.inside:
        if inner.data and not inner.written:
            field, short = _short_form(outcome, inner)
            data.setdefault(field, []).append(short)
    return Manifest(outcome.address, data, inner=tuple(i.address for i in outcome.inside))


def _short_form(outer: ImportedResource, inner: ImportedResource) -> tuple[str, Mapping[str, Any]]:
    resource = KINDS[inner.address.kind].resource
    nested = next(n for n in KINDS[outer.address.kind].authoring.nested if n.resource == resource)
    implied = {"resource", "key", nested.owner}
    data = {name: value for name, value in inner.data.items() if name not in implied}
    return nested.field, {"id": inner.address.key.removeprefix(f"{outer.address.key}."), **data}


def make_imported_records(
    outcomes: Iterable[ImportedResource], commit: str = ""
) -> Iterator[tuple[Record, ImportedResource]]:
    """The records that the state will have: the forms of the manifests."""
    for outcome in outcomes:
        for one in (outcome, *outcome.inside):
            if one.data:
                record = Record.from_form(one.address, one.ids, pack_form(one.form), commit=commit)
                yield record, one


_AT_A_TIME = 25
"""The number of items whose contents are in memory at once; each batch is recorded when its files
are written."""

Pair = tuple[ListedItem, Address]
"""Something on the platform, and the address that it gets."""
TellCount = Callable[[int, int], None]
"""Gets how many are done, and of how many."""


class ImportedItem(NamedTuple):
    """The outcome for one thing on the platform, for a report."""

    address: Address
    id: str
    title: str
    inside: Sequence[Address]
    """The things that are written inside its manifest."""
    notes: Sequence[tuple[Address, str]]
    """The values that no manifest can have."""
    refusal: str = ""
    """Why it has no manifest."""


class ImportDestination(NamedTuple):
    """Where manifests and records go."""

    root: Path
    record: Callable[[Iterable[tuple[Record, ImportedResource]]], None]
    """Records what the files say that were written just before."""
    commit: str = ""


def import_in_batches(
    reader: Reader,
    routes: Set[str],
    into: ImportDestination | None,
    items: Sequence[ListedItem],
    names: NamesById,
    tell: TellCount,
    *,
    as_html: bool,
) -> Iterator[tuple[ImportedItem, int]]:
    """Each item as it is brought in, and how many files were written since the one before.

    Without a catalog nothing is written and nothing is recorded.
    """
    import_some = partial(import_items, reader, routes, names=names, as_html=as_html)
    pairs = list(names.name_items(items))
    refused: list[ListedItem] = []
    done = 0
    for batch in _make_batches(pairs):
        outcomes = list(import_some(batch))
        files = _keep_outcomes(into, outcomes) if into else 0
        # Their names were given out before anybody knew: they are withdrawn below.
        refused += [outcome.item for outcome in outcomes if not outcome.data]
        done += len(batch)
        tell(done, len(items))
        for outcome in outcomes:
            yield _describe_import(outcome), files
            files = 0
    # A manifest that was refused leaves references to its key in files that are written already.
    users = set().union(*map(names.withdraw_name, refused))
    if into:  # what names something by a key that has no manifest after all is written once more
        for batch in _make_batches([pair for pair in pairs if pair[0].ids[0] in users]):
            _keep_outcomes(into, list(import_some(batch)), again=True)


def _make_batches(pairs: Sequence[Pair]) -> Iterator[Sequence[Pair]]:
    for start in range(0, len(pairs), _AT_A_TIME):
        yield pairs[start : start + _AT_A_TIME]


def _keep_outcomes(
    into: ImportDestination, outcomes: Iterable[ImportedResource], *, again: bool = False
) -> int:
    """Writes the manifests, then records them."""
    good = [outcome for outcome in outcomes if outcome.data]
    files = write_imported(into.root, good, again=again) if good else []
    # In this order: a run that is stopped between the two writes the same files again.
    if good:
        into.record(make_imported_records(good, into.commit))
    return len(files)


def _describe_import(outcome: ImportedResource) -> ImportedItem:
    item, address = outcome.item, outcome.address
    if not outcome.data:
        return ImportedItem(address, item.ids[0], item.title, (), (), "; ".join(outcome.notes))
    parts = outcome, *outcome.inside
    within = tuple((one.address, note) for one in parts for note in one.notes)
    inside = tuple(one.address for one in outcome.inside if one.data)
    return ImportedItem(address, item.ids[0], item.title, inside, within)


class ImportResult(NamedTuple):
    """Everything that an import did."""

    brought: Sequence[ImportedItem]
    files: int
    managed: int = 0
    """How much of what was asked for is managed or in the catalog already, without what stands
    inside a course."""
    dry: bool = False


def import_from_platform(
    workspace: Workspace,
    store: Store,
    reader: Reader,
    words: Sequence[str],
    tell: TellCount,
    *,
    dry_run: bool,
    as_html: bool = False,
) -> ImportResult:
    """Makes manifests of what the words name, or of all that is not managed, and records it.

    Bodies are Markdown where learners see the same page, or `as_html`, to the byte.
    Raises `WrongUse` for a word that means nothing, and `InvalidCatalog` for a catalog with errors.
    """
    routes = workspace.platform.routes
    refuse_without_lists(routes)
    desired = planning.load_catalog(workspace).resources
    with nullcontext() if dry_run else store.hold_state():
        workspace.check_state(store)
        # Before anything is listed, so that a wrong key is reported as that.
        reader.ping_platform()
        live.allow_pairing(store, reader, routes)
        pair, forgotten = partial(live.pair_batches, store), store.list_records(forgotten=True)
        names = NamesById(reader, store.list_records, pair, forgotten, desired)
        items = list_everything(reader, routes, names)
        names.note_items(items)
        items = choose_items(items, words) if words else items
        new = [item for item in items if not names.knows_item(item)]
        into = None if dry_run else _open_destination(workspace, store, names)
        # The generator writes as it goes; it ends inside the lock of the state.
        brought, files = list[ImportedItem](), 0
        for line, written in import_in_batches(
            reader, routes, into, new, names, tell, as_html=as_html
        ):
            brought.append(line)
            files += written
        if into:
            _count_fields(store, routes)
    return ImportResult(brought, files, len(items) - len(new), dry_run)


def _count_fields(store: Store, routes: Set[str]) -> None:
    recorded = store.fingerprints()
    counted = count_fields(store, store.proof_totals().uncounted, routes)
    # Plans and `status` sum them up without opening every record.
    store.keep_proofs(Proof(one, recorded[one], counts=found) for one, found in counted.items())


def _open_destination(workspace: Workspace, store: Store, names: NamesById) -> ImportDestination:
    store.claim_instance(workspace.name, instance_of(workspace.environment.baseUrl))
    binder, routes = live.Binder(store.find_ids, names.find_id), workspace.platform.routes

    def record(imported: Iterable[tuple[Record, ImportedResource]]) -> None:
        pairs = list(imported)
        # Records first, since a proof is about a record.
        store.put_records([record for record, _ in pairs], reason="imported from the platform")
        store.keep_proofs(_make_proofs(binder, routes, pairs))

    return ImportDestination(workspace.root, record, read_commit(workspace.root))


def _make_proofs(
    binder: live.Binder, routes: Set[str], pairs: Iterable[tuple[Record, ImportedResource]]
) -> Iterator[Proof]:
    """The proofs of the reads that the manifests were made from."""
    for record, one in pairs:
        seen = live.shown_whole(binder, record, one.form, one.answers, routes)
        if seen and seen.present:
            yield diff.make_proof(record, seen, routes, form=one.form)
