"""`lmssync state move` and `state key`: how a state gets to where a team shares it."""

from pathlib import Path
from typing import Unpack

import click

from ..errors import WrongUse
from ..support.visible import escape_invisible
from . import chosen_workspace as meanings, options
from .command_help import PROJECT_EXITS, DocumentedCommand
from .exits import Exit


@click.command(
    "move",
    cls=DocumentedCommand,
    exits=PROJECT_EXITS | {Exit.LOCKED},
    examples=(("lmssync state move git:origin#lmssync/{environment}", "share it with the team"),),
)
@click.argument("url", metavar="URL")
@options.writes
def move(*, url: str, **given: Unpack[options.WhereOptions]) -> None:
    """Move the state with its whole log to URL, where there is none yet.

    The place that it leaves keeps a note and refuses to be written from then on. URL is written as
    in `state` of lmssync.yaml; `{environment}` stands for the environment.
    """
    from ..state import move_state

    place = meanings.place(**given)
    with place.existing_store() as store, store.hold_state():
        count = move_state(store, url, place.root, place.name, place.env)
        has_people = bool(store.codes.known_forms()) or any(True for _ in store.list_rows())
    moved = "1 entry is" if count == 1 else f"{count:,} entries are"
    click.echo(escape_invisible(f"{moved} now at {url}"))
    click.echo(
        escape_invisible(f"write `state: {url}` in lmssync.yaml, or export LMSSYNC_STATE={url}")
    )
    if has_people:
        click.echo(
            "the state holds people as codes: before you do, write their key into a file with "
            "`lmssync state key FILE`, and put it into LMSSYNC_PEOPLE_KEY"
        )


@click.command(
    "key",
    cls=DocumentedCommand,
    exits=PROJECT_EXITS,
    examples=(("lmssync state key people.key", "the key that a shared state does not hold"),),
)
@click.argument("file", metavar="FILE", type=options.FILE)
@options.where
def key(*, file: Path, **given: Unpack[options.WhereOptions]) -> None:
    """Write the key of the codes for people into FILE, which only you can read.

    A state that a team shares does not hold it: who plans lists of people needs it in
    LMSSYNC_PEOPLE_KEY, which takes the name of this file or the key itself. For a shared state
    that has none yet, a new one is made.
    """
    from ..settings import PEOPLE_KEY
    from ..state import make_key, write_key

    place = meanings.place(**given)
    with place.store(read_only=True) as store:
        if not (store.lineage or store.shared):
            raise WrongUse("there is no state yet", "`lmssync apply` makes one")
        is_new = store.shared is not None and not store.shared.key
        make_key(store, file) if is_new else write_key(store, file)
    click.echo(
        escape_invisible(f"{file}: keep it secret, and set {PEOPLE_KEY} to it or to the key in it")
    )
