"""`lmssync outline`."""

import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Unpack

import click

from ..catalog.manifests.catalog_files import walk_catalog
from ..resource import Address, Resource
from ..settings import ENVIRONMENT
from . import options
from .chosen_workspace import choose_resources, read_readable_catalog
from .command_help import PROJECT_EXITS, documented_command
from .remembered_answers import ask_of_catalog
from .terminal_output import choose_text_style, print_view, terminal_width

if TYPE_CHECKING:
    from ..catalog.manifests.catalog import Catalog
    from ..report.catalog_report import Tree


@documented_command(
    "outline",
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
    question = None if json_ else ask_of_catalog("outline", root, walk_catalog(root), named)
    if question and (known := question.recall_answer()) is not None:
        click.echo(known, nl=False)
        return
    from ..catalog.manifests.documents import read_project_file
    from ..report.catalog_report import list_text, tree_json, tree_text

    catalog = read_readable_catalog(**given)
    if json_:
        print_view(tree_json(make_trees(catalog, addresses)))
        return
    width = terminal_width(sys.stdout)
    if addresses:
        currency = read_project_file(given["root"]).currency or ""
        style = choose_text_style(sys.stdout)
        trees = make_trees(catalog, addresses)
        shown = "\n".join(tree_text(tree, style, width=width, currency=currency) for tree in trees)
    else:
        own = _list_own_manifests(catalog, _find_users(catalog))
        shown = list_text(map(catalog.resources.__getitem__, own), width=width)
    click.echo(shown, nl=False)
    if question:
        question.remember_answer(shown)


_AT_ONCE = 500
"""Resources whose lines are looked for in one go: a file with many is read once or twice."""


def make_trees(catalog: "Catalog", patterns: Sequence[str]) -> Iterator["Tree"]:
    """Outlines of all matching resources; without patterns, of all with their own manifests."""
    from ..report.catalog_report import build_outline_tree

    users = _find_users(catalog)
    named = (
        list(choose_resources(catalog, patterns))
        if patterns
        else _list_own_manifests(catalog, users)
    )
    listed = iter(named)
    while some := {a: catalog.resources[a] for a in islice(listed, _AT_ONCE)}:
        places = catalog.find_places({str(a): resource.origin for a, resource in some.items()})
        for address, resource in some.items():
            yield build_outline_tree(resource, places[str(address)], users.get(address, {}))


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


def _find_users(catalog: "Catalog") -> dict[Address, dict[Address, Resource]]:
    """For each address, the resources that refer to it, in the order of the catalog."""
    users: dict[Address, dict[Address, Resource]] = {}
    for resource in catalog.iterate_outlines():
        for reference in resource.references:
            if reference.address in catalog.resources:  # no tag, which all of them may have
                users.setdefault(reference.address, {})[resource.address] = resource
    return users
