"""Makes an assignment regular: a set of licenses and a set of people.

A row may say `holds` if a person has other licenses than the rest: while a change is under way, or
if the platform did not know the person. No manifest can say it.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from ...kind import Data, Json, Table
from ...resource import Form, canonical_text
from ..managed import with_nodes
from ..references import ReferenceField, points_at
from .people import given_identifiers, identifier_marks, person_label
from .rules import check_everyone
from .spec import Person

REFERENCES = {"licenses": ReferenceField("license", "licenseIds")}
HOLDS = "holds"
ASKED = "asked"
"""Key of the people whom a call is about, between the call and the record."""
LINES = "$lines"
"""The file of the people and its lines, on the way from the file to the facts."""
Row = Mapping[str, Any]


def people_tables(data: Data) -> list[Table]:
    """The one file that may name the people."""
    assert isinstance(data, dict)
    return [Table((), data, "usersFile", "users", Person, (check_everyone,), LINES)]


def normalise_assignment(_key: str, data: Data) -> Form:
    """The order of licenses and people means nothing, nor does the file that names them."""
    form = with_nodes(REFERENCES, {k: v for k, v in data.items() if k not in ("usersFile", LINES)})
    people = in_order(map(_person_row, data.get("users") or ()))
    return form | {"licenses": sorted_set(form["licenses"]), "users": people}


def _person_row(person: Mapping[str, Any]) -> Row:
    held = {HOLDS: sorted_set(person[HOLDS])} if HOLDS in person else {}
    return given_identifiers(person) | held


def in_order(rows: Iterable[Row]) -> list[Row]:
    return sorted(rows, key=_row_rank)


def _row_rank(row: Row) -> tuple[str, list[tuple[str, str]]]:
    return person_label(row), identifier_marks(row)


def sorted_set(licenses: Iterable[Json]) -> list[Json]:
    """Each item once, in a fixed order."""
    return [once[1] for once in sorted({spell_node(one): one for one in licenses}.items())]


def spell_node(license_: Json) -> bytes:
    """A node as a key of a mapping."""
    return license_.encode() if isinstance(license_, str) else canonical_text(license_)


def assignment_facts(data: Data, form: Form) -> Mapping[str, Json]:
    """Licenses and people, for the checks of all assignments together.

    `lines` gives the line of each person in the order of the form: in the file `list`, else the
    position in the list of the manifest.
    """
    licenses = [points_at(one) for one in form["licenses"]]
    people = [[f"{name} {value}" for name, value in identifier_marks(row)] for row in form["users"]]
    given = list(map(_person_row, data.get("users") or ()))
    order = sorted(range(len(given)), key=lambda n: _row_rank(given[n]))
    file, lines = data.get(LINES) or ("", range(len(given)))
    where = {"list": file, "lines": [lines[n] for n in order]}
    return {"catalog": True, "licenses": licenses, "people": people, "count": len(given)} | where
