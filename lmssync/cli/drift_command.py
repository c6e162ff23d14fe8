"""`lmssync drift`."""

import sys
from typing import Unpack

import click

from . import chosen_workspace as meanings, options, printing
from .command_help import PLATFORM_EXITS, DocumentedCommand
from .exits import Exit

FORMATS = ("text", "json", "markdown")


@click.command(
    "drift",
    cls=DocumentedCommand,
    exits=PLATFORM_EXITS | {Exit.CHANGES},
    examples=(
        ("lmssync drift", "compare everything that is recorded with the platform"),
        ("lmssync drift 'course.fire-*'", "compare some of it"),
        ("lmssync drift --budget 200 --json", "make at most 200 calls, the stalest first"),
    ),
)
@click.argument("patterns", nargs=-1, metavar="[ADDRESS]...")
@options.where
@click.option("--format", "form", type=click.Choice(FORMATS), default="text", help="Output format.")
@click.option("--json", "json_", is_flag=True, help="The same as --format json.")
@options.budget
@click.option(
    "--unmanaged",
    is_flag=True,
    help="List what the platform has and no manifest manages, as far as lists show it.",
)
def command(
    *,
    patterns: tuple[str, ...],
    form: str,
    json_: bool,
    budget: int | None,
    unmanaged: bool,
    **given: Unpack[options.WhereOptions],
) -> int:
    """Show what people have changed on the platform, without changing anything there.

    Reads what is recorded, or what matches ADDRESS (`course.*`), and begins with what was not
    compared for longest. Exits with 2 if something differs.
    """
    from ..errors import WrongUse
    from .drifting import (
        code,
        format_look,
        format_survey,
        keep_look,
        list_unmanaged_at,
        look_for_drift_at,
    )
    from .terminal_output import ink

    if unmanaged and (patterns or budget):
        raise WrongUse("--unmanaged lists everything", "use it without ADDRESS and --budget")
    place = meanings.asking(**given)
    form, paint = "json" if json_ else form, ink(sys.stdout)
    if unmanaged:
        unknown = list_unmanaged_at(place)
        printing.echo(format_survey(unknown, form, place.name, paint))
        return Exit.CHANGES if unknown.items else Exit.DONE
    look = look_for_drift_at(place, patterns, budget, **given)
    keep_look(place, look)
    printing.echo(format_look(look, form, place.name, paint))
    return code(look)
