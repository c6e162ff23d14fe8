"""Jobs in answers: those that do the work, and those that go on after it."""

from typing import Any

import pytest

from lmssync.applying.apply import jobs
from lmssync.kinds import KINDS


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
    assert found == jobs.job_ids_in(KINDS["assignment"], answer)


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
    assert found == jobs.left_behind(answer)
