"""Chooses the fewest readings of a resource that prove the most."""

from collections.abc import Iterable, Iterator, Set

from ..kind import Reading, Reads
from ..resource import Form
from ..state import Record
from .fields import declared, leaves, pattern


def chosen(reads: Reads, record: Record, routes: Set[str]) -> Iterator[Reading]:
    """The readings to make of a record; `routes` are those that the instance has."""
    return needed(able(reads, routes), record.form)


def able(reads: Reads, routes: Set[str]) -> Iterator[Reading]:
    """The readings that an instance with these routes has."""
    return (reading for reading in reads.readings if reading.available(routes))


def needed(readings: Iterable[Reading], form: Form) -> Iterator[Reading]:
    """Of readings in their order, those that prove a field which no earlier one does."""
    left = fields = {pattern(path) for path in leaves(form)}
    for reading in readings:
        rest = {name for name in left if not declared(reading.proves, name)}
        if len(rest) < len(left) or any(declared(reading.apart, name) for name in fields):
            yield reading
        left = rest
