"""A plan in the form that somebody asked for, on standard output and in files."""

from collections.abc import Iterable, Sequence
from pathlib import Path

import click

from ..errors import WrongUse
from ..planning import plan
from ..planning.plan import Plan
from . import printing, report_options
from .terminal_output import show_plan


def show_in_form(
    made: Plan, form: str, *, full: bool, calls: bool = False, next_step: str = ""
) -> None:
    """Prints it; as JSON with its calls where `calls` asks for them."""
    if form == "text":
        show_plan(made, full=full, next_step=next_step)
    elif form == "json":
        printing.echo_pieces(plan.printed(made, calls=calls))
    else:
        from ..report.plan_formats import plan_in

        for piece in plan_in(form, made):
            click.echo(piece, nl=False)


def write_reports(made: Plan, files: Sequence[Path]) -> None:
    """Writes each file in the form that its name asks for."""
    from ..report.plan_formats import plan_in

    for file in files:
        write_report(file, plan_in(report_options.form_of(file), made))


def write_report(file: Path, pieces: Iterable[bytes]) -> None:
    """Writes a report whole; raises `WrongUse` where that is not possible."""
    from ..support.writing import write_whole

    try:
        write_whole(file, pieces)
    except OSError as error:
        raise WrongUse(f"the report cannot be written to {file}: {error.strerror}") from None
