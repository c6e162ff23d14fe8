"""`lmssync get`."""

from pathlib import Path
from typing import Unpack

import click

from ..errors import WrongUse
from . import list_options, list_words, options
from .command_help import PLATFORM_EXITS, DocumentedCommand
from .exits import Exit


@click.command(
    "get",
    cls=DocumentedCommand,
    exits=PLATFORM_EXITS,
    examples=(
        ("lmssync get", "say what can be listed, and by which filters"),
        ("lmssync get tags --all", "list all tags"),
        ("lmssync get clients --filter query=acme --sort -name", "search the clients"),
        ("lmssync get assets --filter tagIds=Safety --json", "for a program"),
        ("lmssync get paths course.safety-101", "list the purchase paths of a course"),
        ("lmssync get sessions course.safety-101", "list the sessions of its course group"),
        ("lmssync get users license.staff", "list those who hold a license"),
        ("lmssync get users --all --format csv --out users.csv", "into a file that only you read"),
    ),
)
@click.argument("name", metavar="[LIST]", required=False, shell_complete=list_words.lists)
@click.argument("words", nargs=-1, metavar="[ID]...", shell_complete=list_words.complete_recorded)
@options.where
@list_options.chosen
@click.option(
    "--format",
    "form",
    type=click.Choice(list_options.FORMATS),
    default="table",
    show_default=True,
    help="What to print; CSV has more fields than the table, JSON and YAML have all.",
)
@click.option("--json", "json_", is_flag=True, help="The same as --format json.")
@click.option(
    "--out",
    type=options.FILE,
    metavar="FILE",
    help="Write to this file, which only you can read, instead of printing.",
)
def command(
    *,
    name: str | None,
    form: str,
    json_: bool,
    out: Path | None,
    **given: Unpack[list_options.GetOptions],
) -> int:
    """List what is on the platform: tags, clients, users, courses.

    Without LIST it says what can be listed, and by which filters. ID names single things, or the
    client, course or lesson whose list is meant: by its uuid, as the slug of a client, or by the
    address of what is recorded (course.safety-101, course.safety-101/start/welcome). An address
    also narrows a list whose items name it: the users who hold license.staff, the coupons of
    course.safety-101. It reads only and keeps nothing of what it reads: accounts and attempts name
    people.
    """
    from . import getting

    if name is None:
        click.echo(getting.overview(), nl=False)
        return Exit.DONE
    if given["everything"] and given["limit"]:
        raise WrongUse("--all and --limit contradict each other", "give one of them")
    return getting.run(name, "json" if json_ else form, out, **given)
