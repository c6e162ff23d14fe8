"""What the routes of an instance can prove, and the fewest readings of a resource that do so."""

from collections.abc import Collection, Iterable, Iterator, Set
from enum import StrEnum

from ...kind import Kind, Reading, Reads
from ...kinds import KINDS
from ...resource import Form
from ...state import Record
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


def shows_more(record: Record, routes: Set[str]) -> bool:
    """Whether a reading shows fields of a record that `Reads.request` alone does not show."""
    form, reads = record.form, KINDS[record.address.kind].reads
    brought = reads.request(record.address, form)
    needed = {one.route for one in choose_readings(reads, form, routes)}
    return bool(needed - ({brought.route} if brought else set()))


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
    """Yields, of readings in their order, those that prove a field which no earlier one does;
    `fields` are patterns."""
    left = fields
    for reading in readings:
        rest = {name for name in left if not is_declared(reading.proves, name)}
        if len(rest) < len(left) or any(is_declared(reading.apart, name) for name in fields):
            yield reading
        left = rest


class Certainty(StrEnum):
    """How far the live value of a field is known, or can be."""

    PROVEN = "proven"
    """Read, and compared with what is recorded."""
    NOTICED = "noticed"
    """No route shows it, and somebody has changed its part after our last write."""
    UNVERIFIABLE = "unverifiable"
    """No route of this instance shows it."""
    UNREAD = "unread"
    """A route shows it, and it was not read, or it was not recorded yet."""


def possible_evidence(kind: Kind, form: Form, routes: Set[str]) -> dict[str, Certainty]:
    """For each field of a form, by path, the best that an instance with these routes can show."""
    return {path: evidence_of_field(kind, path, routes)[0] for path in leaf_paths(form)}


def evidence_of_field(kind: Kind, path: str, routes: Set[str]) -> tuple[Certainty, str]:
    """The evidence of one field, and the route that gives it; `*.title` stands for any part."""
    readings = list(available_readings(kind.reads, routes))
    for reading in readings:
        if is_declared(reading.proves, path):
            return Certainty.PROVEN, reading.route
    roster = kind.reads.roster_on(routes)
    if roster and is_declared(roster.proves, path):
        return Certainty.PROVEN, roster.route
    for reading in readings:
        if is_declared(reading.notices, path):
            return Certainty.NOTICED, reading.route
    return Certainty.UNVERIFIABLE, ""
