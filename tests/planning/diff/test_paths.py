"""Paths of field changes lead to values, and put others in their place."""

from typing import Any

import pytest

from lmssync.planning.diff.field_paths import ABSENT, paths_overlap, put_value, top_field, value_at
from tests.making import course, form, lesson, section, topic

FORM = form(course(sections=[section("a", lesson("l", topic("t"), topic("u"))), section("b")])) | {
    "customFields": {"a.b": "1", "c": "2"}
}
TOPIC = "sections[a].lessons[l].topics[t]"


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("title", "Safety"),
        (f"{TOPIC}.title", "T"),
        ("customFields.a.b", "1"),
        ("sections.order", ["a", "b"]),
        ("sections[x].title", ABSENT),
        ("ribbon", ABSENT),
    ],
)
def test_the_value_at_a_path(path: str, value: Any):
    """A path leads through parts by their ids, and through keys that have dots."""
    assert value == value_at(FORM, path)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("title", "New"),
        ("ribbon", "new"),
        (f"{TOPIC}.title", "New"),
        ("customFields.a.b", "9"),
        ("sections.order", ["b", "a"]),
    ],
)
def test_a_value_put_in_place_is_there(path: str, value: Any):
    """What was put at a path is found there, and the form that it was put into stays as it was."""
    before = value_at(FORM, path)
    assert value == value_at(put_value(FORM, path, value), path)
    assert before == value_at(FORM, path)


def test_a_value_is_taken_away():
    """`ABSENT` takes the value away, and nothing else."""
    changed = put_value(FORM, f"{TOPIC}.type", ABSENT)
    assert ABSENT is value_at(changed, f"{TOPIC}.type")
    assert "T" == value_at(changed, f"{TOPIC}.title")


def test_others_keep_their_place_in_an_order():
    """Parts that an order does not name stay where they are."""
    parts = [{"id": name} for name in "abcd"]
    assert ["c", "b", "a", "d"] == [one["id"] for one in put_value(parts, "order", ["c", "a"])]


@pytest.mark.parametrize(
    ("path", "other", "together"),
    [
        ("title", "title", True),
        ("title", "titles", False),
        (TOPIC, f"{TOPIC}.title", True),
        (f"{TOPIC}.title", "sections[a]", True),
        ("sections[a]", "sections[ab]", False),
    ],
)
def test_overlap(path: str, other: str, *, together: bool):
    """Two paths overlap if one leads into what the other leads to."""
    assert together is paths_overlap(path, other)


def test_the_field_of_the_form():
    """A path begins with a field of the form."""
    assert ("sections", "customFields", "title") == (
        top_field(TOPIC),
        top_field("customFields.a.b"),
        top_field("title"),
    )
