"""Licenses (spec 2.5)."""

from typing import Any

import pytest

from lmssync.kind import Ids
from lmssync.kinds import KINDS
from tests import making
from tests.making import UUID, codes, described, license_


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({}, []),
        ({"client": None}, ["missing-field"]),
        ({"name": " "}, ["blank"]),
        ({"courses": None}, ["missing-field"]),
        ({"learningPaths": None}, ["missing-field"]),
        ({"courseTags": None}, ["missing-field"]),
        ({"seatsLimit": 1}, []),
        ({"seatsLimit": 0}, ["seats-limit-range"]),
        ({"accessDays": 1}, []),
        ({"accessDays": 0}, ["access-days-range"]),
        ({"learningPaths": [UUID]}, []),
        ({"learningPaths": ["path"]}, ["uuid"]),
        ({"expirationDate": "2027-01-31"}, []),
        ({"expirationDate": "soon"}, ["date"]),
        ({"ref10": "x"}, []),
        ({"ref11": "x"}, ["unknown-field"]),
        ({"courses": []}, ["license-empty"]),
        ({"courses": [], "courseTags": ["A"]}, []),
        ({"courses": [], "learningPaths": [UUID]}, []),
        ({"replaceCourseIds": True}, ["license-replaces"]),
        ({"replaceCourseIds": False}, []),
        ({"replaceLearningPathIds": True, "replaceCourseTagIds": True}, ["license-replaces"] * 2),
    ],
)
def test_rules_on_both_sides(fields: dict[str, Any], expected: list[str]):
    """A license must have what the platform needs, and odd values cause a warning."""
    assert expected == codes(license_(**fields))


def test_what_is_sent():
    """A create has the specification's names, and the mark if the author set none (spec 4)."""
    data = license_(courses=["a", UUID], courseTags=["Safety"], seatsLimit=5)
    assert {
        "clientId": {"$ref": "client.acme", "id": "id"},
        "name": "Staff",
        "courseIds": [{"$ref": "course.a", "id": "course"}, UUID],
        "learningPathIds": [],
        "courseTagIds": [{"$ref": "tag.Safety", "id": "id"}],
        "seatsLimit": 5,
        "ref10": "ls-x",
    } == making.created(data, "ref10=ls-x")


def test_the_authors_own_reference_is_kept():
    """The mark never replaces the author's own reference."""
    assert "own" == making.created(license_(ref10="own"), "ref10=ls-x")["ref10"]


def test_no_route_changes_a_license():
    """Each changed field of a license is a step for a person."""
    found = described(license_(), license_(name="Others", seatsLimit=5))
    assert ([], {"name", "seatsLimit"}) == (list(found.calls), {s.field for s in found.manual})


def test_the_answer_of_a_create_is_the_license():
    """The answer of a create has the id, so no read is needed."""
    kind = KINDS["license"]
    assert ["1"] == list(kind.calls.created({"id": "1"}))
    assert Ids({"id": "1"}) == kind.reads.match({}, None, {"id": "1"}, set())
    assert None is kind.reads.match({}, None, {"errors": ["no"]}, set())


def test_it_cannot_be_read():
    """A license cannot be read, since the specification has no route for it."""
    made = making.resource(license_())
    assert None is KINDS["license"].reads.request(made.address, made.form)
