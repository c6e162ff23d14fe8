"""`lmssync state export` and `state import`."""

from pathlib import Path
from typing import Unpack

import click

from ..errors import WrongUse
from ..support.visible import escape_invisible
from . import chosen_workspace as meanings, options, printing
from .command_help import PROJECT_EXITS, DocumentedCommand
from .exits import Exit


@click.command(
    "export",
    cls=DocumentedCommand,
    exits=PROJECT_EXITS,
    examples=(
        ("lmssync state export state.json", "write all that is recorded into a file"),
        ("lmssync state export > state.json", "the same"),
    ),
)
@click.argument("file", metavar="[FILE]", required=False, type=click.Path(path_type=Path))
@options.where
@click.option(
    "--people-key",
    type=options.FILE,
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
    from ..report.value_words import count_noun
    from ..state import export_state, write_key

    place = meanings.place(**given)
    with place.store(read_only=True) as store:
        if not store.lineage:
            raise WrongUse("there is no state yet", "`lmssync apply` makes one")
        document = export_state(store)
        if people_key:
            write_key(store, people_key)
    if document.peopleKey and not people_key:
        note = "note: it holds people as codes; to import it elsewhere, also use --people-key"
        click.echo(note, err=True)
    if file is None:
        printing.echo(document.to_plain())
        return
    printing.write(file, [document.to_bytes()])
    count = count_noun(len(document.resources), "resource")
    click.echo(escape_invisible(f"{file}: {count}, serial {document.serial}"))


@click.command(
    "import",
    cls=DocumentedCommand,
    exits=PROJECT_EXITS | {Exit.LOCKED},
    examples=(
        ("lmssync state import state.json", "make a state from that file"),
        ("lmssync state import state.json --force", "go back to it"),
    ),
)
@click.argument("file", metavar="FILE", type=options.FILE)
@options.writes
@click.option("--force", is_flag=True, help="Put it in the place of the state that is there.")
@click.option(
    "--people-key",
    type=options.FILE,
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
    from ..report.value_words import count_noun
    from ..state import read_export, read_key, replace_state

    document = read_export(file)
    key = read_key(people_key) if people_key else None
    place = meanings.place(**given)
    with place.store() as store, store.hold_state():
        newest = replace_state(store, document, place.name, key=key, force=force)
    count = count_noun(len(document.resources), "resource")
    click.echo(f"{count} recorded, as of serial {document.serial}")
    if not newest:
        click.echo(
            "warning: the state that was here had come further; what was made since is not "
            "recorded: go on with `lmssync plan --new-state`",
            err=True,
        )
