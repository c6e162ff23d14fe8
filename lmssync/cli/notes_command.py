"""`lmssync notes`."""

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

import click

from ..errors import WrongUse
from ..vocabulary.iso_dates import parse_moment
from . import options
from .chosen_workspace import choose_workspace, require_state
from .command_help import PROJECT_EXITS, documented_command
from .options import format_options
from .terminal_output import print_or_write
from .typed_moments import parse_moment_or_serial

if TYPE_CHECKING:
    from ..state import Store
    from ..sync.release_notes import NotesMoment

_PAGES = {"markdown": "md", "html": "html"}


@documented_command(
    "notes",
    exits=PROJECT_EXITS,
    examples=(
        ("lmssync notes 2027-01-01..2027-02-01", "write what January has changed for learners"),
        ("lmssync notes 41.. --audience customers", "write for customers what is new since 41"),
        (
            "lmssync notes 41..57 --language de --format html --out notes.html",
            "write a page in German",
        ),
    ),
)
@click.argument("span", metavar="FROM..TO")
@options.where
@click.option(
    "--audience",
    type=click.Choice(["learners", "customers", "team"]),
    default="learners",
    show_default=True,
    help="For whom the notes are: a team sees every field.",
)
@click.option(
    "--language",
    metavar="LANG",
    default="en",
    show_default=True,
    help="Language of the sentences: en, de, or a file LANG.toml in --templates.",
)
@click.option(
    "--templates",
    "folder",
    metavar="DIR",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    help="Folder with words (LANG.toml) and pages (page.md.jinja, page.html.jinja) of your own.",
)
@click.option("--out", metavar="FILE", type=options.FILE, help="Write to FILE.")
@format_options(click.Choice(["markdown", "html", "json"]), "markdown")
def command(
    *,
    span: str,
    audience: str,
    language: str,
    folder: Path | None,
    out: Path | None,
    form: str,
    **given: Unpack[options.WhereOptions],
) -> None:
    """Write release notes: what has changed between two moments.

    FROM and TO are times (UTC), or serials as `lmssync state at TIME` shows them. Without FROM, all
    that is open is new; without TO, the notes end with the newest state. Each course has a page:
    what is new, what learners have to do, what it costs. Drafts and lists of people are left out.
    Needs no network.
    """
    from ..report.notes_report import NotesDocument, notes_json, notes_page
    from ..report.value_words import json_document
    from ..sync.release_notes import NoteReaders, collect_notes

    place = choose_workspace(**given)
    with place.store(read_only=True) as store:
        require_state(store)
        first, last = _find_ends(store, span)
        readers = NoteReaders(audience)
        pages = collect_notes(first, last, readers)
    currency, start = place.project.currency or "", first.at if first else None
    document = NotesDocument(pages, start, last.at, readers, currency, language, folder)
    if form == "json":
        text = json_document(notes_json(document))
    else:
        text = notes_page(document, _PAGES[form])
    print_or_write([text.encode()], out)


def _find_ends(store: "Store", span: str) -> "tuple[NotesMoment | None, NotesMoment]":
    """The states at both ends of `FROM..TO`."""
    start, dots, end = span.partition("..")
    if not dots or ".." in end:
        raise WrongUse(
            f"`{span}` does not name two moments", "write FROM..TO, as in 2027-01-01..2027-02-01"
        )
    first = _find_end(store, parse_moment_or_serial(start)) if start else None
    last = _find_end(store, parse_moment_or_serial(end) if end else store.serial)
    if first and first.at > last.at:
        if not end:  # nothing has happened since
            return first, first
        raise WrongUse(f"`{span}` ends before it begins", "write the earlier moment first")
    return first, last


def _find_end(store: "Store", moment: datetime | int) -> "NotesMoment":
    from ..state import state_at_moment
    from ..sync.release_notes import NotesMoment

    past = state_at_moment(store, moment)
    at = moment if isinstance(moment, datetime) else parse_moment(past.last.time)
    return NotesMoment(past, at)
