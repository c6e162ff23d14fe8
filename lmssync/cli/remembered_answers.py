"""Answers that a command has printed before, for exactly the same question.

What a command prints of a catalog and a state in which no file has changed is the same again. So
the user's cache folder keeps the last answer of a command, under a seal over everything that it
depends on: the program, the options, the variables, the terminal, and the stamps of all files.
Nothing is kept while a file is so new that it may change once more unnoticed, nor where the state
is not a file: then there is no question.
"""

import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from zlib import crc32

import click

from ..catalog.manifests.catalog_files import TICK, Listing, newest_stamp, stamp_of
from ..problems import only_errors
from ..support.cache_folder import find_cache_file, find_program_file
from ..support.remembered_files import program_identity, recall_content, remember_content
from .terminal_output import choose_text_style, terminal_width

if TYPE_CHECKING:
    from ..planning.workspace import Workspace


class Question(NamedTuple):
    """A run of a command on files as they are now."""

    file: Path | None
    """Where its answer is kept; None if it may be nowhere."""
    about: bytes
    """All that the answer depends on."""

    def recall_answer(self) -> str | None:
        """What was printed the last time; None if nothing is known, or something has changed."""
        kept = recall_content(self.file, self.about)
        return None if kept is None else kept.decode()

    def remember_answer(self, text: str) -> None:
        """Keeps what was printed, in the place of the answer before."""
        remember_content(self.file, self.about, text.encode())


def ask_of_catalog(
    command: str, root: Path, listing: Listing, environment: str, *more: Any
) -> Question | None:
    """The question of a command about a catalog without errors; None where nothing is kept.

    `listing` is that of the catalog, and `more` is what the answer depends on besides.
    """
    from ..catalog.manifests.cache import recall_outcome

    # An outcome is known only where it depends on the files of the listing, and on plugins that
    # have not changed.
    known = recall_outcome(root, environment or None, listing, or_every=True)
    if known is None or only_errors(known.problems) or not listing.settled:
        return None
    cache = find_cache_file(root)
    about = (command, *_run_circumstances(), environment, known.plugins, listing.digest, *more)
    return Question(cache and cache.with_name(f"answer-{command}"), _spell_all(about))


_EXPLAINED = 64
"""Files for answers about the program: each has one of them, by what is asked."""


def ask_of_program(command: str, about: str) -> Question:
    """The question of a command that needs no catalog: its answer is made of the program alone, and
    of the rules of installed packages."""
    from .. import plugins

    number = crc32(about.encode("utf-8", "surrogatepass")) % _EXPLAINED
    file = find_program_file(f"answer-{command}-{number}")
    return Question(
        file, _spell_all((command, *_run_circumstances(), about, plugins.installed_identities()))
    )


def ask_of_state(command: str, place: "Workspace", listing: Listing) -> Question | None:
    """The question of a command about a catalog and its state; None where nothing is kept."""
    from ..settings import SQLITE
    from ..state import file_beside

    if place.slice or not place.state.startswith(SQLITE):
        return None  # others write it elsewhere, and only its backend can tell
    anywhere = "LMSSYNC_STATE" in place.env
    state = file_beside(place.state, place.root, place.name, ".db", anywhere=anywhere)
    stamps = _stamp_folder(state.parent)
    name = place.name if place.name in place.project.environments else ""
    more = (place.name, place.project, place.environment, place.decided, stamps)
    return ask_of_catalog(command, place.root, listing, name, *more) if stamps else None


def _stamp_folder(folder: Path) -> list[tuple[str, str]]:
    """The files of a state, with what lies beside it and its register of people; nothing while one
    of them is so new that it may change once more unnoticed."""
    begun = time.time_ns()
    files = (*folder.glob("*"), *folder.glob("people/*"))
    # An index of the write-ahead log beside it, which readers make anew.
    stamps = sorted((str(one), stamp_of(one)) for one in files if not one.name.endswith("-shm"))
    return stamps if newest_stamp(stamp for _, stamp in stamps) <= begun - TICK else []


def _run_circumstances() -> Iterator[Any]:
    """What any answer depends on: the program, the options, the variables and the terminal."""
    yield program_identity(whole=True)
    ours = sorted(item for item in os.environ.items() if item[0].startswith("LMSSYNC_"))
    yield ours, [stamp_of(Path(value)) for name, value in ours if name.endswith("_FILE")]
    yield choose_text_style(sys.stdout), terminal_width(sys.stdout)
    context: click.Context | None = click.get_current_context()
    while context:
        yield sorted(context.params.items())
        context = context.parent


def _spell_all(about: tuple[Any, ...]) -> bytes:
    return repr(about).encode("utf-8", "surrogatepass")
