"""Background jobs: accepted at once, worked on a moment later, polled meanwhile (spec 3)."""

import math
import sqlite3
import time
from collections.abc import Callable, Generator, Mapping
from typing import Any, NamedTuple

from lmssync.vocabulary.enums import JobStatus

from ..vocabulary.iso_dates import format_timestamp
from .data.durable_store import Store
from .data.object_documents import Objects
from .sandbox_documents import Doc, pick_fields, seconds_of

Doing = Generator[Doc, None, Doc | None]
"""Work that is being done: it yields wherever it may be interrupted, each time how far it is. What
it returns is kept as the `outcome` of the job, which no route shows."""
Work = Callable[[Doc, Doc | None], Doing]
"""What a job does, by its arguments and by how far it is (None at first), from which it goes on.
Raises JobFailed, and then has changed nothing since it yielded."""

QUEUED_SHARE = 0.4
"""Which part of its time a job waits in the queue."""
PORTION_SECONDS = 0.005
"""About how long work goes on before requests have their turn."""
_UNDER_WAY = "jobUnderWay"
"""The setting that says how far the job under way is, written with each portion of its work."""


class JobFailed(Exception):
    """The message becomes `errorMessage`."""


class UnderWay(NamedTuple):
    """The job that has begun, and the rest of its work."""

    job: Doc
    rest: Doing


def _do_unknown_work(_arguments: Doc, _before: Doc | None) -> Doing:
    """What a job of a seed may ask for."""
    yield from ()
    raise JobFailed("The sandbox does not know this kind of work")


class Jobs:
    """Jobs by their due time, one after the other; they survive a restart wherever it hits them.

    What one portion of work changes and how far the job then is are one change of the store.
    """

    def __init__(self, objects: Objects, *, store: Store, works: Mapping[str, Work]) -> None:
        self._objects, self._store, self._works = objects, store, works
        self._under_way: UnderWay | None = None
        self._next_due, self._undone = 0.0, store.undone

    def start_job(
        self, work: str, arguments: Doc, *, description: str, now: float, seconds: float
    ) -> Doc:
        """Accept a job whose work is one of `works`; what its answer shows."""
        state = {"description": description, "errorMessage": None, "status": JobStatus.QUEUED}
        offsets = {"acceptedAt": 0, "startsAt": seconds * QUEUED_SHARE, "dueAt": seconds}
        times = {name: format_timestamp(now + offset) for name, offset in offsets.items()}
        job = {**state, "work": work, "arguments": arguments, **times}
        self._next_due = min(self._next_due, now + seconds)
        return show_job(self._objects.add_object("jobs", job), now=now)

    def list_waiting(self, work: str) -> list[Doc]:
        """The arguments of the jobs of that work that are not done."""
        return [
            job["arguments"] for job in self._objects.list_earliest("jobs") if job["work"] == work
        ]

    @property
    def next_due(self) -> float:
        """When there is work to do, in seconds since 1970; past while a job is under way."""
        if self._undone != self._store.undone:
            self._forget_progress()  # what was begun, and what had ended, may be as it was before
        return self._next_due

    @property
    def is_under_way(self) -> bool:
        """Whether a job has begun and not ended."""
        return self._under_way is not None

    def work_on_next(self, now: float) -> None:
        """Do a portion of the first job whose time has come (inside no other change)."""
        try:
            with self._store.open_change():
                begun = self._under_way or self._begin_next(now)
                if begun:
                    self._under_way = begun
                    self._go_on(begun)
        except sqlite3.Error:
            self._forget_progress()
            raise

    def _forget_progress(self) -> None:
        """Look everything up again."""
        self._under_way = None
        self._next_due, self._undone = 0.0, self._store.undone

    def _begin_next(self, now: float) -> UnderWay | None:
        """The job whose turn it is, from where an earlier run of the sandbox left it."""
        first = next(iter(self._objects.list_earliest("jobs", count=1)), None)
        self._next_due = seconds_of(first["dueAt"]) if first else math.inf
        if first is None or self._next_due > now:
            return None
        kept = self._store.read_setting(_UNDER_WAY) or {}
        before = kept["progress"] if kept.get("id") == first["id"] else None
        work = self._works.get(first["work"], _do_unknown_work)
        return UnderWay(first, work(first["arguments"], before))

    def _go_on(self, begun: UnderWay) -> None:
        try:
            # A change of its own: what a failed portion has written is undone, its end is kept.
            with self._store.open_change():
                progress, is_done = _do_portion(begun.rest)
        except JobFailed as failed:
            self._end_job(begun.job, status=JobStatus.FAILED, errorMessage=str(failed))
        except sqlite3.Error:
            raise  # the disk's failure and not the job's: it is tried again
        except Exception as broken:  # noqa: BLE001 - a job that cannot run must not stay due for ever
            message = f"An internal error occurred ({type(broken).__name__}: {broken})"
            self._end_job(begun.job, status=JobStatus.FAILED, errorMessage=message)
        else:
            if is_done:
                self._end_job(begun.job, status=JobStatus.COMPLETE, outcome=progress)
            else:
                kept = {"id": begun.job["id"], "progress": progress}
                self._store.set_setting(_UNDER_WAY, kept)

    def _end_job(self, job: Doc, **result: Any) -> None:
        self._objects.save_object("jobs", {**job, **result, "endedAt": job["dueAt"], "dueAt": None})
        self._store.set_setting(_UNDER_WAY, None)
        self._under_way, self._next_due = None, 0.0


def _do_portion(rest: Doing) -> tuple[Doc | None, bool]:
    """Work for a moment: how far it then is and False, or the outcome and True."""
    until = time.monotonic() + PORTION_SECONDS
    try:
        while True:
            progress = next(rest)
            if time.monotonic() > until:
                return progress, False
    except StopIteration as end:
        return end.value, True


def show_job(job: Doc, *, now: float) -> Doc:
    """The job as the platform shows it (spec 2.6)."""
    status = job["status"]
    if status == JobStatus.QUEUED and format_timestamp(now) >= job["startsAt"]:
        status = JobStatus.PROCESSING
    return {**pick_fields(job, ("id", "description", "errorMessage")), "status": status}
