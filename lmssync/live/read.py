"""Reads what the platform holds of some resources, several at a time."""

from collections.abc import Iterable, Mapping, Sequence, Set
from types import MappingProxyType
from typing import Any, NamedTuple

from ..address import Address
from ..client import Reader
from ..kind import Reading, ReadRequest
from ..kinds import KINDS
from ..resource import Form
from ..state import Record
from ..vocabulary.routes import CORE_ROUTES
from .binding import Binder, Unbound
from .choose import chosen
from .fields import leaves, within
from .merge import Comparison

Marks = Mapping[str, str]
NO_MARKS: Marks = MappingProxyType({})


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


class _Asked(NamedTuple):
    """One reading of one record, and the request that it needs, its params bound."""

    record: Record
    reading: Reading
    request: ReadRequest
    params: Mapping[str, str]

    @property
    def key(self) -> str:
        """The same for two that one request answers."""
        return _key(self.request, self.params)


def _key(request: ReadRequest, params: Mapping[str, str]) -> str:
    return f"{request.route} {sorted(params.items())} {sorted(request.query.items())}"


def ask(reader: Reader, reading: ReadRequest, params: Mapping[str, str]) -> Any:
    """What one reading brings, its params bound: an answer, or all items of a list in pages."""
    if reading.list:
        return list(reader.pages(reading.route, reading.list, reading.query, params))
    return reader.read(reading.route, params, reading.query)


def read(
    reader: Reader,
    binder: Binder,
    records: Iterable[Record],
    routes: Set[str] = CORE_ROUTES,
    marks: Mapping[Address, Marks] = MappingProxyType({}),
) -> dict[Address, LiveState]:
    """What is live of each record that can be read; `routes` are those that the instance has.

    `marks` are those of an earlier look: a part with another one now was changed since.
    """
    asked = [
        one
        for record in records
        for reading in chosen(KINDS[record.address.kind].reads, record, routes)
        if (one := _asked(binder, record, reading))
    ]
    requests = {one.key: one for one in asked}
    answers = reader.each(lambda one: ask(reader, one.request, one.params), list(requests.values()))
    by_key = dict(zip(requests, answers, strict=True))
    by_record: dict[Address, list[_Asked]] = {}
    for one in asked:
        by_record.setdefault(one.record.address, []).append(one)
    return {
        address: _state(binder, made, by_key, marks.get(address, NO_MARKS))
        for address, made in by_record.items()
    }


def _asked(binder: Binder, record: Record, reading: Reading) -> _Asked | None:
    request = reading.request(record.address, record.form)
    if request is None:
        return None
    try:
        return _Asked(record, reading, request, binder.bind(request.params))
    except Unbound:
        return None


def _state(
    binder: Binder, made: Sequence[_Asked], answers: Mapping[str, Any], known: Marks
) -> LiveState:
    record = made[0].record
    recorded = form = record.form
    bound = binder.bind_known(recorded)
    reads = KINDS[record.address.kind].reads
    comparison = Comparison(reads, binder.bind)
    match, marks = None, dict[str, str]()
    for one in made:
        answer = answers[one.key]
        shown = None if answer is None else one.reading.shows(bound, record.ids, answer)
        if shown is None:
            return LiveState(present=False, form={}, answer=answer)
        form = comparison.merged(recorded, form, shown)
        marks |= one.reading.marks(bound, record.ids, answer)
        if one.reading.shape and match is None:
            match = one.reading.shape(answer)
    proven = frozenset(comparison.proven)
    return LiveState(
        present=True,
        form=form,
        proven=proven,
        noticed=_noticed(recorded, proven, marks, known),
        answer=match,
        readings=tuple(one.request.route for one in made),
        marks=marks,
    )


def _noticed(form: Form, proven: Set[str], marks: Marks, known: Marks) -> frozenset[str]:
    """Parts with another mark than before and a field that was not read."""
    changed = [path for path, mark in marks.items() if known.get(path, mark) != mark]
    unread = [path for path in leaves(form) if path not in proven] if changed else []
    return frozenset(p for p in changed if any(within(field, p) for field in unread))
