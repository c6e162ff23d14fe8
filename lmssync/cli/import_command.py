"""`lmssync import`."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Unpack

import click

from ..errors import WrongUse
from . import chosen_workspace as meanings, importing, options, printing
from .command_help import PLATFORM_EXITS, DocumentedCommand
from .csv_lists import first_column
from .exits import Exit

_HOLDS = "the slug or an id of a course or a license, in its first column"


@click.command(
    "import",
    cls=DocumentedCommand,
    exits=PLATFORM_EXITS | {Exit.LOCKED},
    examples=(
        ("lmssync import --all", "bring in everything that is not managed yet"),
        ("lmssync import --all --dry-run", "show what that would bring in"),
        ("lmssync import workplace-safety-101", "bring in one course, by its slug or an id"),
        ("lmssync import --from ids.csv", "bring in the courses of a list"),
        ("lmssync import --format olx course.tar.gz", "bring in an Open edX course"),
        ("lmssync import --format csv courses.csv --json", "bring in a table, report as JSON"),
        ("lmssync import --format moodle *.mbz --out new", "bring in many, into another folder"),
    ),
)
@click.argument("sources", nargs=-1, metavar="[COURSE|SOURCE]...")
@options.writes
@options.as_json
@click.option("--all", "all_", is_flag=True, help="Everything that is not managed yet.")
@click.option(
    "--from",
    "listed",
    type=options.EXISTING_FILE,
    metavar="FILE",
    help="A file of ids or slugs, one a line; of a CSV file, its first column.",
)
@click.option("--dry-run", is_flag=True, help="Write no file and record nothing.")
@importing.wishes
def command(
    *,
    sources: tuple[str, ...],
    json_: bool,
    all_: bool,
    listed: Path | None,
    dry_run: bool,
    form: str | None,
    **given: Any,
) -> None:
    """Write manifests for courses that are on the platform, or that lie in files of other systems.

    COURSE is the slug or an id of something on the platform. It is managed from then on, with its
    criteria and purchase paths, and the next plan is empty. With --format, SOURCE is an archive, a
    folder or a file. Nothing is sent to the platform. What no manifest can say is listed.
    """
    wishes = {name: given.pop(name) for name in ("out", "base", "force")}
    named = [*sources, *(first_column(listed, _HOLDS) if listed else ())]
    if form is None:
        if any(wishes.values()):
            raise WrongUse("--out, --asset-url and --force go with --format", "see `import --help`")
        if bool(named) == all_:
            raise WrongUse(
                "nothing to import is named",
                "name courses by slug or id, or pass --all, --from FILE, or --format with a file",
            )
        if file := next((word for word in sources if {".", "/"} & {*word}), None):
            formats = "|".join(importing.FORMATS)
            raise WrongUse(f"nothing says what {file} is", f"pass --format {formats}")
        _from_platform(named, json_=json_, dry_run=dry_run, **given)
        return
    if all_ or listed or dry_run:
        raise WrongUse("--all, --from and --dry-run do not go with --format")
    if not sources:
        raise WrongUse("nothing to import is named", "name an archive, a folder or a file")
    importing.from_formats(given["root"], form, map(Path, sources), json_=json_, **wishes)


def _from_platform(
    words: Sequence[str], *, json_: bool, dry_run: bool, **given: Unpack[options.WhereOptions]
) -> None:
    from ..report.pull_report import import_json, import_text
    from ..sync import live_import
    from .progress import Lines

    place = meanings.asking(**given)
    with place.store(read_only=dry_run) as store, place.reader() as reader, Lines() as progress:
        reader.pace.tell = progress.note
        done = live_import.import_live(
            place, store, reader, words, progress.counting, dry_run=dry_run
        )
    printing.echo(import_json(done) if json_ else import_text(done))
