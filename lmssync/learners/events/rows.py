"""The events in the index one by one, with codes in the place of people."""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from ...vocabulary.enums import EventKind
from .deeds import OLDER
from .keeping import Key
from .tables import readable_errors

_PIECE = 5_000
_ROW = """
SELECT at, mark, feed, type, deed, source, subjects.id, parts.id, licenses.id,
       lower(hex(person.code)), clients.id
FROM event JOIN about USING (about) LEFT JOIN person USING (who)
LEFT JOIN object AS subjects ON subjects.object = about.subject
LEFT JOIN object AS parts ON parts.object = about.part
LEFT JOIN object AS licenses ON licenses.object = about.license
LEFT JOIN object AS clients ON clients.object = person.client
WHERE"""


class EventRow(NamedTuple):
    """One event, as it is exported. What an event does not say is None."""

    time: datetime
    """UTC, to the millisecond."""
    kind: str
    """Its feed; courseAction for what courseEnrollment and courseCompletion show as well."""
    type: str | None
    """As the platform says it."""
    what: str
    """What it counts as: a `Deed`."""
    source: str | None
    subject: str | None
    """Id of the course or the learning path."""
    topic: str | None
    license: str | None
    person: str | None
    """A code; the same person has the same one in every event of this index."""
    client: str | None
    """Id of the client that the person belongs to now."""


def list_event_rows(
    db: sqlite3.Connection, file: Path, *, since: int = 0, kinds: Sequence[str] = ()
) -> Iterator[EventRow]:
    """The events from a time on, of these feeds or of all, oldest first."""
    feeds = {kind for kind in kinds if kind not in OLDER}
    types = {OLDER[kind] for kind in kinds if kind in OLDER}
    for row in _read_in_pieces(db, file, Key(since, -1)):
        older = row.kind == EventKind.COURSE_ACTION and row.what in types
        if not kinds or row.kind in feeds or older:
            yield row


def _read_in_pieces(db: sqlite3.Connection, file: Path, after: Key) -> Iterator[EventRow]:
    """In pieces, so that whoever reads slowly does not keep a pull from writing."""
    query = f"{_ROW} (at, mark) > (?, ?) ORDER BY at, mark LIMIT {_PIECE}"
    while True:
        with readable_errors(file):
            found = db.execute(query, after).fetchall()
        yield from map(_make_row, found)
        if len(found) < _PIECE:
            return
        after = Key(*found[-1][:2])


def rows_of(db: sqlite3.Connection, file: Path, keys: Iterable[Key]) -> Iterator[EventRow]:
    """These events, oldest first."""
    with readable_errors(file):
        for key in sorted(keys):
            yield from map(_make_row, db.execute(f"{_ROW} at = ? AND mark = ?", key))


def _make_row(row: tuple[Any, ...]) -> EventRow:
    at, _, feed, type_, deed, *more = row
    moment = datetime.fromtimestamp(at / 1000, UTC)
    return EventRow(moment, feed, type_ or None, deed, *[one or None for one in more])
