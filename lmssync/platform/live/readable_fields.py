"""The fields of a form, as paths, and the fewest readings of a resource that can prove them."""

from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Set
from enum import StrEnum
from functools import lru_cache
from typing import Any, TypeGuard

from ...kind import Kind, Reading, Reads
from ...kinds import KINDS
from ...resource import Form
from ...state import Record

ROWS = {field for kind in KINDS.values() for field in kind.authoring.rows}
"""Lists of people and the like: one field each, whatever their items are known by."""
HOLDERS = (dict, list)
"""Nothing else holds fields."""


def leaf_paths(form: Form, path: str = "") -> list[str]:
    """Every managed field, spelled as in `FieldChange.path`: `target.url`,
    `sections[start].lessons[welcome].title`. Ids of parts are no fields."""
    paths: list[str] = []
    _collect_paths(paths, form, f"{path}." if path else "")
    return paths


def list_patterns(form: Form) -> list[str]:
    """The pattern of every field: all parts have the same."""
    patterns: list[str] = []
    _collect_paths(patterns, form, "", alike=True)
    return patterns


def form_patterns(form: Form) -> set[str]:
    """The patterns of all fields, each once, and without the path of any."""
    return set(list_patterns(form))


def _collect_paths(
    paths: list[str],
    form: Mapping[str, Any],
    above: str,
    own_id: str = "",
    *,
    alike: bool = False,
) -> None:
    """`above` is what the paths begin with; `own_id` is the field that holds the id of a part. The
    paths in all parts are `alike` where only their patterns are wanted."""
    for key, value in form.items():
        # The usual case first, and of that the usual one.
        if value.__class__ is str or not isinstance(value, HOLDERS):
            if key != own_id:
                paths.append(above + key)
        elif key not in ROWS and is_parts(value):
            for item in value:
                inside = "*." if alike else f"{above}{key}[{item['id']}]."
                _collect_paths(paths, item, inside, "id", alike=alike)
        elif is_mapping(value):
            _collect_paths(paths, value, f"{above}{key}.", alike=alike)
        elif key != own_id:
            paths.append(above + key)


def keep_fields(
    form: Mapping[str, Any], keeps: Callable[[str], bool], above: str = "", own_id: str = ""
) -> Form:
    """A form with the fields whose paths, as `leaf_paths` spells them, are kept; parts keep their
    ids."""
    kept: Form = {}
    for key, value in form.items():
        path = above + key
        if key not in ROWS and is_parts(value):
            kept[key] = [keep_fields(one, keeps, f"{path}[{one['id']}].", "id") for one in value]
        elif is_mapping(value):
            if inner := keep_fields(value, keeps, f"{path}."):
                kept[key] = inner
        elif key == own_id or keeps(path):
            kept[key] = value
    return kept


def pattern_of(path: str) -> str:
    """The name under which kinds declare something of a field: `*.title` inside parts."""
    return f"*.{path.rpartition('].')[2]}" if "[" in path else path


def is_declared(patterns: Container[str], path: str) -> bool:
    """Whether a field is among `form_patterns`, itself or with the mapping that it is in."""
    name = pattern_of(path)
    if name in patterns:
        return True
    outer = f"*.{name[2:].partition('.')[0]}" if name.startswith("*.") else name.partition(".")[0]
    return outer in patterns


def is_parts(value: Any) -> bool:
    """True for a list of parts with ids of their own that is not empty."""
    if not isinstance(value, list) or not value:
        return False
    for item in value:  # in loops: every field of every form comes by here
        if not isinstance(item, dict) or "id" not in item or "$ref" in item:
            return False
    return True


def is_mapping(value: Any) -> TypeGuard[dict[str, Any]]:
    """True for a mapping of the author's, not for a node that refers to a resource."""
    if not isinstance(value, dict) or not value:
        return False
    for key in value:  # noqa: SIM110 - as above
        if key.startswith("$"):
            return False
    return True


def choose_readings(
    record: Record, routes: Set[str], fields: Collection[str] | None = None
) -> Iterator[Reading]:
    """The readings to make of what is recorded, or of some of its fields; `routes` are those that
    the instance has."""
    readings = available_readings(KINDS[record.address.kind].reads, routes)
    if fields is None:
        return needed_readings(readings, form_patterns(record.form))
    paths = (path for path in leaf_paths(record.form) if path in fields)
    return needed_readings(readings, {pattern_of(path) for path in paths})


@lru_cache
def find_only_reading(kind: str, routes: Set[str]) -> Reading | None:
    """The reading that is made of everything of a kind, whatever is in its form: the only one that
    the instance has, if it proves a field that no manifest lacks."""
    readings = list(available_readings(KINDS[kind].reads, routes))
    fields = KINDS[kind].spec.model_fields
    needed = {name for name, field in fields.items() if field.is_required()}
    return readings[0] if len(readings) == 1 and readings[0].proves & needed else None


def shows_more(record: Record, routes: Set[str]) -> bool:
    """Whether a reading shows fields of a record that `Reads.request` alone does not show."""
    brought = KINDS[record.address.kind].reads.request(record.address, record.form)
    needed = {one.route for one in choose_readings(record, routes)}
    return bool(needed - ({brought.route} if brought else set()))


def available_readings(reads: Reads, routes: Set[str]) -> Iterator[Reading]:
    """The readings that an instance with these routes has."""
    return (reading for reading in reads.readings if reading.is_available(routes))


@lru_cache
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
