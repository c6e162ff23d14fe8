"""`lmssync new`."""

import re
from pathlib import Path

import click

from ..address import KEY
from ..errors import WrongUse
from . import options
from .exits import Exit


@click.command("new")
@click.argument("resource")
@click.argument("key")
@options.catalog
@click.option("--kind", "form", help="Kind of the course: courseGroup, microCourse, article, ...")
@click.option("--title", help="Its title or name; default: the key in words.")
@click.option("--file", "name", metavar="FILE", help="Where to write it.")
def command(
    *, resource: str, key: str, root: Path, form: str | None, title: str | None, name: str | None
) -> int:
    """Begin a manifest: RESOURCE is course, license, client, ..., KEY its name in the catalog."""
    from ..report.problems_shown import file_shown
    from ..starter import files

    if not re.fullmatch(KEY, key):
        raise WrongUse(
            f"`{key}` cannot be a key",
            "letters and digits, with single hyphens, dots or underscores between them",
        )
    if not (root / "lmssync.yaml").is_file():
        raise WrongUse(
            f"there is no lmssync.yaml in {root.absolute()}",
            "go to the root of a catalog, name it with -C DIR, or make one with `lmssync init`",
        )
    begun = files.manifest(resource, key, form=form, title=_quoted(title))
    name = name or begun.file
    if files.lay_out(root.absolute(), {name: begun.text}).kept:
        raise WrongUse(f"{name} is there already", "take another key, or name a file with --file")
    click.echo(file_shown(name))
    return Exit.DONE


def _quoted(title: str | None) -> str | None:
    """The title as YAML holds it, whatever it holds."""
    if title is None:
        return None
    from ..manifests.yaml import write

    return write.document({"t": title}).removeprefix("t:").strip()
