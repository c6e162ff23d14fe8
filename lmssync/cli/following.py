"""Runs `lmssync jobs`: reads jobs, and joins them with what the state says of them."""

import math
from collections.abc import Iterable, Iterator, Sequence

import click

from ..applying.apply import AwaitedJob, find_awaited_jobs
from ..learners.people import People
from ..planning.workspace import Workspace
from ..platform.client import JobEnd, read_job, watch_jobs
from ..report.jobs_report import ShownJob, job_json, job_line
from ..support.visible import escape_invisible, in_json


def each_awaited(place: Workspace) -> Iterator[ShownJob]:
    """The jobs that the state waits for, as the platform shows them now."""
    with place.store(read_only=True) as store:
        jobs, people = list(find_awaited_jobs(store)), People(store)
        if not jobs:
            return
        with place.reader() as reader:
            reader.pace.tell = _tell
            ends = reader.ask_each(lambda job: read_job(reader, job.id), jobs)
            for job, end in zip(jobs, ends, strict=True):
                yield _shown_job(end, [job], people)


def watch_and_print(
    place: Workspace, ids: Sequence[str], minutes: float | None, *, json_: bool
) -> list[JobEnd]:
    """Prints each change of some jobs, or of those of the state; how each was at the end."""
    last: dict[str, JobEnd] = {}
    patience = math.inf if minutes is None else minutes * 60
    with place.store(read_only=True) as store, place.reader() as reader:
        jobs, people = list(find_awaited_jobs(store)), People(store)
        reader.pace.tell = _tell
        for end in watch_jobs(reader, ids or [job.id for job in jobs], patience):
            shown = _shown_job(end, jobs, people)
            last[end.id] = shown.end
            _print(shown, json_=json_)
    if not last:
        click.echo("the state waits for no job", err=True)
    return list(last.values())


def _shown_job(end: JobEnd, jobs: Iterable[AwaitedJob], people: People) -> ShownJob:
    """A job with its call; a message may name people, in whose place codes are shown."""
    end = end._replace(message=people.conceal_message(end.message))
    mine = next((job for job in jobs if job.id == end.id), None)
    return ShownJob(end, mine.route, mine.since, mine.addresses) if mine else ShownJob(end)


def _print(job: ShownJob, *, json_: bool) -> None:
    import orjson

    line = (
        in_json(orjson.dumps(job_json(job)).decode()) if json_ else escape_invisible(job_line(job))
    )
    click.echo(line)


def _tell(text: str) -> None:
    click.echo(text, err=True)
