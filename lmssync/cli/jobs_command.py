"""`lmssync jobs`."""

import math
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Unpack

import click

from ..errors import WrongUse
from ..support.invisible_characters import escape_invisible, in_json
from . import options
from .chosen_workspace import choose_online_workspace
from .command_help import PLATFORM_EXITS, documented_group
from .exits import Exit
from .terminal_output import print_view, terminal_width

if TYPE_CHECKING:
    from ..applying.apply import AwaitedJob
    from ..learners.people import People
    from ..planning.workspace import Workspace
    from ..platform.client import JobEnd
    from ..report.lists_report import ShownJob


@documented_group(
    "jobs",
    examples=(("lmssync jobs list", "list the jobs that the state waits for"),),
)
def command() -> None:
    """Show background jobs of the platform, and wait for their end."""


@command.command(
    "list",
    exits=PLATFORM_EXITS,
    examples=(
        ("lmssync jobs list", "list the jobs that the state waits for"),
        ("lmssync jobs list --json", "list them as JSON, for a program"),
    ),
)
@options.where_whole
@options.as_json
def list_(*, json_: bool, **given: Unpack[options.WhereOptions]) -> None:
    """List the background jobs that the state waits for.

    The platform has no list of its jobs. `lmssync get jobs ID` shows any job by its id.
    """
    from ..report.lists_report import jobs_json, jobs_text

    jobs = list(read_awaited_jobs(choose_online_workspace(**given)))
    print_view(jobs_json(jobs) if json_ else jobs_text(jobs, terminal_width(sys.stdout)))


@command.command(
    "watch",
    exits=PLATFORM_EXITS | {Exit.PARTIAL},
    exit_meanings={Exit.PARTIAL: "a job failed"},
    examples=(
        ("lmssync jobs watch", "wait until all have ended"),
        ("lmssync jobs watch 7d1c0000-0000-4000-8000-000000000001", "wait for one job, by its id"),
        ("lmssync jobs watch --timeout 5 --json", "wait for 5 minutes, and print JSON"),
    ),
)
@click.argument("ids", nargs=-1, metavar="[ID]...")
@click.option(
    "--timeout",
    type=click.FloatRange(min=0),
    metavar="MINUTES",
    help="Wait no longer than this; default: until all jobs have ended.",
)
@options.where_whole
@click.option("--json", "json_", is_flag=True, help="Print a line of JSON for each change.")
def watch(
    *,
    ids: tuple[str, ...],
    timeout: float | None,
    json_: bool,
    **given: Unpack[options.WhereOptions],
) -> int:
    """Wait for background jobs to end, and say how each ends.

    Without ID it waits for the jobs of the state. Prints a line whenever a job has come further.
    Exits with 7 if a job failed, with 64 if the platform does not know an ID, and with 1 if another
    job is lost or did not end in time. Changes nothing: `apply` records which jobs have ended.
    """
    from ..kinds import is_uuid

    for id_ in ids:
        if not is_uuid(id_):
            raise WrongUse(f"`{id_}` is not a uuid", "copy the id from what started the job")
    last = watch_and_print(choose_online_workspace(**given), ids, timeout, json_=json_)
    if any(one.is_over and not one.has_succeeded for one in last):
        return Exit.PARTIAL
    for one in last:
        if not one.is_over:
            why = one.message if one.is_lost else f"it has not ended, and is still {one.status}"
            click.echo(f"job {one.id}: {why}", err=True)
    if any(one.is_lost for one in last) and ids:
        return Exit.USAGE
    return Exit.DONE if all(one.has_succeeded for one in last) else Exit.ERROR


def read_awaited_jobs(place: "Workspace") -> "Iterator[ShownJob]":
    """The jobs that the state waits for, as the platform shows them now."""
    from ..applying.apply import find_awaited_jobs
    from ..learners.people import People
    from ..platform.client import read_job

    with place.store(read_only=True) as store:
        jobs, people = list(find_awaited_jobs(store)), People(store)
        if not jobs:
            return
        with place.open_reader() as reader:
            reader.pace.tell = _print_remark
            ends = reader.ask_each(lambda job: read_job(reader, job.id), jobs)
            for job, end in zip(jobs, ends, strict=True):
                yield _shown_job(end, [job], people)


def watch_and_print(
    place: "Workspace", ids: Sequence[str], minutes: float | None, *, json_: bool
) -> "list[JobEnd]":
    """Prints each change of some jobs, or of those of the state; how each was at the end."""
    from ..applying.apply import find_awaited_jobs
    from ..learners.people import People
    from ..platform.client import watch_jobs

    last: dict[str, JobEnd] = {}
    patience = math.inf if minutes is None else minutes * 60
    with place.store(read_only=True) as store, place.open_reader() as reader:
        jobs, people = list(find_awaited_jobs(store)), People(store)
        reader.pace.tell = _print_remark
        for end in watch_jobs(reader, ids or [job.id for job in jobs], patience):
            shown = _shown_job(end, jobs, people)
            last[end.id] = shown.end
            _print_job(shown, json_=json_)
    if not last:
        click.echo("the state waits for no job", err=True)
    return list(last.values())


def _shown_job(end: "JobEnd", jobs: "Iterable[AwaitedJob]", people: "People") -> "ShownJob":
    """A job with its call; a message may name people, in whose place codes are shown."""
    from ..report.lists_report import ShownJob

    end = end._replace(message=people.conceal_message(end.message))
    mine = next((job for job in jobs if job.id == end.id), None)
    return ShownJob(end, mine.route, mine.since, mine.addresses) if mine else ShownJob(end)


def _print_job(job: "ShownJob", *, json_: bool) -> None:
    import orjson

    from ..report.lists_report import job_json, job_line

    line = (
        in_json(orjson.dumps(job_json(job)).decode()) if json_ else escape_invisible(job_line(job))
    )
    click.echo(line)


def _print_remark(text: str) -> None:
    click.echo(text, err=True)
