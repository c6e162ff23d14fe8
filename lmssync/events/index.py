"""How many learners are where, as far as the feeds have said."""

import json
import sqlite3
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple, Self

from ..vocabulary.enums import EventKind
from .deeds import Deed
from .happenings import KINDS
from .rows import EventRow, rows
from .tables import HOUR, reading, refuse_others, to_read

_DAY = 86_400_000
_QUIET_DAYS = 28
_INSIDE = "enrolled IS NOT NULL AND completed IS NULL AND enrolled >= coalesce(gone, 0)"
"""Whoever was enrolled again after leaving is inside again."""
_COUNTS = f"""
count(*) FILTER (WHERE {_INSIDE}), count(*) FILTER (WHERE {_INSIDE} AND started IS NOT NULL),
count(*) FILTER (WHERE completed IS NOT NULL), max(last)"""
"""Of one course, where each learner has one place."""
_COURSE = f"SELECT {_COUNTS} FROM place WHERE subject = ?"
_EVERY = f"SELECT id, {_COUNTS} FROM place JOIN object ON object = subject GROUP BY subject"
_PLACES = f"""
SELECT count(DISTINCT who) FILTER (WHERE {_INSIDE}),
       count(DISTINCT who) FILTER (WHERE {_INSIDE} AND started IS NOT NULL),
       count(DISTINCT who) FILTER (WHERE completed IS NOT NULL), max(last)
FROM place WHERE"""
"""Of several courses."""
_RESULTS = f"""
SELECT count(*) FILTER (WHERE {_INSIDE} AND NOT done),
       count(*) FILTER (WHERE {_INSIDE} AND NOT done AND tried),
       count(*) FILTER (WHERE done), max(result_last)
FROM (
  SELECT place.*, result.last AS result_last, result.who IS NOT NULL AS tried,
         coalesce(result.passed >= coalesce(result.undone, 0), 0) AS done
  FROM (SELECT DISTINCT subject FROM result WHERE part = :part) AS here
  JOIN place USING (subject) LEFT JOIN result ON result.part = :part AND result.who = place.who
)"""
_BOUGHT = "SELECT count(*) FROM place WHERE subject = ? AND bought > ?"
_HOURS = "SELECT hour % 24, sum(deeds) FROM hour WHERE hour >= ? GROUP BY 1"


class Audience(NamedTuple):
    """Learners of one thing, each counted once."""

    enrolled: int = 0
    """Are enrolled and have neither completed it nor lost access."""
    in_progress: int = 0
    """Of them, those who have started."""
    finished: int = 0
    """Have completed it, whether they still have access or not."""
    last_activity: datetime | None = None
    """When a learner last did something there, UTC."""


class LearnerIndex:
    """What the pulled events come to; read only.

    Each answer takes milliseconds. What was not pulled is not counted: see `since`. Raises
    `StateError` for a damaged file.
    """

    def __init__(self, db: sqlite3.Connection, file: Path) -> None:
        self._db, self._file = db, file

    @classmethod
    def open(cls, path: Path, *, instance: str = "") -> Self | None:
        """The index of an instance (as `state.instance_of` spells it); nothing before the feed of
        courseAction was pulled to its end once, since its counts are too low until then."""
        db = to_read(path)
        if db is None:
            return None
        with reading(path):
            refuse_others(db, path, instance)
            if not db.execute(
                "SELECT 1 FROM feed WHERE kind = ? AND pulled", (EventKind.COURSE_ACTION,)
            ).fetchone():
                db.close()
                return None
        return cls(db, path)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._db.close()

    def rows(self, *, since: int = 0, kinds: Sequence[str] = ()) -> Iterator[EventRow]:
        """The events from a time on (milliseconds), of these feeds or of all, oldest first."""
        return rows(self._db, self._file, since=since, kinds=kinds)

    @property
    def as_of(self) -> datetime:
        """When the eight feeds of every instance were last pulled; if at different times, the
        earliest of them. One that was never pulled is left out."""
        return _moment(self._pulled())

    def _pulled(self) -> int:
        (oldest,) = self._row(
            "SELECT min(pulled) FROM feed WHERE kind IN (SELECT value FROM json_each(?))",
            (json.dumps(KINDS),),
        )
        return oldest

    @property
    def since(self) -> datetime | None:
        """From when on events were pulled, where somebody has limited that; else nothing."""
        (since,) = self._row("SELECT max(since) FROM feed WHERE pulled")
        return _moment(since) if since else None

    def course(self, id_: str) -> Audience:
        """Of a course, by the id of its session (`notifiableId`, O40): `course` among the recorded
        ids, not `courseGroup`. All zero for one that no event names."""
        return self._audience(_COURSE, self._object(id_))

    def courses(self) -> Iterator[tuple[str, Audience]]:
        """All courses and learning paths that events name, by id."""
        with reading(self._file):
            rows = self._db.execute(_EVERY).fetchall()
        return ((id_, _counted(*numbers)) for id_, *numbers in rows)

    def path(self, id_: str) -> Audience:
        """Of a learning path, as of a course."""
        return self.course(id_)

    def topic(self, id_: str) -> Audience:
        """Of an assessment or an assignment; `finished` are those who have passed it or handed it
        in, the others are inside its course. No event is about a topic of another type, and
        nothing is known of one that nobody has tried yet: all zero."""
        return self._audience(_RESULTS, {"part": self._object(id_)})

    def license(self, id_: str) -> Audience | None:
        """Of those whose enrollments hang on a license; `finished` have completed a course by it.

        Nothing where events do not say it. Many instances name the license in completions only
        (O52).
        """
        object_ = self._object(id_)
        (named,) = self._row(
            "SELECT EXISTS (SELECT 1 FROM about WHERE license = ? AND deed = ?)",
            (object_, Deed.ENROLLED),
        )
        return self._audience(f"{_PLACES} license = ?", object_) if named else None

    def client(self, id_: str, courses: Sequence[str] = ()) -> Audience:
        """Of the learners of a client: in some courses (or learning paths), or in all.

        With the courses of a license this is the most that can hang on it.
        """
        here = ",".join(str(self._object(course)) for course in courses)
        query = f"{_PLACES} who IN (SELECT who FROM person WHERE client = ?)"
        return self._audience(
            f"{query} AND subject IN ({here})" if courses else query, self._object(id_)
        )

    def purchases(self, content_id: str, *, days: int) -> int:
        """How many learners bought it in the last days before `as_of`."""
        begin = self._pulled() - days * _DAY
        (count,) = self._row(_BOUGHT, (self._object(content_id), begin))
        return int(count)

    def hours(self) -> Sequence[int]:
        """What learners did in the last 28 days before `as_of`, by hour of the day (UTC)."""
        begin = (self._pulled() - _QUIET_DAYS * _DAY) // HOUR
        with reading(self._file):
            by_hour = dict(self._db.execute(_HOURS, (begin,)).fetchall())
        return [by_hour.get(hour, 0) for hour in range(24)]

    def _object(self, id_: str) -> int:
        with reading(self._file):
            row = self._db.execute("SELECT object FROM object WHERE id = ?", (id_.lower(),))
            (number,) = row.fetchone() or (-1,)
        return int(number)

    def _audience(self, query: str, value: "int | dict[str, int]") -> Audience:
        given = value if isinstance(value, dict) else (value,)
        return _counted(*self._row(query, given))

    def _row(self, query: str, given: "tuple[Any, ...] | dict[str, int]" = ()) -> tuple[int, ...]:
        with reading(self._file):
            row: tuple[int, ...] = self._db.execute(query, given).fetchone()
        return row


def _counted(enrolled: int, in_progress: int, finished: int, last: int | None) -> Audience:
    return Audience(enrolled, in_progress, finished, _moment(last) if last else None)


def _moment(milliseconds: int) -> datetime:
    return datetime.fromtimestamp(milliseconds / 1000, UTC)
