"""`lmssync import`."""

from pathlib import Path
from typing import Unpack

import click

from . import options
from .listed import rows


@click.command("import")
@click.argument("words", metavar="[ID|SLUG]...", nargs=-1)
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
def command(
    *,
    words: tuple[str, ...],
    json_: bool,
    all_: bool,
    listed: Path | None,
    dry_run: bool,
    **given: Unpack[options.Where],
) -> None:
    """Write manifests for what is on the platform, and manage it from now on.

    A course comes with its criteria and its purchase paths. Nothing is sent to the platform, and
    the next plan is empty. Run it again if it was stopped: what is done stays done.
    """
    from .. import live_import
    from ..errors import WrongUse
    from ..report.import_text import import_json, import_text
    from .progress import Lines

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
