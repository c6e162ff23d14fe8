"""Values that are the same, and some that only look like it."""

from typing import Any

import pytest

from lmssync.catalog.manifests.formatter.canonical_form import same_values


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"a": 1, "b": [2]}, {"b": [2], "a": 1}),
        ([float("nan")], [float("nan")]),
        ([None, "x", True], [None, "x", True]),
    ],
)
def test_the_same(one: Any, other: Any):
    """In whatever order the keys stand."""
    assert same_values(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (1, True),
        (1, 1.0),
        (0.0, -0.0),
        ("1", 1),
        ([1, 2], [2, 1]),
        ([1], [1, 2]),
        ({"a": 1}, {"a": 1, "b": 2}),
        ({1: "a"}, {True: "a"}),
        ({"a": {"b": 1}}, {"a": {"b": 2}}),
        ([None], []),
    ],
)
def test_not_the_same(one: Any, other: Any):
    """Equal in Python is not enough."""
    assert not same_values(one, other)
