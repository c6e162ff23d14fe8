"""`lmssync state import`."""

from pathlib import Path
from typing import Unpack

import click

from . import meanings, options


@click.command("import")
@click.argument("file", metavar="FILE", type=click.Path(path_type=Path, dir_okay=False))
@options.writes
@click.option("--force", is_flag=True, help="Put it in the place of the state that is there.")
@click.option(
    "--people-key",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="KEYFILE",
    help="The key of the codes of people, as `state export` has written it.",
)
def import_(
    *, file: Path, force: bool, people_key: Path | None, **given: Unpack[options.WhereOptions]
) -> None:
    """Make a state from FILE, which `state export` has written.

    All of it or nothing. A state that is there already is replaced only with --force, and only by
    an export of itself: an earlier one, or a later one of a copy of it.
    """
    from ..report import words
    from ..state import read_export, read_key, replace

    document = read_export(file)
    key = read_key(people_key) if people_key else None
    place = meanings.place(**given)
    with place.store() as store, store.locked():
        newest = replace(store, document, place.name, key=key, force=force)
    count = words.counted(len(document.resources), "resource")
    click.echo(f"{count} recorded, as of serial {document.serial}")
    if not newest:
        click.echo(
            "warning: the state that was here had come further; what was made since is not "
            "recorded: go on with `lmssync plan --new-state`",
            err=True,
        )
