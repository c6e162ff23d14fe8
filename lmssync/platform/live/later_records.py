"""The order in which a look asks about records, a hundred at a time: some of them have to wait."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain

from ...kinds import KINDS
from ...resource import Address
from .fetch import FetchedLists, RecordRequest, strip_params

TOGETHER = 100
"""The records whose requests are in memory at once; as many as a window of records has."""


def order_for_reading(addresses: Iterable[Address]) -> list[Address]:
    """The addresses in the order in which a look asks about them. What shares an answer with
    others comes first, such as a criterion: its course is then known to wait for it."""
    return sorted(addresses, key=lambda address: not _has_shared_answers(address.kind))


@lru_cache
def _has_shared_answers(kind: str) -> bool:
    return any(reading.shared for reading in KINDS[kind].reads.readings)


def split_groups(groups: Iterable[Sequence[Address]]) -> Iterator[Sequence[Address]]:
    """Yields the addresses of groups, about a hundred at a time, and each group in one piece."""
    some = list[Address]()
    for group in groups:
        some += group
        if len(some) >= TOGETHER:
            yield some
            some = []
    yield some


@dataclass
class LaterRecords:
    """The records that are answered after the others: they need a list that is not read yet, or
    share an answer, and each is read once for all of them."""

    lists: FetchedLists
    unread: list[RecordRequest] = field(default_factory=list)
    """What they need of lists."""
    _alone: list[Address] = field(default_factory=list)
    _sharing: dict[str, list[Address]] = field(default_factory=dict)
    """Those that share an answer, by the key of its request."""

    def has_to_wait(self, made: Sequence[RecordRequest]) -> bool:
        """Whether the record of some requests is answered later; then it is among these."""
        missing = [one for one in made if one.reading.listed and not self.lists.has_item(one)]
        self.unread += map(strip_params, missing)
        keys = (one.key for one in made if one.reading.shared or one.key in self._sharing)
        if shared := next(keys, ""):
            self._sharing.setdefault(shared, []).append(made[0].address)
        elif missing:
            self._alone.append(made[0].address)
        return bool(shared or missing)

    def list_groups(self) -> Iterator[Sequence[Address]]:
        """The addresses of records, together where they share an answer."""
        return chain(([one] for one in self._alone), self._sharing.values())
