"""`lmssync import`."""

from pathlib import Path

import click

from ..errors import WrongUse
from . import options
from .import_formats import Wish, from_formats

FORMATS = ("olx", "imscc", "moodle", "markdown", "csv")


@click.command("import")
@click.argument("sources", nargs=-1, metavar="[SOURCE]...")
@options.catalog
@options.as_json
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMATS),
    help="What each SOURCE is: an Open edX archive, a Common Cartridge, a Moodle backup, a folder "
    "of Markdown, a table of courses.",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    help="Write a folder per course into this one; default: courses, in the catalog.",
)
@click.option(
    "--asset-url",
    "base",
    metavar="URL",
    help="Where the copied files will be hosted: links lead to URL/KEY/FILE.",
)
@click.option("--force", is_flag=True, help="Write over the files of courses that are there.")
def command(
    *,
    sources: tuple[str, ...],
    root: Path,
    json_: bool,
    form: str | None,
    out: Path | None,
    base: str | None,
    force: bool,
) -> int:
    """Bring courses from elsewhere into the catalog, as manifests and bodies.

    SOURCE is an archive, a folder or a file. What could not be carried over is listed with its
    place in the source.
    """
    if not sources:
        raise WrongUse("nothing to import is named", "name an archive, a folder or a file")
    if form is None:
        raise WrongUse(f"nothing says what {sources[0]} is", f"pass --format {'|'.join(FORMATS)}")
    wish = Wish(form, out or _courses(root), base, force)
    return from_formats(wish, [Path(source) for source in sources], json_=json_)


def _courses(root: Path) -> Path:
    """The folder for courses of a catalog; raises `WrongUse` where there is no catalog."""
    if not (root / "lmssync.yaml").is_file():
        raise WrongUse(
            f"there is no lmssync.yaml in {root.absolute()}",
            "go to the root of a catalog, name it with -C DIR, or name a folder with --out",
        )
    return root / "courses"
