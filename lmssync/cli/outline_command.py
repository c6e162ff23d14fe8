"""`lmssync outline`."""

import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Unpack

import click

from ..resource import Address, Place
from ..settings import ENVIRONMENT
from . import options
from .chosen_workspace import choose_resources, read_readable_catalog
from .command_help import PROJECT_EXITS, DocumentedCommand
from .remembered_answers import ask_of_catalog
from .terminal_output import choose_text_style, print_view, terminal_width

if TYPE_CHECKING:
    from ..catalog.manifests.catalog import Catalog
    from ..report.catalog_report import Tree
    from ..resource import Resource


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
@options.where_whole
@options.as_json
def command(
    *, addresses: tuple[str, ...], json_: bool, **given: Unpack[options.WhereOptions]
) -> None:
    """List what is in the catalog, or show each ADDRESS with its parts.

    Needs no network. ADDRESS may be a pattern (`course.safety-*`). Ids are those that manifests
    use.
    """
    root = given["root"].absolute()
    named = given["environment"] or os.environ.get(ENVIRONMENT, "")
    question = None if json_ else ask_of_catalog("outline", root, named)
    if question and (known := question.recall_answer()) is not None:
        click.echo(known, nl=False)
        return
    from ..catalog.manifests.documents import read_project_file
    from ..report.catalog_report import list_text, tree_json, tree_text

    catalog = read_readable_catalog(**given)
    outlines = make_trees(catalog, addresses, with_lines=json_ or bool(addresses))
    width = terminal_width(sys.stdout)
    if json_:
        print_view(tree_json(outlines))
        return
    if addresses:
        currency = read_project_file(given["root"]).currency or ""
        style = choose_text_style(sys.stdout)
        trees = (tree_text(tree, style, width=width, currency=currency) for tree in outlines)
        shown = "\n".join(trees)
    else:
        shown = list_text(outlines, width=width)
    click.echo(shown, nl=False)
    if question:
        question.remember_answer(shown)


def make_trees(catalog: "Catalog", patterns: Sequence[str], *, with_lines: bool) -> list["Tree"]:
    """Outlines of all matching resources; without patterns, of all with their own manifests.

    The line of a resource takes a second parse of its file. Without it, the place is the file.
    """
    from ..report.catalog_report import build_outline_tree

    users = _find_users(catalog)
    named = (
        list(choose_resources(catalog, patterns))
        if patterns
        else _list_own_manifests(catalog, users)
    )
    resources = {address: catalog.resources[address] for address in named}
    origins = {str(address): resource.origin for address, resource in resources.items()}
    places = (
        catalog.find_places(origins)
        if with_lines
        else {name: Place(origin.file, 1, 1) for name, origin in origins.items()}
    )
    return [
        build_outline_tree(one, places[str(a)], users.get(a, {})) for a, one in resources.items()
    ]


def _list_own_manifests(
    catalog: "Catalog", users: Mapping[Address, Iterable[Address]]
) -> list[Address]:
    """Resources that are not written inside another manifest, ordered by kind and key."""
    from ..kinds import KINDS

    inside = {
        a for owner, named in users.items() for a in named if a.key.startswith(f"{owner.key}.")
    }
    order = list(KINDS)
    rest = (address for address in catalog.resources if address not in inside)
    return sorted(rest, key=lambda address: (order.index(address.kind), address.key))


def _find_users(catalog: "Catalog") -> dict[Address, dict[Address, "Resource"]]:
    """For each address, the resources that refer to it, in the order of the catalog."""
    users: dict[Address, dict[Address, Resource]] = {}
    for address, resource in catalog.resources.items():
        for reference in resource.references:
            users.setdefault(reference.address, {})[address] = resource
    return users
