"""Imports courses from the formats of other systems: the options for it, and what they do."""

import re
from collections.abc import Callable, Sequence
from functools import wraps
from pathlib import Path
from typing import Any, NamedTuple

import click

from ..errors import WrongUse
from . import options

FORMATS = ("olx", "imscc", "moodle", "markdown", "csv")
_WEB = re.compile(r"https?://[^\s/]+", re.IGNORECASE)


class Wish(NamedTuple):
    """What the options of `formats` bring."""

    form: str | None
    out: Path | None
    base: str | None
    """Where the files of the courses will be hosted, if that is known."""
    force: bool


def formats(function: Callable[..., Any]) -> Callable[..., Any]:
    """`--format` and the options that go with it; the function gets them as `wish`."""

    @click.option(
        "--format",
        "form",
        type=click.Choice(FORMATS),
        help="What each SOURCE is: an Open edX archive, a Common Cartridge, a Moodle backup, a "
        "folder of Markdown, a table of courses.",
    )
    @click.option(
        "--out",
        type=click.Path(path_type=Path, file_okay=False),
        help="With --format: write a folder per course into this one; default: courses, in the "
        "catalog.",
    )
    @click.option(
        "--asset-url",
        "base",
        metavar="URL",
        help="With --format: where the copied files will be hosted; links lead to URL/KEY/FILE.",
    )
    @click.option(
        "--force", is_flag=True, help="With --format: write over the files of courses there."
    )
    @wraps(function)
    def with_wish(
        *, form: str | None, out: Path | None, base: str | None, force: bool, **given: Any
    ) -> Any:
        if form is None and (out or base or force):
            raise WrongUse(
                "--out, --asset-url and --force need --format",
                f"say what the sources are: --format {'|'.join(FORMATS)}",
            )
        return function(wish=Wish(form, out, base, force), **given)

    return with_wish


def from_formats(root: Path, wish: Wish, sources: Sequence[str], *, json_: bool) -> None:
    """Imports all sources or none of them, and reports; raises `LmssyncError`."""
    from ..importing import add, staging
    from ..report.import_report import import_json, import_text

    if not sources:
        raise WrongUse("nothing to import is named", "name an archive, a folder or a file")
    if wish.base is not None and not _WEB.match(wish.base):
        raise WrongUse(
            f"`{wish.base}` is not an http or https address",
            "write where the files will be: --asset-url https://media.example.com/courses",
        )
    folder = wish.out or _courses(root)
    with staging(folder, base=wish.base, force=wish.force) as courses:
        for source in sources:
            add(courses, str(wish.form), Path(source))
    if json_:
        options.echo(import_json(folder, courses.imported))
    else:
        click.echo(import_text(folder, courses.imported), nl=False)


def _courses(root: Path) -> Path:
    """The folder for courses of a catalog; raises `WrongUse` where there is no catalog."""
    if not (root / "lmssync.yaml").is_file():
        raise WrongUse(
            f"there is no lmssync.yaml in {root.absolute()}",
            "go to the root of a catalog, name it with -C DIR, or name a folder with --out",
        )
    return root / "courses"
