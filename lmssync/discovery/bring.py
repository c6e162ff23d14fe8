"""Makes manifests of some things, a few at a time: what is done stays done."""

from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from pathlib import Path
from typing import NamedTuple

from ..address import Address
from ..client import Reader
from ..state import Record
from .documents import imported_records, write_imported
from .listing import ListedItem
from .manifests import ImportedResource, import_items
from .names import NamesById

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
