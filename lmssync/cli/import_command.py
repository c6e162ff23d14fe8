"""`lmssync import`."""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Unpack

import click

from ..errors import WrongUse
from . import options
from .chosen_workspace import choose_online_workspace, require_project
from .command_help import PLATFORM_EXITS, documented_command
from .csv_lists import read_first_column
from .exits import Exit
from .terminal_output import print_view

SOURCE_FORMATS = ("olx", "imscc", "moodle", "markdown", "csv")
_WEB = re.compile(r"https?://[^\s/]+", re.IGNORECASE)


wishes = options.combine_options(
    click.option(
        "--format",
        "form",
        type=click.Choice(SOURCE_FORMATS),
        help="What each SOURCE is: an Open edX archive (olx), a Common Cartridge (imscc), a "
        "Moodle backup, a folder of Markdown, or a table of courses (csv).",
    ),
    click.option(
        "--out",
        type=options.FOLDER,
        metavar="DIR",
        help="Write a folder for each course into this one; default: courses, in the catalog.",
    ),
    click.option(
        "--asset-url",
        "base",
        metavar="URL",
        help="Address at which you will host the copied files; links lead to URL/KEY/FILE.",
    ),
    click.option(
        "--title-column",
        metavar="NAME",
        help="Column of a CSV table that has the titles of the courses.",
    ),
    click.option(
        "--transcripts", is_flag=True, help="Add the transcript of each video as a page below it."
    ),
    click.option("--force", is_flag=True, help="Overwrite the files of courses that are there."),
)


_FOR_FILES = ("out", "base", "title_column", "transcripts", "force")


def _import_files(
    folder: Path, form: str, sources: Iterable[Path], *, json_: bool, **wishes: Any
) -> None:
    """Imports all sources or none of them, and reports; raises `LmssyncError`."""
    from ..report.import_report import import_json, import_text
    from ..sync.importers import FileImportOptions, add_courses, open_staging

    base = wishes["base"]
    if base is not None and not _WEB.match(base):
        raise WrongUse(
            f"`{base}` is not an http or https address",
            "write where the files will be: --asset-url https://media.example.com/courses",
        )
    with open_staging(folder, FileImportOptions(**wishes)) as courses:
        for source in sources:
            add_courses(courses, form, source)
    view = import_json if json_ else import_text
    print_view(view(folder, courses.imported))


_HOLDS = "the slug or an id of a course or a license, in its first column"


@documented_command(
    "import",
    exits=PLATFORM_EXITS | {Exit.LOCKED},
    examples=(
        ("lmssync import --all", "import everything that is not managed yet"),
        ("lmssync import --all --dry-run", "show what that would import"),
        ("lmssync import workplace-safety-101", "import one course, by its slug or an id"),
        ("lmssync import --from ids.csv", "import the courses of a list"),
        ("lmssync import --format olx course.tar.gz", "import an Open edX course"),
        (
            "lmssync import --format csv courses.csv --json",
            "import a table of courses; report as JSON",
        ),
        (
            "lmssync import --format moodle *.mbz --out new",
            "import many courses into another folder",
        ),
    ),
)
@click.argument("sources", nargs=-1, metavar="[COURSE|SOURCE]...")
@options.writes
@options.as_json
@click.option(
    "--all", "all_", is_flag=True, help="Import everything on the platform that is not managed yet."
)
@options.list_option("File of ids or slugs, one on each line; of a CSV file, its first column.")
@click.option(
    "--dry-run", is_flag=True, help="Show what would be imported; write no file and record nothing."
)
@click.option(
    "--bodies",
    type=click.Choice(("markdown", "html")),
    default="markdown",
    show_default=True,
    help="Write bodies as Markdown where learners see the same page, or as HTML, to the byte.",
)
@wishes
def command(
    *,
    sources: tuple[str, ...],
    json_: bool,
    all_: bool,
    listed: Path | None,
    dry_run: bool,
    bodies: str,
    form: str | None,
    **given: Any,
) -> None:
    """Write manifests for courses that are on the platform, or in files of other systems.

    COURSE is the slug or an id of something on the platform. lmssync manages it from then on, with
    its completion criteria and purchase paths, and the next plan is empty. With --format, SOURCE is
    an archive, a folder or a file. The report lists what a manifest has no field for. Nothing is
    sent to the platform.
    """
    as_html = bodies == "html"
    wishes = {name: given.pop(name) for name in _FOR_FILES}
    named = [*sources, *(read_first_column(listed, _HOLDS) if listed else ())]
    if form is None:
        if any(wishes.values()):
            message = (
                "--out, --asset-url, --title-column, --transcripts and --force go with --format"
            )
            raise WrongUse(message, "`lmssync import --help` shows how it is used")
        if bool(named) == all_:
            raise WrongUse(
                "nothing to import is named",
                "name courses by slug or id, or pass --all, --from FILE, or --format with a file",
            )
        if file := next((word for word in sources if {".", "/"} & {*word}), None):
            formats = "|".join(SOURCE_FORMATS)
            raise WrongUse(f"the format of {file} is not given", f"pass --format {formats}")
        _from_platform(named, json_=json_, dry_run=dry_run, as_html=as_html, **given)
        return
    if all_ or listed or dry_run:
        raise WrongUse("--all, --from and --dry-run do not go with --format")
    if wishes["title_column"] and form != "csv":
        raise WrongUse("--title-column goes with --format csv", "leave it out")
    if not sources:
        raise WrongUse("nothing to import is named", "name an archive, a folder or a file")
    folder = wishes.pop("out")
    if not folder:
        require_project(given["root"], "name a folder with --out")
        folder = given["root"] / "courses"
    _import_files(folder, form, map(Path, sources), json_=json_, as_html=as_html, **wishes)


def _from_platform(
    words: Sequence[str],
    *,
    json_: bool,
    dry_run: bool,
    as_html: bool,
    **given: Unpack[options.WhereOptions],
) -> None:
    from ..report.pull_report import import_json, import_text
    from ..sync.platform_import import import_from_platform
    from .progress import ProgressLines

    place = choose_online_workspace(**given)
    with (
        place.store(read_only=dry_run) as store,
        place.open_reader() as reader,
        ProgressLines() as progress,
    ):
        reader.pace.tell = progress.note
        tell = progress.counting
        done = import_from_platform(
            place, store, reader, words, tell, dry_run=dry_run, as_html=as_html
        )
    print_view(import_json(done) if json_ else import_text(done))
