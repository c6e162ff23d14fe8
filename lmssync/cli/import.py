"""`lmssync import`."""  # noqa: N999 - commands are found by their names

from pathlib import Path
from typing import Unpack

import click

from ..errors import WrongUse
from . import importing, options
from .listed import rows


@click.command("import")
@click.argument("words", metavar="[ID|SLUG|SOURCE]...", nargs=-1)
@options.where
@options.as_json
@click.option("--all", "all_", is_flag=True, help="Everything that is not managed yet.")
@click.option(
    "--from",
    "listed",
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    metavar="FILE",
    help="A file of ids or slugs, one a line; of a CSV file, its first column.",
)
@click.option("--dry-run", is_flag=True, help="Write no file and record nothing.")
@importing.formats
def command(
    *,
    words: tuple[str, ...],
    json_: bool,
    all_: bool,
    listed: Path | None,
    dry_run: bool,
    wish: importing.Wish,
    **given: Unpack[options.Where],
) -> None:
    """Write manifests for what is on the platform, and manage it from now on.

    A course comes with its criteria and its purchase paths. Nothing is sent to the platform, and
    the next plan is empty. Run it again if it was stopped: what is done stays done.

    With --format, write manifests of courses of other systems; SOURCE is an archive, a folder or a
    file. What could not be carried over is listed, and no platform is asked.
    """
    from .. import live_import
    from ..report.import_text import import_json, import_text
    from .progress import Lines

    if wish.form:
        if all_ or listed or dry_run:
            raise WrongUse("--all, --from and --dry-run are for what is on the platform")
        importing.from_formats(given["root"], wish, words, json_=json_)
        return
    named = [*words, *((cells[0] for _, cells in rows(listed)) if listed else ())]
    if bool(named) == all_:
        raise WrongUse("say what to import: ids, slugs, --from FILE, or --all for everything")
    place = options.asking(**given)
    with place.store(read_only=dry_run) as store, place.reader() as reader, Lines() as progress:
        reader.pace.tell = progress.note
        done = live_import.import_live(
            place, store, reader, named, progress.counting, dry_run=dry_run
        )
    if json_:
        options.echo(import_json(done))
    else:
        click.echo(import_text(done), nl=False)
