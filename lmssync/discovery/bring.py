"""Makes manifests of some things, a few at a time: what is done stays done."""

from collections.abc import Callable, Iterator, Sequence, Set
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from ..address import Address
from ..client import Reader
from ..state import Store
from .documents import records, write
from .listing import Item
from .manifests import Outcome, imported
from .names import Names

_AT_A_TIME = 25
"""Items whose contents are held at once; each batch is recorded when its files are written."""

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


class Catalog(NamedTuple):
    """Where manifests and records go."""

    root: Path
    store: Store
    commit: str = ""


def brought(
    reader: Reader,
    routes: Set[str],
    into: Catalog | None,
    items: Sequence[Item],
    names: Names,
    tell: Tell,
) -> Iterator[tuple[Brought, int]]:
    """Each item as it is brought in, and how many files were written since the one before.

    Without a catalog nothing is written and nothing is recorded.
    """
    pairs = iter(list(names.name(items)))
    done = 0
    while batch := list(islice(pairs, _AT_A_TIME)):
        outcomes = list(imported(reader, routes, batch, names))
        files = _kept(into, [outcome for outcome in outcomes if outcome.data]) if into else 0
        done += len(batch)
        tell(done, len(items))
        for outcome in outcomes:
            yield _line(outcome), files
            files = 0


def _kept(into: Catalog, outcomes: Sequence[Outcome]) -> int:
    """Writes the manifests, then records them: a run that is stopped between writes them again."""
    files = write(into.root, outcomes)
    into.store.put(records(outcomes, into.commit), reason="imported from the platform")
    return len(files)


def _line(outcome: Outcome) -> Brought:
    item, address = outcome.item, outcome.address
    if not outcome.data:
        return Brought(address, item.ids[0], item.title, (), (), "; ".join(outcome.notes))
    within = [(one.address, note) for one in (outcome, *outcome.inside) for note in one.notes]
    inside = [one.address for one in outcome.inside if one.data]
    return Brought(address, item.ids[0], item.title, inside, within)
