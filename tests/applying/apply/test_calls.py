"""Which successful answers are believed."""

from typing import Any

import pytest

from lmssync.applying.apply.calls import _describe_doubt
from lmssync.kind import CallPart
from lmssync.planning.plan import Step
from lmssync.resource import Address

ADDRESS = Address("course", "a")
CREATE = Step(
    0,
    (CallPart.describe_part(ADDRESS, "course.create", {"courseAttributes": [{}]}, {}, adds=True),),
)


@pytest.mark.parametrize(
    ("answer", "believed"),
    [
        ({"courseIds": ["1"], "courseGroupIds": ["2"]}, True),
        ({"courseIds": ["1", "2"]}, False),
        ({"courseIds": []}, False),
        ({"courseIds": None}, False),
        ({}, False),
        (None, False),
    ],
)
def test_a_create_is_believed_when_its_ids_are_as_many_as_its_entries(
    answer: Any, believed: bool
) -> None:
    """Too few, too many or none: nobody knows what was made (design: the create protocol)."""
    assert believed == (not _describe_doubt(CREATE, answer))
