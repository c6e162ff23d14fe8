"""Chooses the fewest readings of a resource that prove the most."""

from collections.abc import Collection, Iterable, Iterator, Set

from ..kind import Reading, Reads
from ..kinds import KINDS
from ..resource import Form
from .fields import declared, leaves, pattern, patterns


def chosen(
    reads: Reads, recorded: Form, routes: Set[str], fields: Collection[str] | None = None
) -> Iterator[Reading]:
    """The readings to make of what is recorded, or of some of its fields; `routes` are those that
    the instance has."""
    if fields is None:
        return needed(able(reads, routes), patterns(recorded))
    paths = (path for path in leaves(recorded) if path in fields)
    return needed(able(reads, routes), {pattern(path) for path in paths})


def able(reads: Reads, routes: Set[str]) -> Iterator[Reading]:
    """The readings that an instance with these routes has."""
    return (reading for reading in reads.readings if reading.available(routes))


def readable(kind: str, routes: Set[str]) -> Set[str]:
    """The fields that the routes of an instance show, as kinds declare them."""
    reads = KINDS[kind].reads
    roster = reads.roster_on(routes)
    listed = roster.proves if roster else ()
    return frozenset[str]().union(listed, *(one.proves for one in able(reads, routes)))


def needed(readings: Iterable[Reading], fields: Set[str]) -> Iterator[Reading]:
    """Of readings in their order, those that prove a field which no earlier one does; `fields` are
    patterns."""
    left = fields
    for reading in readings:
        rest = {name for name in left if not declared(reading.proves, name)}
        if len(rest) < len(left) or any(declared(reading.apart, name) for name in fields):
            yield reading
        left = rest
