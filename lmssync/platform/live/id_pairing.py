"""Finds out which ids of a batch are whose, by the fewest reads that prove it.

The answer of a create has the ids of what it made, in no promised order (O16), and none of parts
(O15). Where nothing needs them at once, they are read when something does: the id that a resource
has if the answer is in order is read first, and it is the right one only if its mark agrees.
Otherwise every id of the batch is read. What is left then, once all others have shown their marks,
can be nothing else.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from datetime import UTC, datetime
from itertools import chain
from typing import Any

from ...errors import Refused
from ...kind import Ambiguity, Ids, Json
from ...kinds import KINDS
from ...resource import Address
from ...state import PairKey, Record, Store, UnpairedIds
from ..client import Reader
from .change_marks import seconds_behind
from .readable_fields import available_readings

_TWIN = (
    "rename the one that is not in this catalog in the admin interface, and run the command again"
)
_AT_ONCE = 100
"""Answers that are held until their ids are recorded."""


class IdPairing:
    """Reads which ids resources have that were made together, and records them."""

    def __init__(self, reader: Reader, store: Store, routes: Set[str]) -> None:
        """`routes` are those that the instance has."""
        self._reader, self._store, self._routes = reader, store, routes

    def pair_ids(self, wanted: Sequence[UnpairedIds]) -> None:
        """Reads which ids some resources have. Of a batch in which no read shows it, the store
        remembers why."""
        wanted = [one for one in wanted if not self._store.is_looked_up(one)]
        just_made = self._seconds_behind(wanted) > 0
        for start in range(0, len(wanted), _AT_ONCE):
            self._read_ids(wanted[start : start + _AT_ONCE])
        left = [one for one in wanted if not self._store.is_looked_up(one)]
        for batch in dict.fromkeys(one.batch for one in left):
            self._search_batch(batch, just_made=just_made)

    def _search_batch(self, batch: str, *, just_made: bool) -> None:
        """Reads every id of a batch of which it is not known whose it is."""
        shown = self._read_ids(self._store.list_batch(batch))
        left = [m for m in self._store.list_batch(batch) if not self._store.is_looked_up(m)]
        lives = {one: shown[one.expected] for one in left}
        alone = len(left) == 1
        # A read may be behind: only this run believes that they are gone.
        if not any(lives.values()) and (alone or not just_made):
            self._store.keep_unshown(self._pair_parts(lives))
        elif alone and not _shows_a_mark(lives[left[0]], left[0].marker):
            self._store.keep_pairs(self._pair_parts(lives))
        else:
            for unclear in left:
                self._store.keep_unclear(unclear, _unclear_error(left))

    def _read_ids(self, wanted: Sequence[UnpairedIds]) -> Mapping[str, Any]:
        """What the expected ids show, by id. What is not shown yet, though it was made just now, is
        looked for again (O31). Whose ids they are is recorded, also where not all could be read."""
        shown: dict[UnpairedIds, Any] = dict.fromkeys(wanted)
        try:
            for _ in self._reader.take_looks(self._seconds_behind(wanted)):
                unseen = [one for one, live in shown.items() if live is None]
                answers = self._reader.ask_each(self._read_expected, unseen)
                shown.update(zip(unseen, answers, strict=True))
                if None not in shown.values():
                    break
        finally:
            self._record_owners({one: live for one, live in shown.items() if live is not None})
        return {one.expected: live for one, live in shown.items()}

    def _record_owners(self, shown: Mapping[UnpairedIds, Any]) -> None:
        """Records whose ids these are: of those whose ids they were expected to be, or of others
        of their batches."""
        owned = {one: live for one, live in shown.items() if carries_marker(live, one.marker)}
        others = dict[UnpairedIds, Any]()
        for batch in {one.batch for one in shown.keys() - owned.keys()}:
            lives = [live for one, live in shown.items() if one.batch == batch]
            for other in self._store.list_batch(batch):
                marked = [live for live in lives if carries_marker(live, other.marker)]
                # Two answers with the same mark prove nothing: somebody may have copied it.
                if len(marked) == 1:
                    others[other] = marked[0]
        self._store.keep_pairs(self._pair_parts(owned | others))

    def _pair_parts(self, shown: Mapping[UnpairedIds, Any]) -> Mapping[PairKey, Ids]:
        """All ids of resources whose own ids are known now, but for those with parts of which a
        read does not show which is which."""
        pairs = dict[PairKey, Ids]()
        for one, live in shown.items():
            ids = self._ids_of(one, live)
            if isinstance(ids, Ids):
                pairs[one.key] = ids
            else:
                self._store.keep_unclear(one, Refused(f"{one.address}: {ids.text}", 0, _TWIN))
        return pairs

    def _ids_of(self, one: UnpairedIds, live: Json | None) -> Ids | Ambiguity:
        """All ids of a resource whose own id is known now."""
        reads, record = KINDS[one.address.kind].reads, self._store.find_record(one.address)
        assert record is not None
        assert reads.pair is not None
        own = one.expected if live is None else live["id"]
        return reads.pair(record.form, Ids({reads.id_name: own}), live)

    def _seconds_behind(self, wanted: Sequence[UnpairedIds]) -> float:
        """For how many seconds a read may not show all of them yet."""
        now, ahead = datetime.now(UTC), self._reader.ahead
        shares = (wanted[start : start + _AT_ONCE] for start in range(0, len(wanted), _AT_ONCE))
        found = (self._store.find_records([one.address for one in share]) for share in shares)
        records = chain.from_iterable(records.values() for records in found)
        return max((seconds_behind(record, now, ahead) for record in records), default=0.0)

    def _read_expected(self, one: UnpairedIds) -> Any:
        """The answer is handed on to the comparison that most often follows."""
        reads = KINDS[one.address.kind].reads
        own = [one for one in available_readings(reads, self._routes) if not one.listed]
        first, plain = own[0], own[-1]
        answer = self._reader.read_route(first.route, {"id": one.expected})
        shaped = first.shape(answer) if first.shape and answer is not None else None
        if shaped is None and first is not plain:
            return self._reader.read_route(plain.route, {"id": one.expected})
        self._reader.hand_on(first.route, {"id": one.expected}, answer)
        return shaped


def carries_marker(live: Json, marker: str | None) -> bool:
    """Whether an answer shows the mark of something."""
    field, _, value = (marker or "").partition("=")
    return bool(field) and live.get(field) == value


def _shows_a_mark(live: Json | None, marker: str) -> bool:
    """Whether an answer shows the mark of something at all."""
    return bool(live and live.get(marker.partition("=")[0]))


def allow_pairing(store: Store, reader: Reader, routes: Set[str]) -> None:
    """Lets a run read the ids of what was made, when it needs them."""
    for one in (store, *store.others.open_states().values()):
        one.pairing = IdPairing(reader, one, routes).pair_ids


def pair_recorded(store: Store, records: Iterable[Record | None]) -> frozenset[Address]:
    """Reads at once which ids some resources have, where no read has shown that yet; returns those
    of which nobody can tell it."""
    unpaired = [one for record in records if record and (one := record.unpaired)]
    if unpaired and store.pairing:
        store.pairing(unpaired)
    return frozenset(one.address for one in unpaired if store.find_pairing_error(one))


def pair_batches(store: Store, addresses: Iterable[Address]) -> Iterator[Record]:
    """Reads which ids some resources have; yields the records whose ids are known by that, of
    others that were made together with them as well."""
    wanted = list(addresses)
    records = filter(None, map(store.find_record, wanted))
    batches = {one.batch for record in records if (one := record.unpaired)}
    members = [one.address for batch in batches for one in store.list_batch(batch)]
    pair_recorded(store, map(store.find_record, wanted))
    for record in filter(None, map(store.find_record, members)):
        if not record.unpaired:
            yield record


def _unclear_error(left: Sequence[UnpairedIds]) -> Refused:
    ids = " and ".join(one.expected for one in left)
    names = " and ".join(str(one.address) for one in left)
    return Refused(
        f"no read shows the mark of {names} under {ids}, so nobody can tell whose id that is",
        0,
        "if they were made just now, the platform may be behind: run the command again. Otherwise "
        "find it in the admin interface, write its sku into its manifest, then "
        f"`lmssync adopt {left[0].address}=ID` records it",
    )
