"""`lmssync jobs`."""

import sys
from typing import Unpack

import click

from . import chosen_workspace as meanings, options, printing
from .command_help import PLATFORM_EXITS, DocumentedGroup
from .exits import Exit


@click.group(
    "jobs",
    cls=DocumentedGroup,
    examples=(("lmssync jobs list", "list the jobs that the state waits for"),),
)
def command() -> None:
    """Show the platform's background jobs and wait for their end."""


@command.command(
    "list",
    exits=PLATFORM_EXITS,
    examples=(
        ("lmssync jobs list", "list the jobs that the state waits for"),
        ("lmssync jobs list --json", "the same for a program"),
    ),
)
@options.where
@options.as_json
def list_(*, json_: bool, **given: Unpack[options.WhereOptions]) -> None:
    """List the background jobs that the state waits for, with what they are about.

    The platform has no list of its jobs. Those of others are read by their ids: `lmssync get jobs
    ID`.
    """
    from ..report.jobs_report import jobs_json, jobs_text
    from .following import each_awaited
    from .terminal_output import columns

    jobs = list(each_awaited(meanings.asking(**given)))
    printing.echo(jobs_json(jobs) if json_ else jobs_text(jobs, columns(sys.stdout)))


@command.command(
    "watch",
    exits=PLATFORM_EXITS | {Exit.PARTIAL},
    examples=(
        ("lmssync jobs watch", "wait until they have ended"),
        ("lmssync jobs watch 7d1c0000-0000-4000-8000-000000000001", "wait for one, also of others"),
        ("lmssync jobs watch --timeout 5 --json", "no longer than 5 minutes, for a program"),
    ),
)
@click.argument("ids", nargs=-1, metavar="[ID]...")
@click.option(
    "--timeout",
    type=click.FloatRange(min=0),
    metavar="MINUTES",
    help="Wait no longer than this; default: until all jobs have ended.",
)
@options.where
@click.option("--json", "json_", is_flag=True, help="Print a line of JSON for each change.")
def watch(
    *,
    ids: tuple[str, ...],
    timeout: float | None,
    json_: bool,
    **given: Unpack[options.WhereOptions],
) -> int:
    """Wait for background jobs and say how each ends; without ID for those of the state.

    Prints a line whenever one has come further. Exits with 7 if one has failed, and with 1 if one
    is not known or has not ended in time. Changes nothing, also in the state: `apply` records what
    has ended.
    """
    from .following import watch_and_print

    last = watch_and_print(meanings.asking(**given), ids, timeout, json_=json_)
    if any(one.is_over and not one.has_succeeded for one in last):
        return Exit.PARTIAL
    for one in last:
        if not one.is_over:
            why = one.message if one.is_lost else f"it is still {one.status}"
            click.echo(f"job {one.id} has not ended: {why}", err=True)
    return Exit.DONE if all(one.has_succeeded for one in last) else Exit.ERROR
