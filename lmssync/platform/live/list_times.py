"""Which resources the times of a list show to be as they were last read, or as they were made.

Only an instance with `LIST_TIMES` is believed so much, and never for longer than `TRUSTED_FOR`.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

from ...kind import Ids, ReadRequest
from ...kinds import KINDS
from ...resource import Address
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
    asked_of,
    fetch_lists,
    gather_answers,
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


Records = Mapping[Address, Record]


def read_list_times(
    reader: Reader,
    binder: Binder,
    addresses: Iterable[Address],
    routes: Set[str],
    find_records: Callable[[Sequence[Address]], Records],
    find_proofs: Callable[[Records], Mapping[Address, Proof]],
    *,
    lists: FetchedLists | None = None,
) -> Iterator[tuple[Address, ListedTime]]:
    """What the lists of an instance with `LIST_TIMES` show of some resources; not of those that
    they do not show. `find_proofs` gives what earlier looks have shown of some, where that may be
    used. What the lists show is added to `lists`.

    No course is read for that: lists are asked for all ids of a batch, whosever they are.
    """
    known = dict[Address, Ids]()
    knowing = binder.with_ids(known)
    shared = dict[int, ReadRequest]()
    asked = {
        address: list(_make_requests(knowing, _with_expected(record), routes, shared))
        for found in _find_batches(known, list(addresses), find_records)
        for address, record in found.items()
    }
    lists = fetch_lists(reader, [one for some in asked.values() for one in some], routes, lists)
    now = datetime.now(UTC) + timedelta(seconds=reader.ahead)
    for found in _find_batches(known, list(asked), find_records):
        proofs = find_proofs({a: record for a, record in found.items() if not record.unpaired})
        for address, record in found.items():
            made = [(one, lists.item_of(one)) for one in asked[address]]
            item = _dated_item(made)
            stamp = changed_at(item)
            if changed := parse_change_mark(stamp):
                as_made = _is_as_made(record, item, changed)
                time = ListedTime(item["id"], stamp, now - changed > LAG, as_made)
                look = proofs.get(address)
                yield (
                    address,
                    _judge_time(knowing, record, look, made, time) if look else time,
                )


def _find_batches(
    known: dict[Address, Ids],
    addresses: Sequence[Address],
    find_records: Callable[[Sequence[Address]], Records],
) -> Iterator[Records]:
    """The records of some addresses, a hundred at a time, whose ids are `known` meanwhile."""
    for start in range(0, len(addresses), IDS_PER_QUERY):
        found = find_records(addresses[start : start + IDS_PER_QUERY])
        known.clear()
        known.update((a, one.known_ids) for a, one in found.items() if not one.unpaired)
        yield found


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
    find_records: Callable[[Sequence[Address]], Records],
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

    times = read_list_times(reader, binder, seen, routes, find_records, recall_looks)
    return frozenset(address for address, time in times if time.unmoved)


def settled_time(made: Answered, routes: Set[str], now: datetime) -> str:
    """The time in a list at which something was last changed, if that was so long before `now`,
    by the platform's clock, that every read shows it (O31); empty where times mean nothing."""
    stamp = changed_at(_dated_item(made)) if LIST_TIMES in routes else ""
    changed = parse_change_mark(stamp)
    return stamp if changed and now - changed > LAG else ""


def _judge_time(
    binder: Binder, record: Record, known: Proof, made: Answered, time: ListedTime
) -> ListedTime:
    """The time with what it means beside an earlier look, unless that was about another form or
    has noticed something."""
    if known.fingerprint != record.fingerprint or NOTICED in known.marks.values():
        return time
    as_read = known.marks.get(WHOLE) == time.changed_at
    unmoved = _is_recent(known) and (
        as_read or (time.as_made and _was_read_back(record, known, time))
    )
    return time._replace(as_read=as_read, unmoved=unmoved and _is_as_listed(binder, record, made))


def _make_requests(
    binder: Binder, record: Record, routes: Set[str], shared: dict[int, ReadRequest]
) -> Iterator[RecordRequest]:
    """All lists that show a kind with dated items: none of their requests needs its form, so those
    of a reading differ in their params only. Each is `shared`: there is one for every resource."""
    readings = [
        one for one in available_readings(KINDS[record.address.kind].reads, routes) if one.listed
    ]
    if any(one.dated for one in readings):
        for reading in readings:
            if asked := asked_of(binder, record, {}, reading):
                yield asked._replace(request=shared.setdefault(id(reading), asked.request))


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


def _was_read_back(record: Record, proof: Proof, time: ListedTime) -> bool:
    """Whether the only look at it was that of the run that made it, and no part was changed after
    the time in the list. A later look has kept that time itself, if it may be used."""
    if {*proof.readings} != {KINDS[record.address.kind].reads.readings[-1].route}:
        return False
    changed = parse_change_mark(time.changed_at)
    parts = map(parse_change_mark, {*proof.marks.values()})
    return changed is not None and all(part and part <= changed + EXACTNESS for part in parts)


def _is_as_listed(binder: Binder, record: Record, made: Answered) -> bool:
    """Whether every list shows it, none later than the search, and all as it is recorded."""
    latest = parse_change_mark(changed_at(_dated_item(made)))
    for _, item in made:
        changed = parse_change_mark(changed_at(item))
        if item is None or (changed and latest and changed > latest):
            return False
    seen = gather_answers(
        binder, record, record.form, made, ChangeMarks.since_record(record, NO_MARKS, 0)
    )
    return as_recorded(binder, seen, None) is not None


def _dated_item(made: Answered) -> Any:
    return next((item for one, item in made if one.reading.dated), None)
