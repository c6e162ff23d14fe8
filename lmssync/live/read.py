"""Reads what the platform holds of some resources, as forms that can be compared with recorded."""

from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from types import MappingProxyType
from typing import Any, NamedTuple

from ..address import Address
from ..client import Reader
from ..kinds import KINDS
from ..resource import Form
from ..state import Record
from ..vocabulary.routes import CORE_ROUTES
from .binding import Binder
from .choose import chosen
from .fetch import Asked, asked_of, fetch
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
    look = _Look(reader, binder, routes, marks)
    asked = {r.address: _asked(look, r, fields.get(r.address)) for r in records}
    states = look.states(asked)
    # A whole course that does not show the ids of its parts cannot stand in for the plain read.
    again = {
        address: [*asked[address], plain]
        for address, state in states.items()
        if state.present and state.answer is None
        if (plain := _plain(look, asked[address])) is not None
    }
    return states | look.states(again) if again else states


def shown_by(binder: Binder, record: Record, answer: Any) -> LiveState | None:
    """What an answer shows that `Reads.request` has brought already; None if it cannot be used so.

    It is that of a first look: nothing was changed by others since.
    """
    reads = KINDS[record.address.kind].reads
    request = reads.request(record.address, record.form)
    for reading in reads.readings:
        asked = None if reading.listed else asked_of(binder, record, reading)
        if asked and request and asked.request.route == request.route:
            return _state(binder, [(asked, answer)], Since.of(record, NO_MARKS, 0))
    return None


def _asked(look: "_Look", record: Record, fields: Collection[str] | None) -> list[Asked]:
    readings = chosen(KINDS[record.address.kind].reads, record, look.routes, fields)
    return [one for reading in readings if (one := asked_of(look.binder, record, reading))]


def _plain(look: "_Look", asked: Sequence[Asked]) -> Asked | None:
    """The reading that every instance has, if it is not among those that were made."""
    record = asked[0].record
    plainest = KINDS[record.address.kind].reads.readings[-1]
    made = any(one.reading is plainest for one in asked)
    return None if made else asked_of(look.binder, record, plainest)


class _Look(NamedTuple):
    """What all reads of one run have in common."""

    reader: Reader
    binder: Binder
    routes: Set[str]
    marks: Mapping[Address, Marks]

    def states(self, asked: Mapping[Address, Sequence[Asked]]) -> dict[Address, LiveState]:
        """What these readings show."""
        answers = fetch(self.reader, [one for made in asked.values() for one in made], self.routes)
        return {
            address: _state(
                self.binder,
                [(one, answers.of(one)) for one in made],
                Since.of(made[0].record, self.marks.get(address, NO_MARKS), self.reader.ahead),
            )
            for address, made in asked.items()
            if made
        }


def _state(binder: Binder, made: Sequence[tuple[Asked, Any]], since: Since) -> LiveState:
    record = made[0][0].record
    form = recorded = record.form
    bound = binder.bind_known(recorded)
    comparison = Comparison(KINDS[record.address.kind].reads, binder.bind)
    match, marks, newest = None, dict[str, str](), ""
    for one, answer in made:
        reading = one.reading
        if answer is None and reading.listed:
            continue
        shown = None if answer is None else reading.shows(bound, record.ids, answer)
        if shown is None:
            return LiveState(present=False, form={}, answer=answer)
        if reading.lags and since.behind(answer, newest):
            continue
        newest = max(newest, stamp(answer))
        form = comparison.merged(recorded, form, shown)
        marks |= reading.marks(bound, record.ids, answer)
        match = match or (reading.shape and reading.shape(answer))
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
    unread = [path for path in leaves(form) if path not in proven]
    return frozenset(part for part in changed if any(within(path, part) for path in unread))
