"""Imports courses from the formats of other systems: the options for it, and what they do."""

import re
from collections.abc import Iterable
from pathlib import Path

import click

from ..errors import WrongUse
from . import options, printing

FORMATS = ("olx", "imscc", "moodle", "markdown", "csv")
_WEB = re.compile(r"https?://[^\s/]+", re.IGNORECASE)


wishes = options.together(
    click.option(
        "--format",
        "form",
        type=click.Choice(FORMATS),
        help="What each SOURCE is: an Open edX archive, a Common Cartridge, a Moodle backup, "
        "a folder of Markdown, a table of courses.",
    ),
    click.option(
        "--out",
        type=options.FOLDER,
        help="Write a folder per course into this one; default: courses, in the catalog.",
    ),
    click.option(
        "--asset-url",
        "base",
        metavar="URL",
        help="Where the copied files will be hosted: links lead to URL/KEY/FILE.",
    ),
    click.option("--force", is_flag=True, help="Write over the files of courses there."),
)


def from_formats(
    root: Path,
    form: str,
    sources: Iterable[Path],
    *,
    json_: bool,
    out: Path | None,
    base: str | None,
    force: bool,
) -> None:
    """Imports all sources or none of them, and reports; raises `LmssyncError`."""
    from ..report.import_report import import_json, import_text
    from ..sync.importing import add_courses, open_staging

    if base is not None and not _WEB.match(base):
        raise WrongUse(
            f"`{base}` is not an http or https address",
            "write where the files will be: --asset-url https://media.example.com/courses",
        )
    folder = out or _courses(root)
    with open_staging(folder, base=base, force=force) as courses:
        for source in sources:
            add_courses(courses, form, source)
    view = import_json if json_ else import_text
    printing.echo(view(folder, courses.imported))


def _courses(root: Path) -> Path:
    """The folder for courses of a catalog; raises `WrongUse` where there is no catalog."""
    if not (root / "lmssync.yaml").is_file():
        raise WrongUse(
            f"there is no lmssync.yaml in {root.absolute()}",
            "go to the root of a catalog, name it with -C DIR, or name a folder with --out",
        )
    return root / "courses"
