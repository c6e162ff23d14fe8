"""`lmssync graph`."""

import sys
from typing import TYPE_CHECKING, Unpack

import click

from ..errors import WrongUse
from ..problems import suggest_near
from ..resource import Address
from . import options
from .chosen_workspace import read_readable_catalog
from .command_help import PROJECT_EXITS, documented_command
from .options import format_options
from .terminal_output import choose_text_style, print_lines, print_plain_lines, print_view

if TYPE_CHECKING:
    from ..catalog.manifests.catalog import Catalog
    from ..catalog.use_graph import GraphNode, UseGraph


@documented_command(
    "graph",
    exits=PROJECT_EXITS,
    examples=(
        ("lmssync graph license.acme", "show what a license opens, down to the files of pages"),
        ("lmssync graph course.fire-safety --reverse", "show what uses a course"),
        ("lmssync graph clients/acme-staff.csv --reverse", "show what uses a file"),
        ("lmssync graph --format dot > catalog.dot", "describe the whole catalog for Graphviz"),
    ),
)
@click.argument("address", metavar="[ADDRESS]", required=False)
@options.where_whole
@click.option("--reverse", is_flag=True, help="Show what uses ADDRESS, not what it uses.")
@format_options(click.Choice(["text", "dot", "mermaid", "json"]))
def command(
    *, address: str | None, reverse: bool, form: str, **given: Unpack[options.WhereOptions]
) -> None:
    """Show what uses what in the catalog, directly or not; needs no network.

    ADDRESS is a resource (`course.safety-101`), one of its parts (`course.safety-101/start/hello`),
    a file of the catalog, or a name outside it (`tag.Safety`). It may be a pattern. Parts are
    shown that use something, or that another resource uses.
    """
    from ..catalog.use_graph import build_catalog_graph
    from ..kinds import KINDS
    from ..report import catalog_report

    catalog = read_readable_catalog(**given)
    graph = build_catalog_graph(catalog)
    starts = choose_nodes(graph, catalog, address, reverse=reverse)
    links = graph.list_reached(graph.uses if address is None else starts, reverse=reverse)
    resources = (node for node in links if node.sort == "resource")
    titles = {
        node: KINDS[named.kind].authoring.title(catalog.resources[named].form)
        for node in resources
        if (named := Address.parse(node.name)) in catalog.resources
    }
    match form:
        case "json":
            print_view(catalog_report.graph_json(starts, links, titles, reverse=reverse))
        case "dot":
            print_plain_lines(catalog_report.graph_dot(links, titles, reverse=reverse))
        case "mermaid":
            print_plain_lines(catalog_report.graph_mermaid(links, titles, reverse=reverse))
        case _:
            style = choose_text_style(sys.stdout)
            print_lines(catalog_report.graph_text(starts, links, titles, style))


def choose_nodes(
    graph: "UseGraph", catalog: "Catalog", text: str | None, *, reverse: bool
) -> "list[GraphNode]":
    """The nodes with that name; without one, those that nothing leads to. Raises `WrongUse`."""
    if text is None:
        above = graph.uses if reverse else graph.users
        return [node for node in graph.uses if not above[node]]
    if found := graph.find_nodes(text):
        return found
    if Address.parse(text) in catalog.refused:
        raise WrongUse(f"{text} has errors", "`lmssync validate` shows them")
    hint = suggest_near(text, (node.name for node in graph.uses))
    raise WrongUse(
        f"nothing in the catalog is called {text}", hint or "`lmssync graph` shows what there is"
    )
