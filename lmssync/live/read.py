"""Reads what the platform holds of some resources, as forms that can be compared with recorded."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from types import MappingProxyType
from typing import Any, NamedTuple

from ..address import Address
from ..client import Reader
from ..kinds import KINDS
from ..resource import Form
from ..state import Counts, Record
from ..vocabulary.routes import CORE_ROUTES
from .binding import Binder
from .choose import chosen
from .equal import Expected, equal
from .fetch import RecordRequest, ask, asked_of, lists, streamed
from .fields import leaves, within
from .merge import Comparison
from .since import NO_MARKS, Marks, Since, stamp


class LiveState(NamedTuple):
    """What the platform holds of a recorded resource, as far as it was read."""

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
    """What `Reads.match` and `Reads.reconcile` take."""
    readings: tuple[str, ...] = ()
    """The routes that were asked."""
    marks: Marks = NO_MARKS
    """When each part was last changed, by its path."""


def read(
    reader: Reader,
    binder: Binder,
    records: Iterable[Record],
    routes: Set[str] = CORE_ROUTES,
    marks: Mapping[Address, Marks] = MappingProxyType({}),
    fields: Mapping[Address, Collection[str]] = MappingProxyType({}),
) -> dict[Address, LiveState]:
    """What is live of each record that can be read; `routes` are those that the instance has.

    `marks` are those of an earlier look: a part that still has its mark was not changed since.
    Of a resource among `fields`, only what shows those fields is read.
    """
    return dict(each(reader, binder, records, routes, marks, fields))


def each(
    reader: Reader,
    binder: Binder,
    records: Iterable[Record],
    routes: Set[str] = CORE_ROUTES,
    marks: Mapping[Address, Marks] = MappingProxyType({}),
    fields: Mapping[Address, Collection[str]] = MappingProxyType({}),
) -> Iterator[tuple[Address, LiveState]]:
    """The same one by one, for many: their answers together would fill the memory."""
    look = _Look(reader, binder, routes, marks)
    asked = [made for record in records if (made := look.asked(record, fields.get(record.address)))]
    everything = [one for made in asked for one in made]
    listed = lists(reader, [one for one in everything if one.reading.listed], routes)
    answers = streamed(reader, [one for one in everything if not one.reading.listed])
    for made in asked:
        shown = [(one, listed.of(one) if one.reading.listed else next(answers)) for one in made]
        yield made[0].record.address, look.state(shown)


class AsSent(NamedTuple):
    """What an answer shows of something that was just made, where nothing differs."""

    counts: Counts
    readings: tuple[str, ...]
    marks: Marks


def as_sent(
    binder: Binder, record: Record, form: Form, answer: Any, readable: Set[str]
) -> AsSent | None:
    """The same as `shown_by` in one walk, where what is shown is plainly equal; None elsewhere.

    `readable` are the fields that the routes of the instance show.
    """
    asked = _brought(record, form)
    if asked is None or answer is None:
        return None
    reads, reading = KINDS[record.address.kind].reads, asked.reading
    bound, regular = binder.bind_fields(form), reading.regular(answer)
    shown = reading.shows(bound, record.ids, regular)
    marks = reading.marks(bound, record.ids, regular)
    changed = Since.of(record, NO_MARKS, 0).changed(marks)
    if shown is None or next(changed, None) is not None:
        return None
    counts = equal(Expected(reads, binder.bind, readable), form, shown)
    return counts and AsSent(counts, (asked.request.route,), marks)


def shown_by(binder: Binder, record: Record, form: Form, answer: Any) -> LiveState | None:
    """What an answer shows that `Reads.request` has brought already; None if it cannot be used so.

    `form` is that of the record. It is that of a first look: nothing was changed by others since.
    """
    asked = _brought(record, form)
    if asked is None:
        return None
    return _state(binder, form, [(asked, answer)], Since.of(record, NO_MARKS, 0))


def _brought(record: Record, form: Form) -> RecordRequest | None:
    """The reading that `Reads.request` makes, if it has one."""
    reads = KINDS[record.address.kind].reads
    request = reads.request(record.address, form)
    for reading in reads.readings:
        if request and not reading.listed and reading.route == request.route:
            return RecordRequest(record, reading, request, {})
    return None


def shown_whole(
    binder: Binder, record: Record, form: Form, answers: Mapping[str, Any]
) -> LiveState | None:
    """What an import has read of a record that it made: answers, and items of lists, by the routes
    of readings."""
    made = [
        (RecordRequest(record, reading, reading.request(record.address, form), {}), answer)
        for reading in KINDS[record.address.kind].reads.readings
        if (answer := answers.get(reading.route)) is not None
    ]
    return _state(binder, form, made, Since.of(record, NO_MARKS, 0)) if made else None


class _Look(NamedTuple):
    """What all reads of one run have in common."""

    reader: Reader
    binder: Binder
    routes: Set[str]
    marks: Mapping[Address, Marks]

    def asked(self, record: Record, fields: Collection[str] | None) -> list[RecordRequest]:
        """The readings to make of a record, or of some of its fields."""
        form = record.form
        readings = chosen(KINDS[record.address.kind].reads, form, self.routes, fields)
        asked = (asked_of(self.binder, record, form, reading) for reading in readings)
        return [one for one in asked if one]

    def state(self, made: Sequence[tuple[RecordRequest, Any]]) -> LiveState:
        """What some readings of one record show.

        A whole course that does not show the ids of its parts cannot stand in for the plain read.
        And where it is not there at all, the route may be what is missing.
        """
        record = made[0][0].record
        form = record.form
        since = Since.of(record, self.marks.get(record.address, NO_MARKS), self.reader.ahead)
        state = _state(self.binder, form, made, since)
        plain = None if state.answer is not None else self._plain(form, [one for one, _ in made])
        if plain is None:
            return state
        answer = ask(self.reader, plain.request, plain.params)
        made = [*(made if state.present else ()), (plain, answer)]
        return _state(self.binder, form, made, since)

    def _plain(self, form: Form, made: Sequence[RecordRequest]) -> RecordRequest | None:
        """The reading that every instance has, if it was not made."""
        record = made[0].record
        plainest = KINDS[record.address.kind].reads.readings[-1]
        if plainest.listed or any(one.reading is plainest for one in made):
            return None
        return asked_of(self.binder, record, form, plainest)


def _state(
    binder: Binder, recorded: Form, made: Sequence[tuple[RecordRequest, Any]], since: Since
) -> LiveState:
    record, form = made[0][0].record, recorded
    bound = binder.bind_fields(recorded)
    comparison = Comparison(KINDS[record.address.kind].reads, binder.bind)
    match, marks, newest = None, dict[str, str](), ""
    for one, answer in made:
        reading = one.reading
        if answer is None and reading.listed and not reading.listed.exact:
            continue
        regular = None if answer is None else reading.regular(answer)
        shown = None if answer is None else reading.shows(bound, record.ids, regular)
        if shown is None:
            return LiveState(present=False, form={}, answer=regular)
        if reading.lags and since.behind(regular, newest):
            continue
        newest = max(newest, stamp(regular))
        comparison.nodes.update(reading.nodes(regular))
        form = comparison.merged(recorded, form, shown)
        marks |= reading.marks(bound, record.ids, regular)
        match = match or (reading.shape and reading.shape(regular))
    proven = frozenset(comparison.proven)
    return LiveState(
        present=True,
        form=form,
        proven=proven,
        noticed=_noticed(recorded, proven, since.changed(marks)),
        answer=match,
        readings=tuple(one.request.route for one, _ in made),
        marks=marks,
    )


def _noticed(form: Form, proven: Set[str], changed: Iterable[str]) -> frozenset[str]:
    """Of changed parts, those with a field that was not read."""
    parts = list(changed)
    unread = [path for path in leaves(form) if path not in proven] if parts else []
    return frozenset(part for part in parts if any(within(path, part) for path in unread))
