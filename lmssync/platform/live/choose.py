"""Chooses the fewest readings of a resource that prove the most."""

from collections.abc import Collection, Iterable, Iterator, Set

from ...kind import Reading, Reads
from ...kinds import KINDS
from ...resource import Form
from .fields import form_patterns, is_declared, leaf_paths, pattern_of


def choose_readings(
    reads: Reads, recorded: Form, routes: Set[str], fields: Collection[str] | None = None
) -> Iterator[Reading]:
    """The readings to make of what is recorded, or of some of its fields; `routes` are those that
    the instance has."""
    if fields is None:
        return needed_readings(available_readings(reads, routes), form_patterns(recorded))
    paths = (path for path in leaf_paths(recorded) if path in fields)
    return needed_readings(available_readings(reads, routes), {pattern_of(path) for path in paths})


def available_readings(reads: Reads, routes: Set[str]) -> Iterator[Reading]:
    """The readings that an instance with these routes has."""
    return (reading for reading in reads.readings if reading.is_available(routes))


def readable_fields(kind: str, routes: Set[str]) -> Set[str]:
    """The fields that the routes of an instance show, as kinds declare them."""
    reads = KINDS[kind].reads
    roster = reads.roster_on(routes)
    listed = roster.proves if roster else ()
    return frozenset[str]().union(
        listed, *(one.proves for one in available_readings(reads, routes))
    )


def needed_readings(readings: Iterable[Reading], fields: Set[str]) -> Iterator[Reading]:
    """Of readings in their order, those that prove a field which no earlier one does; `fields` are
    patterns."""
    left = fields
    for reading in readings:
        rest = {name for name in left if not is_declared(reading.proves, name)}
        if len(rest) < len(left) or any(is_declared(reading.apart, name) for name in fields):
            yield reading
        left = rest
