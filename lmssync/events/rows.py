"""The events in the index one by one, with codes in the place of people."""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from ..vocabulary.enums import EventKind
from .deeds import OLDER
from .keeping import Key
from .tables import reading

_ROW = """
SELECT at, feed, type, deed, source, subjects.id, parts.id, licenses.id,
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


def rows(
    db: sqlite3.Connection, file: Path, *, since: int = 0, kinds: Sequence[str] = ()
) -> Iterator[EventRow]:
    """The events from a time on, of these feeds or of all, oldest first."""
    feeds = {kind for kind in kinds if kind not in OLDER}
    types = {OLDER[kind] for kind in kinds if kind in OLDER}
    with reading(file):
        for row in map(_row, db.execute(f"{_ROW} at >= ? ORDER BY at, mark", (since,))):
            older = row.kind == EventKind.COURSE_ACTION and row.what in types
            if not kinds or row.kind in feeds or older:
                yield row


def rows_of(db: sqlite3.Connection, file: Path, keys: Iterable[Key]) -> Iterator[EventRow]:
    """These events, oldest first."""
    with reading(file):
        for key in sorted(keys):
            yield from map(_row, db.execute(f"{_ROW} at = ? AND mark = ?", key))


def _row(row: tuple[Any, ...]) -> EventRow:
    at, feed, type_, deed, *more = row
    moment = datetime.fromtimestamp(at / 1000, UTC)
    return EventRow(moment, feed, type_ or None, deed, *[one or None for one in more])
