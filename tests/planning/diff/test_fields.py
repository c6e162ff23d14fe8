"""Which fields of a form differ."""

from typing import Any

import pytest

from lmssync.planning.diff import FieldChange
from lmssync.planning.diff.field_paths import compare_forms


def changed(before: Any, after: Any) -> list[tuple[str, Any, Any]]:
    return [tuple(change) for change in compare_forms({"f": before}, {"f": after})]


def part(name: str, **fields: Any) -> dict[str, Any]:
    return {"id": name, **fields}


@pytest.mark.parametrize(
    "value", [1, "a", None, [], {}, [part("a")], {"$ref": "course.a", "id": "x"}]
)
def test_what_is_the_same_does_not_differ(value: Any):
    """Nothing is reported."""
    assert [] == changed(value, value)


@pytest.mark.parametrize(
    ("before", "after"),
    [(1, 2), (None, 1), (1, None), ([1], [1, 2]), (["a", "b"], ["b", "a"]), (True, 1.5), ({}, [])],
)
def test_plain_values_differ_whole(before: Any, after: Any):
    """A list of plain values is one value: the platform replaces it whole."""
    assert [("f", before, after)] == changed(before, after)


def test_what_was_not_there_was_nothing():
    """`None` stands for a field that was not set."""
    assert [FieldChange("f", None, 1)] == list(compare_forms({}, {"f": 1}))


def test_what_is_left_out_is_not_managed():
    """It never differs."""
    assert [] == list(compare_forms({"f": 1, "g": 2}, {"g": 2}))


def test_mappings_differ_by_field():
    """The path leads to the field."""
    assert [("f.b", 2, 3)] == changed({"a": 1, "b": 2}, {"a": 1, "b": 3})


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({"$ref": "course.a", "id": "x"}, {"$ref": "course.b", "id": "x"}),
        ({"$markdown": "a"}, {"$markdown": "b"}),
        ({"$markdown": "a"}, "b"),
    ],
)
def test_nodes_are_one_value(before: Any, after: Any):
    """Nobody wants to read about the inside of a reference."""
    assert [("f", before, after)] == changed(before, after)


def test_lists_of_references_are_one_value():
    """Their ids are no ids of parts."""
    before, after = ([{"$ref": f"tag.{name}", "id": "id"}] for name in "AB")
    assert [("f", before, after)] == changed(before, after)


def test_parts_are_paired_by_id():
    """A changed title is a changed title, wherever the part stands."""
    before = [part("a", title="A"), part("b", title="B")]
    after = [part("a", title="A"), part("b", title="B2")]
    assert [("f[b].title", "B", "B2")] == changed(before, after)


def test_a_part_that_is_new_or_gone():
    """Whole, with nothing on the other side."""
    a, b = part("a"), part("b")
    assert [("f[b]", None, b), ("f[a]", a, None)] == changed([a], [b])


def test_a_move_is_a_move():
    """Only the order differs, not the parts."""
    a, b = part("a"), part("b")
    assert [("f.order", ["a", "b"], ["b", "a"])] == changed([a, b], [b, a])


def test_an_addition_is_no_move():
    """Those that stayed are in the order in which they were."""
    a, b, c = part("a"), part("b"), part("c")
    assert [("f[b]", None, b)] == changed([a, c], [a, b, c])


def test_the_first_part_of_an_empty_list():
    """It is an added part, not a changed list."""
    assert [("f[a]", None, part("a"))] == changed([], [part("a")])


def test_parts_within_parts():
    """The path spells the whole way."""
    before, after = (
        [part("s", lessons=[part("l", topics=[part("t", title=title)])])] for title in "AB"
    )
    assert [("f[s].lessons[l].topics[t].title", "A", "B")] == changed(before, after)


def test_custom_fields_differ_by_slug():
    """Also those that are gone: the whole object is sent (O13)."""
    before, after = {"a": "1", "b": ["x"], "c": "3"}, {"a": "2", "b": ["x"], "d": "4"}
    found = compare_forms({"customFields": before}, {"customFields": after})
    assert [
        ("customFields.a", "1", "2"),
        ("customFields.c", "3", None),
        ("customFields.d", None, "4"),
    ] == [tuple(change) for change in found]
