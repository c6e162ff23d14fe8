"""`lmssync tags`."""

from typing import TYPE_CHECKING, Unpack

import click

from ..errors import WrongUse
from ..problems import suggest_near
from ..resource import Address
from . import options
from .chosen_workspace import read_readable_catalog
from .command_help import PROJECT_EXITS, documented_command
from .terminal_output import print_view

if TYPE_CHECKING:
    from ..catalog.manifests.catalog import Catalog


@documented_command(
    "tags",
    exits=PROJECT_EXITS,
    examples=(
        ("lmssync tags", "list the tags that the catalog uses"),
        ("lmssync tags Safety", "list what has the tag Safety"),
    ),
)
@click.argument("label", metavar="[TAG]", required=False)
@options.where_whole
@options.as_json
def command(*, label: str | None, json_: bool, **given: Unpack[options.WhereOptions]) -> None:
    """List the tags that the catalog uses, and how often; with TAG, list what has that tag.

    Reads the manifests only. A tag must be on the platform before anything can have it.
    """
    from ..report.catalog_report import tags_json, tags_text

    used = find_users_of_tags(read_readable_catalog(**given))
    if label is not None:
        if label not in used:
            raise WrongUse(
                f"nothing in the catalog has the tag `{label}`",
                suggest_near(label, used) or "`lmssync tags` lists those that are used",
            )
        used = {label: used[label]}
    print_view(tags_json(used) if json_ else tags_text(used, whole=label is not None))


def find_users_of_tags(catalog: "Catalog") -> dict[str, list[Address]]:
    """For each label, in alphabetical order, the addresses of resources with the tag."""
    used: dict[str, list[Address]] = {}
    for address, resource in catalog.resources.items():
        for label in dict.fromkeys(r.name for r in resource.references if r.kind == "tag"):
            used.setdefault(label, []).append(address)
    return {label: sorted(used[label]) for label in sorted(used, key=str.casefold)}
