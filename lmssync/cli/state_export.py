"""`lmssync state export` and `state import`."""

from pathlib import Path
from typing import Unpack

import click

from ..errors import WrongUse
from . import options


@click.command("export")
@click.argument("file", metavar="[FILE]", required=False, type=click.Path(path_type=Path))
@options.where
@click.option(
    "--people-key",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="KEYFILE",
    help="Also write the key of the codes of people, a secret, into a file of its own.",
)
def export(*, file: Path | None, people_key: Path | None, **given: Unpack[options.Where]) -> None:
    """Write the whole state as one JSON document, to FILE or to standard output.

    It is sorted, so the same state is always the same text. It holds no secret and names nobody;
    the history stays behind.
    """
    from ..state import exported, write_key
    from ..writing import write_whole

    place = options.place(**given)
    with place.store(read_only=True) as store:
        if not store.lineage:
            raise WrongUse("there is no state yet", "`lmssync apply` makes one")
        document = exported(store)
        if people_key:
            write_key(store, people_key)
    if document.peopleKey and not people_key:
        click.echo(
            "note: it holds people as codes; to import it elsewhere, also use --people-key",
            err=True,
        )
    if file is None:
        options.echo(document.model_dump())
        return
    try:
        write_whole(file, [document.text()], private=True)
    except OSError as error:
        raise WrongUse(f"{file} cannot be written: {error.strerror}") from None
    click.echo(f"{file}: {len(document.resources):,} resources, serial {document.serial}")


@click.command("import")
@click.argument("file", metavar="FILE", type=click.Path(path_type=Path, dir_okay=False))
@options.where
@click.option("--force", is_flag=True, help="Put it in the place of the state that is there.")
@click.option(
    "--people-key",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="KEYFILE",
    help="The key of the codes of people, as `state export` has written it.",
)
def import_(
    *, file: Path, force: bool, people_key: Path | None, **given: Unpack[options.Where]
) -> None:
    """Make a state from FILE, which `state export` has written.

    All of it or nothing. A state that is there already is replaced only with --force, and only by
    an export of itself: an earlier one, or a later one of a copy of it.
    """
    from ..state import read_export, read_key, replace

    document = read_export(file)
    key = read_key(people_key) if people_key else None
    place = options.place(**given)
    with place.store() as store, store.locked():
        newest = replace(store, document, place.name, key=key, force=force)
    click.echo(
        f"{len(document.resources):,} resources are recorded, as of serial {document.serial}"
    )
    if not newest:
        click.echo(
            "warning: the state that was here had come further; what was made since is not "
            "recorded: go on with `lmssync plan --new-state`",
            err=True,
        )
