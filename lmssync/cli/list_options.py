"""Options that say which part of a list is wanted."""

import click

from ..errors import WrongUse
from . import list_words, options

LIMIT = 100
FORMATS = ("table", "json", "yaml", "csv")


class GetOptions(options.WhereOptions):
    """What is asked of a list."""

    words: tuple[str, ...]
    filters: tuple[tuple[str, str], ...]
    sort: str | None
    limit: int | None
    everything: bool
    columns: tuple[str, ...]


def _pairs(
    _ctx: click.Context, _option: click.Parameter, given: tuple[str, ...]
) -> tuple[tuple[str, str], ...]:
    """Filters as names and values; raises `WrongUse` for one without a value."""
    for text in given:
        if "=" not in text:
            raise WrongUse(
                f"--filter: `{text}` has no value",
                "write it as NAME=VALUE; `lmssync get` says which filters a list has",
            )
    return tuple(
        (name.strip(), value) for name, _, value in (text.partition("=") for text in given)
    )


def _fields(_ctx: click.Context, _option: click.Parameter, given: str | None) -> tuple[str, ...]:
    return tuple(filter(None, (name.strip() for name in (given or "").split(","))))


chosen = options.together(
    click.option(
        "--filter",
        "filters",
        multiple=True,
        metavar="NAME=VALUE",
        callback=_pairs,
        shell_complete=list_words.filters,
        help="Only what fits: a filter that the route of the list has.",
    ),
    click.option(
        "--sort", metavar="FIELD", help="The order, where the route takes one: name, -name."
    ),
    click.option(
        "--limit",
        type=click.IntRange(min=1),
        metavar="N",
        help=f"The most to list; default: {LIMIT}.",
    ),
    click.option("--all", "everything", is_flag=True, help="List everything, page after page."),
    click.option(
        "--columns",
        metavar="FIELD,...",
        callback=_fields,
        shell_complete=list_words.columns,
        help="Only these fields, in this order: id,title; a dot leads inside: tags.label.",
    ),
)
