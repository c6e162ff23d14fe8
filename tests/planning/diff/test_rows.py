"""Lists whose rows have no ids: people, who are there or are not."""

from typing import Any

import pytest

from lmssync.planning.diff import FieldChange
from lmssync.planning.diff.field_paths import compare_forms

ANN, BOB, EVE = ({"email": {"$person": letter * 16}} for letter in "abe")
M = "\N{MINUS SIGN}"
HELD = {"holds": ["uuid"]}


@pytest.mark.parametrize(
    ("before", "after", "found"),
    [
        ([ANN], [ANN], None),
        ([ANN, BOB], [BOB, ANN], None),
        ([], [ANN], ("0 people", "1 person (+1)")),
        ([ANN, BOB], [BOB], ("2 people", f"1 person ({M}1)")),
        ([ANN, BOB], [BOB, EVE], ("2 people", f"2 people (+1, {M}1)")),
        ([ANN], [{**ANN, "id": {"$person": "1" * 16}}], ("1 person", "1 person (1 changed)")),
        ([{**ANN, **HELD}, BOB], [ANN, EVE], ("2 people", f"2 people (+1, {M}1, 1 changed)")),
        ([{"email": "ann@x"}], [{"email": "bob@x"}], ("1 person", f"1 person (+1, {M}1)")),
    ],
)
def test_people_are_counted(before: Any, after: Any, found: tuple[str, str] | None):
    """Their order means nothing, and who shares an identifier is the same person."""
    expected = [FieldChange("users", *found)] if found else []
    assert expected == list(compare_forms({"users": before}, {"users": after}))
