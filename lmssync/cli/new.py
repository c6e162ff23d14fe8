"""`lmssync new`."""

import os
import re
from pathlib import Path
from typing import Any

import click

from ..address import KEY
from ..errors import WrongUse
from . import options


@click.command("new")
@click.argument("resource")
@click.argument("key")
@options.catalog
@click.option("--kind", "form", help="Kind of the course: courseGroup, microCourse, article, ...")
@click.option("--title", help="Its title or name; default: the key in words.")
@click.option("--file", metavar="FILE", help="Where to write it.")
@click.option("--from", "source", metavar="ADDRESS", help="Start with a copy of this resource.")
def command(*, root: Path, source: str | None, **given: Any) -> None:
    """Start a manifest: RESOURCE is course, license, client, ..., KEY its name in the catalog.

    A copy has files of its own, and no sku, status, or publishing date of its original.
    """
    from .beginning import NewManifest, begun, copy, to_write

    if given["file"]:
        given["file"] = options.name_from_root(root, given["file"])
    asked = NewManifest(**given)
    if not re.fullmatch(KEY, asked.key):
        raise WrongUse(
            f"`{asked.key}` is not a valid key",
            "use letters and digits, with single hyphens, dots or underscores between them",
        )
    if not (root / "lmssync.yaml").is_file():
        raise WrongUse(
            f"there is no lmssync.yaml in {root.absolute()}",
            "go to the root of a catalog, name it with -C DIR, or make one with `lmssync init`",
        )
    texts = copy(root.absolute(), asked, source) if source else begun(asked)
    _write(root.absolute(), texts)
    for line in to_write(texts):
        click.echo(line, err=True)


def _write(root: Path, texts: dict[str, str]) -> None:
    """Writes all files or none, and lists them."""
    from ..report.problems import file_shown
    from ..starter import files

    there = [file for file in texts if os.path.lexists(root / file)]
    if there or files.lay_out(root, texts).kept:
        raise WrongUse(
            f"{there[0]} exists already", "choose another key, or name a file with --file"
        )
    for file in texts:
        click.echo(file_shown(file))
