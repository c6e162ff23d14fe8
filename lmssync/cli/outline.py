"""`lmssync outline`."""

import sys
from pathlib import Path

import click

from . import options
from .exits import Exit


@click.command("outline")
@click.argument("addresses", nargs=-1, metavar="[ADDRESS]...")
@options.catalog
@options.environment
@options.as_json
def command(*, addresses: tuple[str, ...], root: Path, environment: str | None, json_: bool) -> int:
    """Show what is in the catalog, offline: all of it in short, or each ADDRESS with its parts.

    ADDRESS may be a pattern (`course.safety-*`). Ids are shown as manifests name them.
    """
    from ..report.tree_text import list_text, tree_json, tree_text
    from .reading import read, trees
    from .terminal import columns, ink

    catalog = read(root, environment)
    found = trees(catalog, addresses)
    width = columns(sys.stdout)
    if json_:
        options.echo_json(tree_json(found))
    elif addresses:
        shown = (tree_text(tree, ink(sys.stdout), width=width) for tree in found)
        click.echo("\n".join(shown), nl=False)
    else:
        click.echo(list_text(found, width=width), nl=False)
    return Exit.DONE
