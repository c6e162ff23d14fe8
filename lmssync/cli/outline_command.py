"""`lmssync outline`."""

import sys
from typing import Unpack

import click

from . import options, printing
from .command_help import PROJECT_EXITS, DocumentedCommand


@click.command(
    "outline",
    cls=DocumentedCommand,
    exits=PROJECT_EXITS,
    examples=(
        ("lmssync outline", "list what is in the catalog"),
        ("lmssync outline course.fire-safety", "show the parts of one course"),
        ("lmssync outline 'course.fire-*' | less", "show some courses, page by page"),
    ),
)
@click.argument("addresses", nargs=-1, metavar="[ADDRESS]...")
@options.where
@options.as_json
def command(
    *, addresses: tuple[str, ...], json_: bool, **given: Unpack[options.WhereOptions]
) -> None:
    """Show what is in the catalog, offline: all of it in short, or each ADDRESS with its parts.

    ADDRESS may be a pattern (`course.safety-*`). Ids are shown as manifests name them.
    """
    from ..report.catalog_report import list_text, tree_json, tree_text
    from .reading import read, trees
    from .terminal_output import columns, ink

    catalog = read(**given)
    outlines = trees(catalog, addresses)
    width = columns(sys.stdout)
    if json_:
        printing.echo(tree_json(outlines))
    elif addresses:
        shown = (tree_text(tree, ink(sys.stdout), width=width) for tree in outlines)
        click.echo("\n".join(shown), nl=False)
    else:
        click.echo(list_text(outlines, width=width), nl=False)
