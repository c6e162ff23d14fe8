"""The options `--format` and `--json`, which say together how something is printed."""

import click
from click.core import ParameterSource

from ..errors import WrongUse
from .options import Decorator, combine_options

_JSON = f"{__name__}.json"
_TEXT = "text"


def format_options(
    choice: "click.Choice[str]", default: str = _TEXT, text: str = "Output format."
) -> Decorator:
    """`--format`, and `--json` as its short form: the command gets the format, as `form`."""
    return combine_options(
        click.option(
            "--format",
            "form",
            type=choice,
            default=default,
            show_default=default != _TEXT,
            callback=_choose_format,
            help=text,
        ),
        click.option(
            "--json",
            is_flag=True,
            is_eager=True,  # the format is chosen after it
            expose_value=False,
            callback=_note_json,
            help="Short for --format json.",
        ),
    )


def _note_json(ctx: click.Context, _option: click.Parameter, given: object) -> None:
    ctx.meta[_JSON] = bool(given)


def _choose_format(ctx: click.Context, option: click.Parameter, form: str) -> str:
    """The format that the two options give; raises `WrongUse` where they give two."""
    if not ctx.meta[_JSON]:
        return form
    typed = ctx.get_parameter_source(str(option.name)) is ParameterSource.COMMANDLINE
    if typed and form != "json":
        raise WrongUse(f"--json and --format {form} contradict each other", "give one of them")
    return "json"
