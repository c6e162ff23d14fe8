"""Which resources the times of a list show to be as they were last read, or as they were made.

Only an instance with `LIST_TIMES` is believed so much, and never for longer than `TRUSTED_FOR`.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from datetime import UTC, datetime, timedelta
from functools import lru_cache, partial
from itertools import filterfalse
from sys import intern
from typing import Any, NamedTuple

from ...kind import Ids, Reading, ReadRequest
from ...kinds import KINDS
from ...resource import Address, load_form
from ...state import Proof, Record
from ...vocabulary.routes import LIST_TIMES
from ..client import Reader
from .binding import Binder
from .change_marks import (
    EXACTNESS,
    LAG,
    NO_MARKS,
    NOTICED,
    OWN,
    ChangeMarks,
    changed_at,
    parse_change_mark,
)
from .fetch import (
    IDS_PER_QUERY,
    Answered,
    FetchedLists,
    RecordRequest,
    ask_reading,
    bind_request,
    fetch_lists,
    gather_answers,
    list_searches,
)
from .readable_fields import available_readings
from .value_equality import as_recorded

WHOLE = "*"
"""The mark of a resource with all of its parts: the `updatedAt` of its item in a list."""
TRUSTED_FOR = timedelta(days=7)
"""Whatever was not read for longer is read again, whatever a list says."""


class ListedTime(NamedTuple):
    """The times that a list shows of one resource."""

    id: str
    """The id under which it shows that: of what no read has shown yet, the one that it expects."""
    changed_at: str
    """When it was last changed."""
    settled: bool
    """False if that was so lately that a read may not show it yet (O31)."""
    as_made: bool = False
    """Whether it shows that nothing was changed since a call of ours has made it."""
    as_read: bool = False
    """Whether it shows the time of a look that has found everything as it is recorded now."""
    unmoved: bool = False
    """Whether it shows that all is as it was read, not long ago, or as it was made."""
    proven: int = 0
    """How many fields that look has proven."""


Records = Mapping[Address, Record]
FindRecords = Callable[[Sequence[Address]], Records]


class RecordedLooks(NamedTuple):
    """Finds what is recorded of some resources."""

    find_records: FindRecords
    find_proofs: Callable[[Records], Mapping[Address, Proof]]
    """What earlier looks have shown of these, where that may be used."""
    find_ids: FindRecords
    """Records of which nothing but the ids is used."""


def read_list_times(
    reader: Reader,
    binder: Binder,
    addresses: Iterable[Address],
    routes: Set[str],
    recorded: RecordedLooks,
    *,
    lists: FetchedLists | None = None,
    is_read: Callable[[ListedTime], bool] = lambda time: not time.unmoved,
) -> Iterator[tuple[Address, ListedTime]]:
    """What the lists of an instance with `LIST_TIMES` show of some resources; not of those that
    they do not show. What they show of resources that are read after that is added to `lists`;
    `is_read` says which of those with a time these are.

    No course is read for that: lists are asked for all ids of a batch, whosever they are.
    """
    lists, known = lists or FetchedLists(), dict[Address, Ids]()
    knowing = binder.with_ids(known)
    batches = _read_whole_lists(reader, binder, addresses, routes, recorded.find_ids, lists)
    searched = reader.ask_each(partial(_search_items, reader), batches)
    for batch, items in zip(batches, searched, strict=True):
        now = datetime.now(UTC) + timedelta(seconds=reader.ahead)
        found = recorded.find_records(batch.addresses)
        paired = {address: one for address, one in found.items() if not one.unpaired}
        known.clear()
        known.update((address, one.known_ids) for address, one in paired.items())
        proofs = recorded.find_proofs(paired)
        for address, record in found.items():
            asked = _make_requests(_with_expected(record), routes)
            made = [
                (one, items.get((one.request.route, one.id)) or lists.item_of(one)) for one in asked
            ]
            time = _judge_times(knowing, record, proofs.get(address), made, now)
            if time is None or is_read(time):
                lists.add_shown(made)
            if time:
                yield address, time


class _Batch(NamedTuple):
    """Resources that are judged together."""

    addresses: Sequence[Address]
    searches: Sequence[RecordRequest]
    """The searches that show items of all of them."""


def _read_whole_lists(
    reader: Reader,
    binder: Binder,
    addresses: Iterable[Address],
    routes: Set[str],
    find_ids: FindRecords,
    lists: FetchedLists,
) -> list[_Batch]:
    """Adds to `lists` what is read of whole lists, and returns the searches for everything else."""
    dated = [address for address in addresses if _dated_lists(address.kind, routes)]
    batches, wanted = list[_Batch](), list[RecordRequest]()
    for start in range(0, len(dated), IDS_PER_QUERY):
        some = dated[start : start + IDS_PER_QUERY]
        records = map(_with_expected, find_ids(some).values())
        asked = [one for record in records for one in _make_requests(record, routes)]
        batches.append(_Batch(some, list_searches(filter(_is_searched, asked))))
        wanted += filterfalse(_is_searched, asked)
    fetch_lists(reader, wanted, routes, lists, partial(bind_request, binder))
    return batches


def _is_searched(asked: RecordRequest) -> bool:
    """Whether one search shows the items of many resources, and no list shows those of all."""
    listed = asked.reading.listed
    return bool(listed and listed.query and not listed.whole)


def _search_items(reader: Reader, batch: _Batch) -> dict[tuple[str, str], Any]:
    """The items that the searches of a batch show, by route and id."""
    return {
        (one.request.route, item["id"]): item
        for one in batch.searches
        for item in ask_reading(reader, one.request, one.params) or ()
    }


def _with_expected(record: Record) -> Record:
    """The record with the id that it expects, where no read has shown yet which one it has."""
    one = record.unpaired
    own = one and Ids({KINDS[record.address.kind].reads.id_name: one.expected})
    return record._replace(kept_ids=own) if own else record


def find_unmoved(
    reader: Reader,
    binder: Binder,
    seen: Mapping[Address, tuple[str, str]],
    routes: Set[str],
    find_records: FindRecords,
) -> frozenset[Address]:
    """The resources that the lists still show with the times of the last whole read that found them
    as recorded, unless that is too long ago: nothing of these was changed since, and none has to be
    read again. `seen` gives that time and the day of that read."""

    def recall_looks(found: Records) -> dict[Address, Proof]:
        looks = {}
        for address, record in found.items():
            listed_at, day = seen[address]
            read_at = day and f"{day}T00:00:00Z"
            looks[address] = Proof(address, record.fingerprint, (), read_at, {WHOLE: listed_at})
        return looks

    recorded = RecordedLooks(find_records, recall_looks, find_records)
    times = read_list_times(reader, binder, seen, routes, recorded)
    return frozenset(address for address, time in times if time.unmoved)


def settled_time(made: Answered, routes: Set[str], now: datetime) -> str:
    """The time in a list at which something was last changed, if that was so long before `now`,
    by the platform's clock, that every read shows it (O31); empty where times mean nothing."""
    stamp = changed_at(_dated_item(made)) if LIST_TIMES in routes else ""
    changed = parse_change_mark(stamp)
    return stamp if changed and now - changed > LAG else ""


def _judge_times(
    binder: Binder, record: Record, known: Proof | None, made: Answered, now: datetime
) -> ListedTime | None:
    """The time that the item of a resource shows, if it does, and what it means beside an earlier
    look, unless that was about another form or has noticed something."""
    item = _dated_item(made)
    stamp = intern(changed_at(item))  # many were made in one call
    changed = parse_change_mark(stamp)
    if changed is None:
        return None
    as_made, settled = _is_as_made(record, item, changed), now - changed > LAG
    known = known if known and known.fingerprint == record.fingerprint else None
    if known is None or NOTICED in known.marks.values():
        return ListedTime(item["id"], stamp, settled, as_made)
    as_read = known.marks.get(WHOLE) == stamp
    unmoved = (
        (as_read or (as_made and _was_read_back(record, known, changed)))
        and _is_recent(known)
        and _is_as_listed(binder, record, made, changed)
    )
    proven = known.counts.proven
    return ListedTime(item["id"], stamp, settled, as_made, as_read, unmoved, proven)


@lru_cache
def _dated_lists(kind: str, routes: Set[str]) -> Sequence[tuple[Reading, ReadRequest]]:
    """All lists that show a kind with dated items, each with one request for every resource: none
    of the requests needs a form, so they differ in their params only."""
    readings = [one for one in available_readings(KINDS[kind].reads, routes) if one.listed]
    if not any(one.dated for one in readings):
        return ()
    return [(one, one.request(Address(kind, ""), {})) for one in readings]


def _make_requests(record: Record, routes: Set[str]) -> Iterator[RecordRequest]:
    """What is asked of the lists about a resource; params are bound where one alone is read."""
    own = record.known_ids.own
    for reading, request in _dated_lists(record.address.kind, routes):
        if reading.listed and (id_ := own.get(reading.listed.id)):
            yield RecordRequest(record.address, reading, request, {}, id_)


def _is_recent(proof: Proof) -> bool:
    """Whether a record was read so lately that a list may replace another read."""
    read = parse_change_mark(proof.proved_at)  # by our clock, as every time of a proof
    return read is not None and datetime.now(UTC) - read <= TRUSTED_FOR


def _is_as_made(record: Record, item: Any, changed: datetime) -> bool:
    """Whether a call of ours has made it, and nothing was changed since: the search shows one
    moment for both, just before it was recorded."""
    created = parse_change_mark(str(item.get("createdAt")))
    recorded = parse_change_mark(record.applied_at)
    # A create sets both times at once, told in whole seconds.
    if not (created and recorded) or changed - created > EXACTNESS:
        return False
    return recorded - OWN <= created <= recorded + EXACTNESS


def _was_read_back(record: Record, proof: Proof, changed: datetime) -> bool:
    """Whether the only look at it was that of the run that made it, and no part was changed after
    the time in the list. A later look has kept that time itself, if it may be used."""
    if {*proof.readings} != {KINDS[record.address.kind].reads.readings[-1].route}:
        return False
    parts = map(parse_change_mark, {*proof.marks.values()})
    return all(part and part <= changed + EXACTNESS for part in parts)


def _is_as_listed(binder: Binder, record: Record, made: Answered, latest: datetime) -> bool:
    """Whether every list shows it, none later than the search, and all as it is recorded."""
    for _, item in made:
        changed = parse_change_mark(changed_at(item))
        if item is None or (changed and changed > latest):
            return False
    form, since = load_form(record.packed), ChangeMarks.since_record(record, NO_MARKS, 0)
    seen = gather_answers(binder, record, form, made, since)
    return as_recorded(binder, seen, None) is not None


def _dated_item(made: Answered) -> Any:
    return next((item for one, item in made if one.reading.dated), None)
