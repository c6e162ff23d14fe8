"""`lmssync explain`."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..errors import WrongUse
from . import options
from .command_help import EXITS, documented_command
from .remembered_answers import ask_of_program
from .safe_output import with_run_options
from .terminal_output import choose_text_style, print_view

if TYPE_CHECKING:
    from ..catalog.manifests.check import PartFile


@documented_command(
    "explain",
    exits=EXITS,
    examples=(
        ("lmssync explain percent-range", "explain a rule"),
        ("lmssync explain course.priceInCents", "explain a field"),
        ("lmssync explain shared/evacuation.part.yaml", "show the parameters of a part file"),
    ),
)
@click.argument("name", required=False)
@options.as_json
def command(*, name: str | None, json_: bool) -> None:
    """Explain NAME: a field (license.seatsLimit, or just seatsLimit), a rule or a kind of resource.

    NAME may also be a part file, whose parameters are shown. Needs no catalog. Without NAME it
    lists everything that it can explain.
    """
    if name is not None and name.endswith(".part.yaml"):
        from ..report.explain_text import part_json, part_text

        part, style = read_part_file_at(name), choose_text_style(sys.stdout)
        print_view(part_json(part) if json_ else part_text(name, part, style))
        return
    question = ask_of_program("explain", name or "")
    if not json_ and (known := question.recall_answer()) is not None:
        click.echo(known, nl=False)
        return
    from ..catalog.manifests.schemas import explanations
    from ..report import explain_text as text

    colours = choose_text_style(sys.stdout)
    if name is None:
        overview = explanations.make_overview()
        shown = text.overview_json(overview) if json_ else text.overview_text(overview, colours)
        print_view(shown)
        return
    meanings = explanations.explain_name(name)
    if not meanings:
        raise WrongUse(f"nothing is called `{name}`", explanations.suggest_names(name))
    if json_:
        print_view(text.explained_json(meanings))
        return
    shown = with_run_options(text.meanings_text(name, meanings, colours))
    click.echo(shown, nl=False)
    question.remember_answer(shown)


def read_part_file_at(name: str) -> "PartFile":
    """The part file of that name; raises `WrongUse`."""
    from ..catalog.manifests.check import PartMistake, read_part_file

    try:
        return read_part_file(Path(name).read_text("utf-8"))
    except PartMistake as mistake:
        raise WrongUse(f"{name}: {mistake.finding.message}", mistake.finding.hint or "") from None
    except OSError as error:
        raise WrongUse(f"{name} cannot be read: {error.strerror}") from None
    except UnicodeError:
        raise WrongUse(f"{name} is not UTF-8", "save it as UTF-8") from None
