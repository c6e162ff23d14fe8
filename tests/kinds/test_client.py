"""Clients (spec 2.6, 4)."""

from pathlib import Path
from typing import Any

import pytest

from lmssync.kind import Ids
from lmssync.kinds import KINDS
from lmssync.kinds.client.client_calls import NOT_COPIED
from tests import making
from tests.making import UUID, codes, described

CLIENT = KINDS["client"]


def client(key: str = "river", **fields: Any) -> dict[str, Any]:
    """The document of a client; `None` takes a field away."""
    plain = {"resource": "client", "key": key, "cloneOf": "golden", "name": "Riverside"}
    return {name: value for name, value in (plain | fields).items() if value is not None}


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({}, []),
        ({"cloneOf": None}, ["missing-field"]),
        ({"cloneOf": UUID}, []),
        ({"cloneOf": "river"}, ["client-of-itself"]),
        ({"name": None}, ["missing-field"]),
        ({"name": " "}, ["blank"]),
        ({"name": "東京"}, ["client-slug-empty"]),
        ({"name": "東京", "slug": "tokyo"}, []),
        ({"slug": "acme-2"}, []),
        ({"slug": ""}, ["client-slug-empty"]),
        ({"slug": "Acme"}, ["client-slug"]),
        ({"slug": "acme\n"}, ["client-slug"]),
        ({"slug": "a_b"}, ["client-slug"]),
        ({"slug": "x" * 255}, []),
        ({"slug": "x" * 256}, ["client-slug"]),
        ({"sku": "C-1", "seatsLimit": 5, "enableCreditPurchasing": False}, []),
        ({"seatsLimit": 0}, ["seats-limit-range"]),
        ({"notificationEmails": ["a@example.com"]}, ["unknown-field"]),
    ],
)
def test_rules_on_both_sides(fields: dict[str, Any], expected: list[str]):
    """A client is accepted if the platform would take it, and refused with words that help."""
    assert expected == codes(client(**fields))


def test_a_slug_of_the_wrong_form_is_corrected():
    """The hint for a wrong slug is the slug that the platform would derive."""
    (problem,) = making.found(client(slug="Acme Industries"))[1]
    assert "write `slug: acme-industries`" == problem.hint


@pytest.mark.parametrize(
    ("name", "slug"),
    [("Acme Industries", "acme-industries"), ("A/B_C", "a-b-c"), (" Über & Co ", "ber-co")],
)
def test_a_slug_is_derived_as_the_platform_does(name: str, slug: str):
    """The slug is derived as the platform does, and always sent (spec 4, clone rule 2)."""
    assert slug == making.form(client(name=name))["slug"]


def test_what_is_sent():
    """The create sends name and slug to the address of the source."""
    made = making.resource(client(slug="r"))
    piece = CLIENT.calls.create(made.address, made.form, None)
    assert {"name": "Riverside", "slug": "r"} == piece.body
    assert {"id": {"$ref": "client.golden", "id": "id"}} == piece.params


def test_two_of_one_slug_are_a_mistake(tmp_path: Path):
    """Two clients with one slug, written or derived, are reported."""
    text = "resource: client\nkey: {}\ncloneOf: golden\nname: {}\n"
    root = making.write(
        tmp_path, a=text.format("a", "River side"), b=text.format("b", "River_side")
    )
    assert ["value-taken"] == [problem.code for problem in making.problems(root)]


def test_a_client_of_the_catalog_is_named_by_its_key(tmp_path: Path):
    """A license that names a new client by its slug is told to use the key."""
    license_ = "resource: license\nkey: l\nclient: river\nname: L\nlearningPaths: []\n"
    root = making.write(
        tmp_path,
        a="resource: client\nkey: a\ncloneOf: golden\nname: River\n",
        l=f"{license_}courses: []\ncourseTags: [Safety]\n",
    )
    (problem,) = making.problems(root)
    assert ("name-of-catalog", True) == (problem.code, "`a`" in problem.hint)


def test_clients_cannot_be_made_of_each_other(tmp_path: Path):
    """Two clients cannot be clones of each other."""
    text = "resource: client\nkey: {0}\ncloneOf: {1}\nname: {0}\n"
    root = making.write(tmp_path, a=text.format("a", "b"), b=text.format("b", "a"))
    assert ["reference-circle"] == [problem.code for problem in making.problems(root)]


@pytest.mark.parametrize(
    ("fields", "steps"),
    [
        ({"name": "River", "slug": "riverside"}, {"name"}),
        ({"name": "River"}, {"name", "slug"}),
        ({"slug": "other"}, {"slug"}),
        ({"cloneOf": "acme"}, {"cloneOf"}),
    ],
)
def test_no_route_changes_a_client(fields: dict[str, Any], steps: set[str]):
    """Each changed field of a client is a step for a person."""
    found = described(client(), client(**fields))
    assert ([], steps) == (list(found.calls), {step.field for step in found.manual})


def test_a_step_says_both_values():
    """What a clone has not brought is set to what the manifest says, from what it said before."""
    found = described(client(seatsLimit=5), client(seatsLimit=9, customHost="learn.example.com"))
    ending = "of the client in the admin interface"
    assert [
        ("seatsLimit", f"set `seatsLimit` {ending} from `5` to `9`"),
        ("customHost", f"set `customHost` {ending} to `learn.example.com`"),
    ] == [(step.field, step.text) for step in found.manual]


def test_a_derived_slug_that_moves_can_be_kept():
    """If a derived slug would change, the step says how to keep it."""
    found = described(client(), client(name="River"))
    assert "write `slug: riverside` in the manifest to keep it" in found.manual[1].text


def test_the_job_is_in_the_answer():
    """The job of a clone is read from the field that is shown (spec 4, clone rule 3)."""
    assert ["1"] == list(CLIENT.calls.jobs({"data": {"APICloneClient": {"id": "1"}}}))


def shown(slug: str = "riverside", name: str = "Riverside", id: str = "1") -> dict[str, Any]:  # noqa: A002
    return {"id": id, "slug": slug, "name": name}


@pytest.mark.parametrize(
    ("live", "found"),
    [
        ([], None),
        ([shown()], Ids({"id": "1"})),
        ([shown("riverside-2"), shown(id="2")], Ids({"id": "2"})),
        ([shown(name="Somebody else")], None),
        ([shown(name=" riverside ")], Ids({"id": "1"})),
        ([shown(id="taken")], None),
    ],
)
def test_it_is_found_by_its_slug(live: list[Any], found: Ids | None):
    """A client is found by its exact slug and name among the results of a search."""
    assert found == CLIENT.reads.match(making.form(client()), None, live, {"taken"})


def test_a_read_proves_name_and_slug():
    """A read shows only name and slug, and not the source."""
    form, ids = making.form(client()), Ids({"id": "1"})
    assert {"name": "New", "slug": "new"} == CLIENT.reads.observed(form, ids, [shown("new", "New")])
    assert {} == CLIENT.reads.observed(form, ids, [shown(id="2")])


def test_eleven_things_are_not_copied():
    """The step of a new clone names everything that is not copied (spec 4, clone rule 5)."""
    (step,) = CLIENT.calls.after_create
    assert 11 == len(NOT_COPIED)
    assert all(what in step.text for what in NOT_COPIED)
