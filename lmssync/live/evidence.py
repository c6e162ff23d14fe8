"""Which fields an instance can prove: what can be said of them before anything is read."""

from collections.abc import Set
from enum import StrEnum

from ..kind import Kind
from ..resource import Form
from .choose import able
from .fields import declared, leaves


class Evidence(StrEnum):
    """What a look can say of a field."""

    PROVEN = "proven"
    """It can be read, and compared with what is recorded."""
    NOTICED = "noticed"
    """It cannot be read, but it shows that somebody has changed the part it stands in."""
    UNVERIFIABLE = "unverifiable"
    """No route of the instance shows it."""


def evidence(kind: Kind, form: Form, routes: Set[str]) -> dict[str, Evidence]:
    """By path of each field of a form, the best that an instance with these routes can show."""
    return {path: shown(kind, path, routes)[0] for path in leaves(form)}


def shown(kind: Kind, path: str, routes: Set[str]) -> tuple[Evidence, str]:
    """The evidence of one field, and the route that gives it; `*.title` stands for any part."""
    readings = list(able(kind.reads, routes))
    for reading in readings:
        if declared(reading.proves, path):
            return Evidence.PROVEN, reading.route
    for reading in readings:
        if declared(reading.notices, path):
            return Evidence.NOTICED, reading.route
    return Evidence.UNVERIFIABLE, ""
