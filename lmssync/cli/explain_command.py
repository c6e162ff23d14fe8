"""`lmssync explain`."""

import sys

import click

from ..errors import WrongUse
from . import options
from .command_help import EXITS, DocumentedCommand
from .remembered_answers import ask_of_program
from .safe_output import with_run_options
from .terminal_output import choose_text_style, print_view


@click.command(
    "explain",
    cls=DocumentedCommand,
    exits=EXITS,
    examples=(
        ("lmssync explain percent-range", "explain a rule"),
        ("lmssync explain course.priceInCents", "explain a field"),
    ),
)
@click.argument("name", required=False)
@options.as_json
def command(*, name: str | None, json_: bool) -> None:
    """Explain NAME: a field (license.seatsLimit, or just seatsLimit), a rule or a kind of resource.

    Needs no catalog. Without NAME it lists everything that it can explain.
    """
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
