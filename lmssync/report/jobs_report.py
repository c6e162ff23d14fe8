"""Background jobs of the platform: how far each is, and what it is about."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from ..platform.client import JobEnd
from .evidence_text import moment_text
from .text_tables import fit_table
from .value_words import join_some

_HEAD = ("id", "status", "since", "resources", "description", "message")
_SHOWN = 3


class ShownJob(NamedTuple):
    """A job, with what the state says of the call that it belongs to."""

    end: JobEnd
    route: str = ""
    since: str = ""
    addresses: Sequence[str] = ()

    @property
    def about(self) -> str:
        """`course.a, course.b and 7 more`."""
        return join_some(self.addresses, _SHOWN)


def jobs_text(jobs: Sequence[ShownJob], width: int | None) -> str:
    if not jobs:
        return "The state has no open job.\n"
    rows = [
        (
            one.end.id,
            one.end.status,
            moment_text(one.since) if one.since else "",
            one.about,
            one.end.description,
            one.end.message,
        )
        for one in jobs
    ]
    return fit_table(_HEAD, rows, width)[0]


def jobs_json(jobs: Iterable[ShownJob]) -> dict[str, Any]:
    return {"format": "lmssync.jobs/1", "jobs": [job_json(one) for one in jobs]}


def job_json(job: ShownJob) -> dict[str, Any]:
    end = job.end
    return {
        "id": end.id,
        "status": end.status,
        "description": end.description,
        "errorMessage": end.message,
        "route": job.route,
        "since": job.since,
        "resources": list(job.addresses),
    }


def job_line(job: ShownJob) -> str:
    """`7d1c…  failed  client.acme: Clone client (the slug is taken)`."""
    what = ": ".join(filter(None, (job.about, job.end.description)))
    why = f" ({job.end.message})" if job.end.message else ""
    return f"{job.end.id}  {job.end.status:<10}  {what}{why}".rstrip()
