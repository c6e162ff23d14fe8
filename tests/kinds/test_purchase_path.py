"""Alternate purchase paths (spec 2.6, 4, 7)."""

from typing import Any

import pytest

from lmssync.kind import Ambiguity, Ids
from lmssync.kinds import KINDS
from lmssync.vocabulary import limits
from tests import making
from tests.making import UUID, codes, described, path

KIND = KINDS["path"]
URL = "https://shop.example.com"


def address(length: int) -> str:
    """An address of this many characters."""
    return URL + "/" + "x" * (length - len(URL) - 1)


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({}, []),
        ({"target": {"item": "safety"}}, []),
        ({"target": {}}, ["one-target"]),
        ({"target": {"item": "safety", "url": URL, "title": "A"}}, ["one-target"]),
        ({"target": {"url": URL}}, ["target-title"]),
        ({"target": {"item": "safety", "title": "A"}}, ["target-title"]),
        ({"target": {"url": "ftp://x", "title": "A"}}, ["url"]),
        ({"target": {"url": URL, "title": "x" * limits.PATH_TARGET_TITLE}}, []),
        ({"target": {"url": URL, "title": "x" * (limits.PATH_TARGET_TITLE + 1)}}, ["title-length"]),
        ({"target": {"url": address(limits.PATH_TARGET_URL), "title": "A"}}, []),
        ({"target": {"url": address(limits.PATH_TARGET_URL + 1), "title": "A"}}, ["url-length"]),
        ({"label": "x" * limits.PATH_LABEL}, []),
        ({"label": "x" * (limits.PATH_LABEL + 1)}, ["label-length"]),
        ({"label": "<h1>" * 600 + "x"}, []),
        ({"label": "<script></script> "}, ["label-empty"]),
        ({"label": "<h1>x</h1>"}, []),
        ({"displayOrder": 0}, []),
        ({"displayOrder": -1}, ["display-order-range"]),
        ({"hidePrimaryCta": "true"}, ["hide-primary-cta-type"]),
    ],
)
def test_rules_on_both_sides(fields: dict[str, Any], expected: list[str]):
    """Exactly one target; the label as the platform keeps it."""
    assert expected == codes(path(**fields))


def test_what_is_sent_for_an_address():
    """With its title."""
    assert {
        "targetType": "external_url",
        "targetUrl": URL,
        "targetUrlTitle": "Shop",
        "label": "Buy",
    } == making.created(path())


@pytest.mark.parametrize(
    ("item", "sent"), [("first", {"$ref": "course.first", "id": "course"}), (UUID, UUID)]
)
def test_what_is_sent_for_an_item(item: str, sent: Any):
    """A key of the catalog, or something that is not managed."""
    assert {
        "targetType": "catalog_item",
        "targetId": sent,
        "label": "Buy",
        "displayOrder": 2,
    } == making.created(path(target={"item": item}, displayOrder=2))


def test_no_route_changes_a_path():
    """Each changed field is a step for a person."""
    found = described(path(), path(label="Order"))
    assert ([], ["label"]) == (list(found.calls), [step.field for step in found.manual])


def test_who_has_to_delete_one_can_find_it():
    """By its label as people read it, and its course."""
    (step,) = KIND.calls.removal(making.form(path(label="<p>Buy <b>here</b></p>"))).manual
    assert "the purchase path “Buy here” of course `safety`" in step.text


def live(**fields: Any) -> dict[str, Any]:
    """A path as the list shows it: unused targets are null (spec 2.6)."""
    unused = {"targetId": None, "displayOrder": 0}
    target = {"targetType": "external_url", "targetUrl": URL, "targetUrlTitle": "Shop"}
    return {"id": "1", "label": "Buy", **unused, **target} | fields


@pytest.mark.parametrize(
    ("listed", "taken", "expected"),
    [
        ([live()], set(), "1"),
        ([live()], {"1"}, None),
        ([live(label="<p>Buy </p>")], set(), "1"),
        ([live(label="Order", displayOrder=1), live(id="2")], set(), "2"),
        ([live(targetUrl="https://other.example.com")], set(), None),
        ([live(id="1"), live(id="2")], {"1"}, "2"),
        ([], set(), None),
        (live(id="3"), set(), "3"),
    ],
)
def test_how_it_is_recognised(listed: Any, taken: set[str], expected: str | None):
    """In the answer of a create, or by label and target in the list."""
    found = KIND.reads.match(making.form(path()), None, {"data": listed}, taken)
    assert (Ids({"id": expected}) if expected else None) == found


@pytest.mark.parametrize(
    "other", [{"label": "Order"}, {"displayOrder": 1}, {"targetUrlTitle": "Store"}]
)
def test_another_path_to_the_same_target_is_for_a_person(other: dict[str, Any]):
    """It may be this one, changed on its way: made again, it would be there twice."""
    doubt = KIND.reads.match(making.form(path()), None, {"data": [live(**other)]}, set())
    assert isinstance(doubt, Ambiguity)
    assert ["1"] == doubt.candidates


def test_a_label_is_recognised_as_the_platform_keeps_it():
    """What is taken out of it does not make it another."""
    form = making.form(path(label="<h1>Buy</h1>"))
    assert Ids({"id": "1"}) == KIND.reads.match(form, None, {"data": [live()]}, set())


def test_people_call_it_by_its_label():
    """As it is read, without its markup."""
    assert "Buy & save at our partner" == KIND.authoring.title(
        {"label": "Buy &amp; save<br>at <b>our</b> partner"}
    )
    assert "Buy" == KIND.authoring.title({"label": "<p>Buy</p>"})
