"""`lmssync state export`."""

from pathlib import Path
from typing import Unpack

import click

from ..errors import WrongUse
from ..visible import visible
from . import meanings, options, printing


@click.command("export")
@click.argument("file", metavar="[FILE]", required=False, type=click.Path(path_type=Path))
@options.where
@click.option(
    "--people-key",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="KEYFILE",
    help="Also write the key of the codes of people, a secret, into a file of its own.",
)
def export(
    *, file: Path | None, people_key: Path | None, **given: Unpack[options.WhereOptions]
) -> None:
    """Write the whole state as one JSON document, to FILE or to standard output.

    It is sorted, so the same state is always the same text. It holds no secret and names nobody;
    the history stays behind.
    """
    from ..report import words
    from ..state import exported, write_key
    from ..writing import write_whole

    place = meanings.place(**given)
    with place.store(read_only=True) as store:
        if not store.lineage:
            raise WrongUse("there is no state yet", "`lmssync apply` makes one")
        if not store.on_disk:
            raise WrongUse("the state has an older format", "`lmssync apply` brings it up to date")
        document = exported(store)
        if people_key:
            write_key(store, people_key)
    if document.peopleKey and not people_key:
        note = "note: it holds people as codes; to import it elsewhere, also use --people-key"
        click.echo(note, err=True)
    if file is None:
        printing.echo(document.plain())
        return
    try:
        write_whole(file, [document.text()], private=True)
    except OSError as error:
        raise WrongUse(f"{file} cannot be written: {error.strerror}") from None
    count = words.counted(len(document.resources), "resource")
    click.echo(visible(f"{file}: {count}, serial {document.serial}"))
