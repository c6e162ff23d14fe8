"""Background jobs: accepted at once, worked on a moment later, polled meanwhile (spec 3)."""

import math
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from lmssync.vocabulary.enums import JobStatus

from .clock import seconds_of, stamp_of
from .data.store import Store

if TYPE_CHECKING:
    from .data.objects import Objects
    from .world import World

Doc = dict[str, Any]
Work = Callable[["World", Doc], Doc | None]
"""What a job does at its end, by its arguments; raises JobFailed and then changes nothing. What it
returns is kept as the `outcome` of the job, which no route shows."""

QUEUED_SHARE = 0.4
"""Which part of its time a job waits in the queue."""
_FOR_EVER = 1e12
"""Seconds since 1970 that no clock here reaches."""


class JobFailed(Exception):
    """The message becomes `errorMessage`."""


class Jobs:
    """Jobs by their due time. A job that is due is finished before the next request is read, so
    nobody can tell that no worker runs; it survives a restart."""

    def __init__(self, objects: "Objects", *, store: Store, works: Mapping[str, Work]) -> None:
        self._objects, self._store, self._works = objects, store, works
        self._next_due = 0.0

    def start(
        self, work: str, arguments: Doc, *, description: str, now: float, seconds: float
    ) -> Doc:
        """Accept a job whose work is one of the table `bindings.WORKS`; what its answer shows."""
        job = self._objects.add(
            "jobs",
            {
                "description": description,
                "errorMessage": None,
                "status": JobStatus.QUEUED,
                "work": work,
                "arguments": arguments,
                "acceptedAt": stamp_of(now),
                "startsAt": stamp_of(now + seconds * QUEUED_SHARE),
                "dueAt": stamp_of(now + seconds),
            },
        )
        self._next_due = min(self._next_due, now + seconds)
        return as_wire(job, now=now)

    def waiting(self, work: str) -> list[Doc]:
        """The arguments of the jobs of that work that are not done."""
        jobs = self._objects.until("jobs", _FOR_EVER)
        return [job["arguments"] for job in jobs if job["work"] == work]

    def due(self, now: float) -> bool:
        return now >= self._next_due

    def finish_due(self, world: "World") -> None:
        """Do the work of every job whose time has come (inside no other change)."""
        now = world.clock.now()
        with self._store.change():
            for job in self._objects.until("jobs", now):
                self._finish(world, job)
        waiting = [job["dueAt"] for job in self._objects.until("jobs", _FOR_EVER)]
        self._next_due = seconds_of(min(waiting)) if waiting else math.inf

    def _finish(self, world: "World", job: Doc) -> None:
        try:
            with self._store.change():
                outcome = self._works[job["work"]](world, job["arguments"])
        except JobFailed as failed:
            job.update(status=JobStatus.FAILED, errorMessage=str(failed))
        except Exception as broken:  # noqa: BLE001 - a job that cannot run must not stay due for ever
            told = f"An internal error occurred ({type(broken).__name__}: {broken})"
            job.update(status=JobStatus.FAILED, errorMessage=told)
        else:
            job.update(status=JobStatus.COMPLETE, outcome=outcome)
        job.update(endedAt=job["dueAt"], dueAt=None)
        self._objects.save("jobs", job)


def as_wire(job: Doc, *, now: float) -> Doc:
    """The job as the platform shows it (spec 2.6)."""
    status = job["status"]
    if status == JobStatus.QUEUED and stamp_of(now) >= job["startsAt"]:
        status = JobStatus.PROCESSING
    return {
        "id": job["id"],
        "description": job["description"],
        "errorMessage": job["errorMessage"],
        "status": status,
    }
