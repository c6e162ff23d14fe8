"""Makes manifests of some things, a few at a time: what is done stays done."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from pathlib import Path
from typing import Any, NamedTuple

from ...catalog.manifests.export import Manifest, manifest_texts, write_manifests
from ...kinds import KINDS
from ...platform.client import Reader
from ...resource import Address, pack_form
from ...state import Record
from .listing import ListedItem
from .manifests import ImportedResource, import_items
from .names import NamesById


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
        {path: text for path, text in wanted.items() if not _is_there(root / path, text)},
        force=again,
    )
    return list(wanted)


def _is_there(file: Path, text: str) -> bool:
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


def imported_records(
    outcomes: Iterable[ImportedResource], commit: str = ""
) -> Iterator[tuple[Record, ImportedResource]]:
    """What the state will say of them: the forms that the manifests have."""
    for outcome in outcomes:
        for one in (outcome, *outcome.inside):
            if one.data:
                record = Record.from_form(one.address, one.ids, pack_form(one.form), commit=commit)
                yield record, one


_AT_A_TIME = 25
"""Items whose contents are held at once; each batch is recorded when its files are written."""

Pair = tuple[ListedItem, Address]
"""Something on the platform, and the address that it gets."""
Tell = Callable[[int, int], None]
"""Gets how many are done, and of how many."""


class Brought(NamedTuple):
    """What became of one thing on the platform, for a report."""

    address: Address
    id: str
    title: str
    inside: Sequence[Address]
    """What is written inside its manifest."""
    notes: Sequence[tuple[Address, str]]
    """What no manifest says."""
    refusal: str = ""
    """Why it has no manifest."""


class Destination(NamedTuple):
    """Where manifests and records go."""

    root: Path
    record: Callable[[Iterable[tuple[Record, ImportedResource]]], None]
    """Records what the files say that were written just before."""
    commit: str = ""


def bring_items(
    reader: Reader,
    routes: Set[str],
    into: Destination | None,
    items: Sequence[ListedItem],
    names: NamesById,
    tell: Tell,
) -> Iterator[tuple[Brought, int]]:
    """Each item as it is brought in, and how many files were written since the one before.

    Without a catalog nothing is written and nothing is recorded.
    """
    pairs = list(names.name_items(items))
    refused: list[ListedItem] = []
    done = 0
    for batch in _make_batches(pairs):
        outcomes = list(import_items(reader, routes, batch, names))
        files = _keep_outcomes(into, outcomes) if into else 0
        refused += [outcome.item for outcome in outcomes if not outcome.data]
        done += len(batch)
        tell(done, len(items))
        for outcome in outcomes:
            yield _brought_line(outcome), files
            files = 0
    _name_by_ids(reader, routes, into, pairs, refused, names)


def _make_batches(pairs: Sequence[Pair]) -> Iterator[Sequence[Pair]]:
    for start in range(0, len(pairs), _AT_A_TIME):
        yield pairs[start : start + _AT_A_TIME]


def _name_by_ids(
    reader: Reader,
    routes: Set[str],
    into: Destination | None,
    pairs: Sequence[Pair],
    refused: Sequence[ListedItem],
    names: NamesById,
) -> None:
    """Writes once more what names something by a key that has no manifest after all."""
    users = set().union(*map(names.withdraw_name, refused))
    if into:
        for batch in _make_batches([pair for pair in pairs if pair[0].ids[0] in users]):
            _keep_outcomes(into, list(import_items(reader, routes, batch, names)), again=True)


def _keep_outcomes(
    into: Destination, outcomes: Iterable[ImportedResource], *, again: bool = False
) -> int:
    """Writes the manifests, then records them: a run that is stopped between writes them again."""
    good = [outcome for outcome in outcomes if outcome.data]
    files = write_imported(into.root, good, again=again) if good else []
    if good:
        into.record(imported_records(good, into.commit))
    return len(files)


def _brought_line(outcome: ImportedResource) -> Brought:
    item, address = outcome.item, outcome.address
    if not outcome.data:
        return Brought(address, item.ids[0], item.title, (), (), "; ".join(outcome.notes))
    within = [(one.address, note) for one in (outcome, *outcome.inside) for note in one.notes]
    inside = [one.address for one in outcome.inside if one.data]
    return Brought(address, item.ids[0], item.title, inside, within)
