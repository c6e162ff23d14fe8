"""Collects the answers to some readings of one record, before anything is compared."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from ...kind import Reading
from ...resource import Form
from ...state import Record
from .binding import Binder
from .change_marks import ChangeMarks, Marks, changed_at
from .fetch import RecordRequest

Answered = Sequence[tuple[RecordRequest, Any]]
"""Some readings of one record, each with its answer."""


class ShownForm(NamedTuple):
    """The form and the fields that one answer shows."""

    reading: Reading
    answer: Any
    form: Form


class CollectedReadings(NamedTuple):
    """The form and the fields that all answers show."""

    record: Record
    recorded: Form
    """The form of the record."""
    since: ChangeMarks
    shown: Sequence[ShownForm]
    readings: tuple[str, ...]
    """The routes that were asked."""
    marks: Marks
    answer: Any
    """What `Reads.match` and `Reads.reconcile` take; of what is gone, what shows it."""
    present: bool = True


def gather_answers(
    binder: Binder, record: Record, form: Form, made: Answered, since: ChangeMarks
) -> CollectedReadings:
    """`form` is that of the record. A list proves nothing that does not show the record, and none
    that may be behind the other answers."""
    bound = binder.bind_fields(form)
    shown, marks, match, newest = list[ShownForm](), dict[str, str](), None, ""
    routes = tuple(one.request.route for one, _ in made)
    for one, answer in made:
        reading = one.reading
        if answer is None and reading.listed and not reading.listed.exact:
            continue
        fields = None if answer is None else reading.shows(bound, record.ids, answer)
        if fields is None:
            return CollectedReadings(record, form, since, (), routes, {}, answer, present=False)
        if reading.lags and since.may_be_behind(answer, newest):
            continue
        newest = max(newest, changed_at(answer))
        shown.append(ShownForm(reading, answer, fields))
        marks |= reading.marks(bound, record.ids, answer)
        match = match or (reading.shape and reading.shape(answer))
    return CollectedReadings(record, form, since, shown, routes, marks, match)
