"""Follows background jobs to their end (spec 3)."""

import time
from collections.abc import Callable, Iterable, Iterator
from math import ceil
from typing import NamedTuple

from ...errors import Refused, Unreadable
from ...vocabulary.enums import JobStatus
from .answer_bodies import platform_words
from .platform_reader import Reader

PATIENCE = 60.0
"""Seconds that a job is followed before the run goes on without it."""
WORK = 300.0
"""Seconds for which a run waits for a job that does the work itself; a later run goes on."""
_FIRST, _GROWS, _LONGEST = 0.1, 1.5, 2.0
"""The pauses between two polls, in seconds."""
_WATCHED = 10.0
"""The longest pause while somebody watches: no call of ours waits for it."""
LOST = "lost"
"""The status of a job whose read shows none."""


class JobEnd(NamedTuple):
    """How a job ended; a status that is not final means that it was still running."""

    id: str
    status: str
    description: str
    message: str

    @property
    def is_over(self) -> bool:
        return self.status in {JobStatus.COMPLETE, JobStatus.FAILED}

    @property
    def has_succeeded(self) -> bool:
        return self.status == JobStatus.COMPLETE

    @property
    def is_lost(self) -> bool:
        """True if the platform does not say, or no longer knows, how it ended."""
        return self.status == LOST


def most_polls(jobs: int, patience: float = PATIENCE) -> int:
    """The most reads that following so many jobs takes: each begins with short pauses again."""
    pause, left, quick = _FIRST, patience, 0
    while pause < _LONGEST and left > 0:
        pause, left, quick = pause * _GROWS, left - pause, quick + 1
    return jobs * (quick + 1) + ceil(max(0.0, left) / _LONGEST) if jobs else 0


def follow_jobs(
    reader: Reader,
    ids: Iterable[str],
    patience: float = PATIENCE,
    enough: Callable[[], bool] = lambda: False,
) -> list[JobEnd]:
    """Polls each job until it is complete or failed, with growing pauses, or until `enough`.

    When the time is up, each job is read once more. When twice the time is up, no more are read,
    since an answer may name any number of jobs.
    """
    begun = time.monotonic()

    def late(times: int = 1) -> bool:
        return time.monotonic() > begun + times * patience

    return [_follow_job(reader, job, lambda: enough() or late(), asks=not late(2)) for job in ids]


def _follow_job(reader: Reader, job: str, enough: Callable[[], bool], *, asks: bool) -> JobEnd:
    """`asks` is false for a job that comes too late to be read even once."""
    pause = _FIRST
    while asks:
        end = read_job(reader, job)
        if end.is_over or end.is_lost or enough():
            return end
        reader.pause(pause)
        pause = min(pause * _GROWS, _LONGEST)
    return JobEnd(job, JobStatus.QUEUED, "", "")


def read_job(reader: Reader, job: str) -> JobEnd:
    """How far a job is; its status is `LOST` if the read does not say."""
    try:
        answer = reader.read_route("job.read", {"id": job})
    except (Refused, Unreadable) as error:
        return JobEnd(job, LOST, "", error.message)
    if answer is None:
        return JobEnd(job, LOST, "", "the platform does not know this job")
    texts = (answer.get("description") or "", str(answer.get("errorMessage") or ""))
    return JobEnd(job, answer["status"], *map(platform_words, texts))


def watch_jobs(reader: Reader, ids: Iterable[str], patience: float) -> Iterator[JobEnd]:
    """How far each job is, whenever that has changed, until all are over or the time is up.

    Raises `Stopped` if somebody does not want to wait.
    """
    open_, known = list(dict.fromkeys(ids)), dict[str, JobEnd]()
    end, pause = time.monotonic() + patience, _FIRST
    while open_:
        for job in list(open_):
            now = read_job(reader, job)
            if now.is_over or now.is_lost:
                open_.remove(job)
            if now != known.get(job):
                known[job], pause = now, _FIRST
                yield now
        if time.monotonic() > end:
            return
        if open_:
            reader.pace.sleep(pause)
            pause = min(pause * _GROWS, _WATCHED)
