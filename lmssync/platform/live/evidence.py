"""Which fields an instance can prove: what can be said of them before anything is read."""

from collections.abc import Set
from enum import StrEnum

from ...kind import Kind
from ...resource import Form
from .choose import available_readings
from .fields import is_declared, leaf_paths


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
    """By path of each field of a form, the best that an instance with these routes can show."""
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
