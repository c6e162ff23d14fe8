"""Lists whose rows have no ids: people, who are there or are not."""

from typing import Any

import pytest

from lmssync.diff import FieldChange
from lmssync.diff.fields import compare

ANN, BOB = {"email": "ann@x"}, {"email": "bob@x"}


@pytest.mark.parametrize(
    ("before", "after", "found"),
    [
        ([ANN], [ANN], []),
        ([ANN, BOB], [BOB, ANN], []),
        ([], [ANN], [FieldChange("users[ann@x]", None, ANN)]),
        ([ANN, BOB], [BOB], [FieldChange("users[ann@x]", ANN, None)]),
        (
            [ANN],
            [{**ANN, "id": "1"}],
            [
                FieldChange("users[ann@x]", None, {**ANN, "id": "1"}),
                FieldChange("users[ann@x]", ANN, None),
            ],
        ),
    ],
)
def test_each_row_has_come_or_gone(before: Any, after: Any, found: list[FieldChange]):
    """Their order means nothing."""
    assert found == list(compare({"users": before}, {"users": after}))
