"""Follows background jobs to their end (spec 3)."""

import time
from collections.abc import Iterable
from typing import NamedTuple

from ..vocabulary.enums import JobStatus
from .platform import Reader

_PATIENCE = 60.0
"""Seconds that a job is followed before the run goes on without it."""


class JobEnd(NamedTuple):
    """How a job ended; a status that is not final means that it still ran."""

    id: str
    status: str
    description: str
    message: str


def follow(reader: Reader, ids: Iterable[str], patience: float = _PATIENCE) -> list[JobEnd]:
    """Polls each job until it is complete or failed, with growing pauses."""
    deadline = time.monotonic() + patience
    return [_follow(reader, job, deadline) for job in ids]


def _follow(reader: Reader, job: str, deadline: float) -> JobEnd:
    pause = 0.1
    while True:
        found = reader.read("job.read", {"id": job})
        if found is None:
            return JobEnd(job, JobStatus.FAILED, "", "the platform does not know this job any more")
        status = str(found["status"])
        over = status in {JobStatus.COMPLETE, JobStatus.FAILED}
        if over or time.monotonic() > deadline:
            said = str(found.get("errorMessage") or "")
            return JobEnd(job, status, str(found.get("description") or ""), said)
        time.sleep(pause)
        pause = min(pause * 1.5, 2.0)
