"""A plan in the form that somebody asked for, on standard output and in files."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import click

from .. import plan
from ..errors import WrongUse
from ..plan import Plan
from . import options
from .terminal import show_plan


def show_in_form(made: Plan, form: str, *, full: bool, calls: bool = False) -> None:
    """Prints it; as JSON with its calls where `calls` asks for them."""
    if form == "text":
        show_plan(made, full=full)
    elif form == "json":
        options.echo_pieces(plan.printed(made, calls=calls))
    else:
        for piece in _pieces(made, form):
            click.echo(piece, nl=False)


def write_reports(made: Plan, files: Sequence[Path]) -> None:
    """Writes each file in the form that its name asks for."""
    for file in files:
        written(file, _pieces(made, options.form_of(file)))


def written(file: Path, pieces: Iterable[bytes]) -> None:
    """Writes a report whole; raises `WrongUse` where that is not possible."""
    from ..writing import write_whole

    try:
        write_whole(file, pieces)
    except OSError as error:
        raise WrongUse(f"the report cannot be written to {file}: {error.strerror}") from None


def _pieces(made: Plan, form: str) -> Iterator[bytes]:
    from ..report.changes import plan_markdown, plan_text
    from ..report.html import plan_html

    if form == "html":
        return plan_html(made)
    if form == "json":
        return plan.printed(made)
    text = plan_markdown(made) if form == "markdown" else plan_text(made, full=True)
    return iter([text.encode("utf-8", "replace")])
