"""Which successful answers are believed."""

from typing import Any

import pytest

from lmssync.applying.apply import platform_work
from lmssync.applying.apply.perform import _describe_doubt
from lmssync.kind import CallPart
from lmssync.kinds import KINDS
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


@pytest.mark.parametrize(
    ("answer", "found"),
    [
        ({"data": {"jobId": "1"}}, ["1"]),
        ({"data": {"jobId": None}}, []),
        ({"data": {}}, []),
        ({"data": "1"}, []),
        ({}, []),
        (None, []),
        ([], []),
    ],
)
def test_an_answer_names_its_job_or_it_does_not(answer: Any, found: list[str]):
    """Whatever the answer looks like, nothing is raised."""
    assert found == platform_work.job_ids_in(KINDS["assignment"], answer)


@pytest.mark.parametrize(
    ("answer", "found"),
    [
        ({"backgroundJob": {"id": "1"}}, ["1"]),
        ({"backgroundJobs": [{"id": "1"}, {"id": "2"}]}, ["1", "2"]),
        ({"backgroundJob": {}}, []),
        ({"data": {"jobId": "1"}}, []),
        (None, []),
    ],
)
def test_jobs_that_are_left_behind(answer: Any, found: list[str]):
    """Those of SCORM packages and pictures (O6, O15); not the one that does the work."""
    assert found == platform_work.left_behind(answer)
