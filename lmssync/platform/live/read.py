"""Reads resources from the platform, as forms that can be compared with recorded ones."""

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from types import MappingProxyType
from typing import Any, NamedTuple

from ...kinds import KINDS
from ...resource import Address, Form, is_within
from ...state import Record
from ...vocabulary.routes import CORE_ROUTES
from ..client import Reader
from .binding import Binder
from .change_marks import NO_MARKS, ChangeMarks, Marks, seconds_behind, seconds_until_shown
from .fetch import (
    Answered,
    CollectedReadings,
    FetchedLists,
    KeptAnswers,
    RecordRequest,
    ask_reading,
    asked_of,
    fetch_lists,
    gather_answers,
    stream_answers,
)
from .later_records import LaterRecords, order_for_reading, split_groups
from .list_times import settled_time
from .readable_fields import (
    choose_readings,
    find_only_reading,
    is_declared,
    leaf_paths,
    readable_fields,
)
from .value_equality import Comparison, Unchanged, as_recorded


class LiveState(NamedTuple):
    """A recorded resource as it is on the platform, as far as it was read."""

    present: bool
    form: Form
    """The recorded form with what differs on the platform in its place. A value that means the same
    there is the recorded one, so comparing the two shows what people have changed."""
    proven: frozenset[str] = frozenset()
    """Fields that were read and compared, spelled as in `FieldChange.path`; `sections.order` for
    the order of parts."""
    noticed: frozenset[str] = frozenset()
    """Parts with a field that no reading shows, and that somebody has changed since."""
    answer: Any = None
    """The arguments of `Reads.match` and `Reads.reconcile`."""
    readings: tuple[str, ...] = ()
    """The routes that were asked."""
    marks: Marks = NO_MARKS
    """When each part was last changed, by its path."""
    unshown: frozenset[str] = frozenset()
    """Recorded fields that no reading shows, and of whose change none gives a sign."""
    contradictions: Mapping[str, Mapping[str, Any]] = MappingProxyType({})
    """Fields that several objects keep with different values: by object, what each has."""
    listed_at: str = ""
    """When a list says that it was last changed, on an instance with `LIST_TIMES`, if this look
    has shown all of that."""


def read_live_states(
    reader: Reader,
    binder: Binder,
    records: Iterable[Record],
    routes: Set[str] = CORE_ROUTES,
    marks: Callable[[Address], Marks] = lambda _address: NO_MARKS,
    fields: Mapping[Address, Collection[str]] = MappingProxyType({}),
) -> Iterator[tuple[Record, LiveState]]:
    """What is live of each record that can be read, one by one: all of it would fill the memory.

    `routes` are those that the instance has. `marks` gives those of an earlier look: a part that
    still has its mark was not changed since. Of a resource among `fields`, only what shows those
    fields is read.
    """
    known = {record.address: record for record in records}
    addresses = order_for_reading(known)
    return read_states_in_turn(
        reader, binder, addresses, routes, known.get, marks=marks, fields=fields
    )


def read_states_in_turn(
    reader: Reader,
    binder: Binder,
    addresses: Iterable[Address],
    routes: Set[str],
    record: Callable[[Address], Record | None],
    *,
    marks: Callable[[Address], Marks],
    fields: Mapping[Address, Collection[str]] = MappingProxyType({}),
) -> Iterator[tuple[Record, LiveState]]:
    """Yields what `read_live_states` does of records that are not all in memory; `addresses` are in
    the order of `order_for_reading`."""
    second, began = _SecondLooks(), datetime.now(UTC)
    look = _Look(reader, binder, routes, record, marks, began, second, FetchedLists())
    for made in look.answer_readings(addresses, fields):
        if one := record(made[0][0].address):
            now = look.began + timedelta(seconds=reader.ahead)
            seen = _live_state(binder, look.gather_record(one, made))
            yield one, seen._replace(listed_at=settled_time(made, routes, now))


def read_compared(
    reader: Reader,
    binder: Binder,
    addresses: Iterable[Address],
    routes: Set[str],
    record: Callable[[Address], Record | None],
    marks: Callable[[Address], Marks] = lambda _address: NO_MARKS,
    *,
    before: FetchedLists | KeptAnswers | None = None,
) -> Iterator[tuple[Record, LiveState | Unchanged]]:
    """Yields what is live of many records, one by one: their records and answers together would
    fill the memory. What was read `before` is not read again; `addresses` are in the order of
    `order_for_reading`."""
    lists = before if isinstance(before, FetchedLists) else FetchedLists()
    kept = before if isinstance(before, KeptAnswers) else None
    second = _SecondLooks()
    look = _Look(reader, binder, routes, record, marks, datetime.now(UTC), second, lists, kept)
    for made in look.answer_readings(addresses):
        if one := record(made[0][0].address):
            yield one, _judge_gathered(binder, look.gather_record(one, made), routes)


def shown_by(
    binder: Binder, record: Record, form: Form, answer: Any, routes: Set[str], route: str = ""
) -> LiveState | Unchanged | None:
    """What an answer shows that `Reads.request`, or the reading of a `route`, has brought already;
    None if it cannot be used so.

    `form` is that of the record. It is that of a first look: nothing was changed by others since.
    """
    asked = _brought_request(record, form, route)
    if asked is None:
        return None
    seen = gather_answers(
        binder, record, form, [(asked, answer)], ChangeMarks.since_record(record, NO_MARKS, 0)
    )
    return _judge_gathered(binder, seen, routes)


def _brought_request(record: Record, form: Form, route: str) -> RecordRequest | None:
    """The reading of a route, or the one that `Reads.request` makes, if it has one."""
    reads = KINDS[record.address.kind].reads
    plain = reads.request(record.address, form)
    route = route or (plain.route if plain else "")
    for reading in reads.readings:
        if not reading.listed and reading.route == route:
            request = reading.request(record.address, form)
            return RecordRequest(record.address, reading, request, {})
    return None


def shown_whole(
    binder: Binder, record: Record, form: Form, answers: Mapping[str, Any], routes: Set[str]
) -> LiveState | Unchanged | None:
    """The reads of an import: answers, and items of lists, by the routes of readings."""
    made = [
        (RecordRequest(record.address, reading, reading.request(record.address, form), {}), answer)
        for reading in KINDS[record.address.kind].reads.readings
        if (answer := answers.get(reading.route)) is not None
    ]
    if not made:
        return None
    seen = gather_answers(binder, record, form, made, ChangeMarks.since_record(record, NO_MARKS, 0))
    return _judge_gathered(binder, seen, routes)


@dataclass
class _SecondLooks:
    """What a run has seen of what its first reads did not show."""

    is_last: bool = False
    """True once no read can be behind any more."""
    lists: dict[str, FetchedLists] = field(default_factory=dict)
    """Lists that were read since then, by what was asked."""


class _Look(NamedTuple):
    """The arguments that all reads of one run share."""

    reader: Reader
    binder: Binder
    routes: Set[str]
    record: Callable[[Address], Record | None]
    marks: Callable[[Address], Marks]
    began: datetime
    second: "_SecondLooks"
    lists: FetchedLists
    kept: KeptAnswers | None = None

    def readings_of(self, address: Address, fields: Collection[str] | None) -> list[RecordRequest]:
        """The readings to make of a record, or of some of its fields."""
        record = self.record(address)
        if record is None:
            return []
        only = None if fields else find_only_reading(address.kind, self.routes)
        readings = [only] if only else choose_readings(record, self.routes, fields)
        form = record.form
        asked = (asked_of(self.binder, record, form, reading) for reading in readings)
        return [one for one in asked if one]

    def answer_readings(
        self,
        addresses: Iterable[Address],
        fields: Mapping[Address, Collection[str]] = MappingProxyType({}),
    ) -> Iterator[Answered]:
        """Yields the readings of each record, with their answers.

        The requests of all records would fill the memory, so they are made for a hundred at a time.
        `addresses` are in the order of `order_for_reading`.
        """
        later = LaterRecords(self.lists)
        for some in split_groups([one] for one in addresses):
            asked = [*self._make_requests(some, fields)]
            yield from self._answer_requests([one for one in asked if not later.has_to_wait(one)])
        fetch_lists(self.reader, later.unread, self.routes, self.lists, self._bind_request)
        later.unread.clear()
        for some in split_groups(later.list_groups()):
            yield from self._answer_requests([*self._make_requests(some, fields)])

    def _make_requests(
        self, addresses: Iterable[Address], fields: Mapping[Address, Collection[str]]
    ) -> Iterator[Sequence[RecordRequest]]:
        """Yields the requests for each record that has any."""
        made = (self.readings_of(one, fields.get(one)) for one in addresses)
        return filter(None, made)

    def _bind_request(self, asked: RecordRequest) -> RecordRequest:
        """The request with the params that `strip_params` has left out."""
        record = self.record(asked.address)
        bound = record and asked_of(self.binder, record, record.form, asked.reading)
        return bound or asked

    def _answer_requests(self, asked: Sequence[Sequence[RecordRequest]]) -> Iterator[Answered]:
        """Yields the requests for each record with their answers; every list is read already."""
        alone = [one for made in asked for one in made if not one.reading.listed]
        answers = stream_answers(self.reader, alone, self.kept)
        for made in asked:
            yield [
                (one, self.lists.item_of(one) if one.reading.listed else next(answers))
                for one in made
            ]

    def gather_record(self, record: Record, made: Answered) -> CollectedReadings:
        """What some readings of a record show. What was written just now, and is not shown, is
        looked for again: a read may be behind, and what is gone is never made again unasked."""
        seen = self._gather_answers(record, made)
        # Only what was written in the last seconds can be missing because a read lags (O31). For
        # everything else one look is the truth, and waiting would make each plan slow.
        if not seconds_behind(record, self.began, self.reader.ahead) or _is_whole(seen):
            return seen
        what = f"all parts of {record.address}" if seen.present else str(record.address)
        for left in self._take_second_looks(what):
            self.second.is_last = self.second.is_last or not left
            seen = self._gather_answers(record, [(one, self._ask_again(one)) for one, _ in made])
            if _is_whole(seen):
                break
        return seen

    def _take_second_looks(self, what: str) -> Iterable[float]:
        """One turn for each look, with the seconds that are left. All that a run reads was written
        before it began: after one whole wait, one look at everything else is enough."""
        if self.second.is_last:
            return [0.0]
        left = seconds_until_shown(self.began, datetime.now(UTC))
        self.reader.pace.tell(
            f"the platform does not show {what} yet, which was written just now: looking again for "
            f"up to {math.ceil(left)} s"
        )
        return self.reader.take_looks(left, pause=0.3)

    def _ask_again(self, asked: RecordRequest) -> Any:
        """The last answer of a list serves everything that is looked for in it."""
        listed = asked.reading.listed
        if not listed:
            return ask_reading(self.reader, asked.request, asked.params)
        key = f"{asked.key} {asked.id if listed.query else ''}"
        items = self.second.lists.get(key) or fetch_lists(self.reader, [asked], self.routes)
        if self.second.is_last:
            self.second.lists[key] = items
        return items.item_of(asked)

    def _gather_answers(self, record: Record, made: Answered) -> CollectedReadings:
        """What the answers show.

        A whole course that does not show the ids of its parts cannot stand in for the plain read.
        And where it is not there at all, the route may be what is missing.
        """
        form = record.form
        since = ChangeMarks.since_record(record, self.marks(record.address), self.reader.ahead)
        seen = gather_answers(self.binder, record, form, made, since)
        asked = [one for one, _ in made]
        plain = None if seen.answer is not None else self._plain_reading(record, form, asked)
        if plain is None:
            return seen
        answer = ask_reading(self.reader, plain.request, plain.params)
        made = [*(made if seen.present else ()), (plain, answer)]
        return gather_answers(self.binder, record, form, made, since)

    def _plain_reading(
        self, record: Record, form: Form, made: Sequence[RecordRequest]
    ) -> RecordRequest | None:
        """The reading that every instance has, if it was not made."""
        # Kinds list their readings from the richest to the one of the core routes.
        plainest = KINDS[record.address.kind].reads.readings[-1]
        if plainest.listed or any(one.reading is plainest for one in made):
            return None
        return asked_of(self.binder, record, form, plainest)


def _judge_gathered(
    binder: Binder, seen: CollectedReadings, routes: Set[str]
) -> LiveState | Unchanged:
    """Most are as they are recorded."""
    fields = readable_fields(seen.record.address.kind, routes)
    return as_recorded(binder, seen, fields) or _live_state(binder, seen)


def _live_state(binder: Binder, seen: CollectedReadings) -> LiveState:
    if not seen.present:
        return LiveState(present=False, form={}, answer=seen.answer)
    form = seen.recorded
    comparison = Comparison(KINDS[seen.record.address.kind].reads, binder.bind_value)
    # Later readings go over earlier ones, so `form` is both the result so far and the input of the
    # next.
    for reading, answer, shown in seen.shown:
        comparison.nodes.update(reading.nodes(answer))
        form = comparison.merge_shown(seen.recorded, form, shown)
    proven, unshown = frozenset(comparison.proven), frozenset(_unshown_fields(seen))
    known = proven | unshown
    return LiveState(
        present=True,
        form=form,
        proven=proven,
        noticed=_noticed_parts(seen.recorded, known, seen.since.changed_paths(seen.marks)),
        answer=seen.answer,
        readings=seen.readings,
        marks=seen.marks,
        unshown=unshown,
        contradictions=dict(_contradictions(seen)),
    )


def _is_whole(seen: CollectedReadings) -> bool:
    """True if a record is there with all of its parts, as far as an answer shows parts."""
    if not seen.present or seen.answer is None:
        return seen.present
    reads, form = KINDS[seen.record.address.kind].reads, seen.recorded
    shown = reads.reconcile(form, form, seen.record.ids, seen.answer)
    return not (shown and shown.gone)


def _contradictions(seen: CollectedReadings) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The fields that several objects keep with different values: by object, what each has."""
    for name in sorted(frozenset[str]().union(*(one.reading.apart for one in seen.shown))):
        values = {s.reading.holder: s.form[name] for s in seen.shown if name in s.form}
        first, *others = values.values() or [None]
        if any(other != first for other in others):
            yield name, values


def _unshown_fields(seen: CollectedReadings) -> Iterator[str]:
    """The recorded fields that none of the readings declares, such as the title of a variant."""
    declared = frozenset[str]().union(
        *(one.reading.proves | one.reading.notices for one in seen.shown)
    )
    return (path for path in leaf_paths(seen.recorded) if not is_declared(declared, path))


def _noticed_parts(form: Form, known: Set[str], changed: Iterable[str]) -> frozenset[str]:
    """The changed parts that have a field which was not read."""
    parts = list(changed)
    unread = [path for path in leaf_paths(form) if path not in known] if parts else []
    return frozenset(part for part in parts if any(is_within(path, part) for path in unread))
