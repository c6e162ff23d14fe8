"""`lmssync tags`."""

from typing import Unpack

import click

from ..errors import WrongUse
from . import options, printing
from .command_help import PROJECT_EXITS, DocumentedCommand


@click.command(
    "tags",
    cls=DocumentedCommand,
    exits=PROJECT_EXITS,
    examples=(
        ("lmssync tags", "list the tags that the catalog uses"),
        ("lmssync tags Safety", "list what has the tag Safety"),
    ),
)
@click.argument("label", metavar="[TAG]", required=False)
@options.where
@options.as_json
def command(*, label: str | None, json_: bool, **given: Unpack[options.WhereOptions]) -> None:
    """List the tags that the catalog uses, and how often; with TAG, what uses it.

    It reads the manifests only: a tag must be on the platform before anything can carry it.
    """
    from ..problems import suggest_near
    from ..report.catalog_report import tags_json, tags_text
    from .reading import read, users_of_tags

    used = users_of_tags(read(**given))
    if label is not None:
        if label not in used:
            raise WrongUse(
                f"nothing in the catalog has the tag `{label}`",
                suggest_near(label, used) or "`lmssync tags` lists those that are used",
            )
        used = {label: used[label]}
    printing.echo(tags_json(used) if json_ else tags_text(used, whole=label is not None))
