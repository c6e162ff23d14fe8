"""What answers show of a resource that is plainly as it is recorded: the usual case."""

from collections.abc import Sequence, Set
from typing import Any, NamedTuple

from ...kinds import KINDS
from ...resource import Form
from ...state import Counts
from .binding import Binder
from .equal import Expected, count_equal
from .gathered import Gathered, ShownForm
from .since import Marks


class AsRecorded(NamedTuple):
    """The same as a `LiveState`, but for the proven fields, which are only counted."""

    counts: Counts
    form: Form
    """The recorded one."""
    answer: Any
    readings: tuple[str, ...]
    marks: Marks

    @property
    def present(self) -> bool:
        return True


def as_recorded(binder: Binder, seen: Gathered, readable: Set[str]) -> AsRecorded | None:
    """None where anything may differ, or was noticed by an earlier look: `read` compares that.

    `readable` are the fields that the routes of the instance show.
    """
    if not seen.present or not seen.since.is_untouched(seen.marks):
        return None
    shown = _join_forms(seen.shown)
    if shown is None:
        return None
    expected = Expected(KINDS[seen.record.address.kind].reads, binder.bind_value, readable)
    counts = count_equal(expected, seen.recorded, shown)
    return counts and AsRecorded(counts, seen.recorded, seen.answer, seen.readings, seen.marks)


def _join_forms(parts: Sequence[ShownForm]) -> Form | None:
    """What all answers show; None if they contradict each other."""
    together: Form = {}
    for one in parts:
        if any(together.get(name, value) != value for name, value in one.form.items()):
            return None
        together |= one.form
    return together
