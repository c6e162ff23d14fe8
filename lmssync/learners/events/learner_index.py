"""How many learners courses, topics and licenses have by the pulled feeds; the events."""

import json
import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple, Self

from ...vocabulary.enums import EventKind, FurtherEventKind
from .feed_events import KINDS, OLDER, LearnerAction
from .index_file import HOUR, Key, open_to_read, readable_errors, refuse_others

_PIECE = 5_000
_ROW = """
SELECT at, mark, feed, type, action, source, subjects.id, parts.id, licenses.id,
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
    """The type that the platform gives the event."""
    what: str
    """What it counts as: a `LearnerAction`."""
    source: str | None
    subject: str | None
    """Id of the course or the learning path."""
    topic: str | None
    license: str | None
    person: str | None
    """A code, which the person has in every event of this index."""
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


def read_event_rows(db: sqlite3.Connection, file: Path, keys: Iterable[Key]) -> Iterator[EventRow]:
    """These events, oldest first."""
    with readable_errors(file):
        for key in sorted(keys):
            yield from map(_make_row, db.execute(f"{_ROW} at = ? AND mark = ?", key))


def _make_row(row: tuple[Any, ...]) -> EventRow:
    at, _, feed, type_, action, *more = row
    moment = datetime.fromtimestamp(at / 1000, UTC)
    return EventRow(moment, feed, type_ or None, action, *[one or None for one in more])


_DAY = 86_400_000
_QUIET_DAYS = 28
_INSIDE = "enrolled IS NOT NULL AND completed IS NULL AND enrolled >= coalesce(gone, 0)"
"""Whoever was enrolled again after leaving is inside again."""
_COUNTS = f"""
count(*) FILTER (WHERE {_INSIDE}), count(*) FILTER (WHERE {_INSIDE} AND started IS NOT NULL),
count(*) FILTER (WHERE completed IS NOT NULL), max(last)"""
"""Numbers of one course, where each learner has one place."""
_COURSE = f"SELECT {_COUNTS} FROM place WHERE subject = ?"
_EVERY = f"SELECT id, {_COUNTS} FROM place JOIN object ON object = subject GROUP BY subject"
_PLACES = f"""
SELECT count(DISTINCT who) FILTER (WHERE {_INSIDE}),
       count(DISTINCT who) FILTER (WHERE {_INSIDE} AND started IS NOT NULL),
       count(DISTINCT who) FILTER (WHERE completed IS NOT NULL), max(last)
FROM place WHERE"""
"""Numbers of several courses, where a learner may have several places."""
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
_LEARNERS = f"""
SELECT who, enrolled, {_INSIDE}, completed, object.id FROM place
LEFT JOIN object ON object = license WHERE {{}} = ?"""
_DONE = """
SELECT who, id FROM result JOIN object ON object = part
WHERE subject = ? AND passed >= coalesce(undone, 0)"""
_VIEWED = f"""
SELECT DISTINCT who, id FROM about JOIN event USING (about) JOIN object ON object = part
WHERE subject = ? AND part <> 0 AND feed = '{FurtherEventKind.COURSE_VIEW}'"""
_BOUGHT = "SELECT count(*) FROM place WHERE subject = ? AND bought > ?"
_HOURS = "SELECT hour % 24, sum(actions) FROM hour WHERE hour >= ? GROUP BY 1"


class Audience(NamedTuple):
    """Learners of one thing, each counted once."""

    enrolled: int = 0
    """Are enrolled and have neither completed it nor lost access."""
    in_progress: int = 0
    """Those of the enrolled who have started."""
    finished: int = 0
    """Have completed it, whether they still have access or not."""
    last_activity: datetime | None = None
    """When a learner last did something there, UTC."""


class CourseLearner(NamedTuple):
    """What the events say of one learner in one course; nobody can tell from it who it is."""

    enrolled: datetime | None
    is_inside: bool
    """Is enrolled, has not completed it, and has not lost access."""
    has_finished: bool
    license: str
    """Id of the license by which they are in it; empty where no event says it."""
    passed: frozenset[str]
    """Ids of assessments that were passed, and of assignments that were handed in."""
    viewed: frozenset[str]
    """Ids of topics."""
    number: int = 0
    """That of the index, which means nothing elsewhere."""


class LearnerIndex:
    """What the pulled events come to; read only.

    Each answer takes milliseconds. What was not pulled is not counted: see `pulled_since`. Raises
    `StateError` for a damaged file.
    """

    def __init__(self, db: sqlite3.Connection, file: Path) -> None:
        self._db, self._file = db, file

    @classmethod
    def open_index(cls, path: Path, *, instance: str = "", any_feed: bool = False) -> Self | None:
        """The index of an instance (as `state.instance_of` spells it); nothing before the feed of
        courseAction, or any feed, was pulled to its end once: counts are too low without that."""
        db = open_to_read(path)
        if db is None:
            return None
        with readable_errors(path):
            refuse_others(db, path, instance)
            pulled = "SELECT 1 FROM feed WHERE kind = coalesce(?, kind) AND pulled"
            if not db.execute(pulled, (None if any_feed else EventKind.COURSE_ACTION,)).fetchone():
                db.close()
                return None
        return cls(db, path)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._db.close()

    def list_events(self, *, since: int = 0, kinds: Sequence[str] = ()) -> Iterator[EventRow]:
        """The events from a time on (milliseconds), of these feeds or of all, oldest first."""
        return list_event_rows(self._db, self._file, since=since, kinds=kinds)

    @property
    def as_of(self) -> datetime:
        """When the eight feeds of every instance were last pulled; if at different times, the
        earliest of them. One that was never pulled is left out."""
        return _moment_of(self._last_pulled())

    def _last_pulled(self) -> int:
        select = "SELECT min(pulled) FROM feed WHERE kind IN (SELECT value FROM json_each(?))"
        return self._query_row(select, (json.dumps(KINDS),))[0]

    @property
    def pulled_since(self) -> datetime | None:
        """From when on events were pulled, where somebody has limited that; else nothing."""
        (since,) = self._query_row("SELECT max(since) FROM feed WHERE pulled")
        return _moment_of(since) if since else None

    def course_audience(self, id_: str) -> Audience:
        """The audience of a course by the id of its session (`notifiableId`, O40), which is
        `course` among the recorded ids, not `courseGroup`. All zero for one that no event names."""
        return self._query_audience(_COURSE, self._object_number(id_))

    def course_audiences(self) -> Iterator[tuple[str, Audience]]:
        """All courses and learning paths that events name, by id."""
        with readable_errors(self._file):
            rows = self._db.execute(_EVERY).fetchall()
        return ((id_, _make_audience(*numbers)) for id_, *numbers in rows)

    def topic_audience(self, id_: str) -> Audience:
        """Learners of an assessment or an assignment; `finished` are those who have passed it or
        handed it in, the others are inside its course. No event is about a topic of another type,
        and nothing is known of one that nobody has tried yet: all zero."""
        return self._query_audience(_RESULTS, {"part": self._object_number(id_)})

    def license_audience(self, id_: str) -> Audience | None:
        """Learners whose enrollments hang on a license; `finished` have completed a course by it.

        Nothing where events do not say it. Many instances name the license in completions only
        (O52).
        """
        object_ = self._object_number(id_)
        select = "SELECT EXISTS (SELECT 1 FROM about WHERE license = ? AND action = ?)"
        (named,) = self._query_row(select, (object_, LearnerAction.ENROLLED))
        return self._query_audience(f"{_PLACES} license = ?", object_) if named else None

    def list_course_learners(self, id_: str) -> Iterator[CourseLearner]:
        """Each learner of a course by the id of its session."""
        return self._list_learners("subject", id_)

    def list_license_learners(self, id_: str) -> Iterator[CourseLearner]:
        """Each place in a course that hangs on a license, as far as events say it."""
        return self._list_learners("license", id_)

    def _list_learners(self, column: str, id_: str) -> Iterator[CourseLearner]:
        number = self._object_number(id_)
        with readable_errors(self._file):
            places = self._db.execute(_LEARNERS.format(column), (number,)).fetchall()
            passed = self._group_parts(_DONE, number) if column == "subject" else {}
            viewed = {}
            if column == "subject" and self.has_pulled(FurtherEventKind.COURSE_VIEW):
                viewed = self._group_parts(_VIEWED, number)
        for who, enrolled, inside, completed, license_ in places:
            at = _moment_of(enrolled) if enrolled else None
            done, seen = (frozenset(found.get(who, ())) for found in (passed, viewed))
            finished = completed is not None
            yield CourseLearner(at, bool(inside), finished, license_ or "", done, seen, who)

    def list_finishers(self, id_: str) -> frozenset[int]:
        """The numbers of those who have completed a course, by the id of its session."""
        query = "SELECT who FROM place WHERE subject = ? AND completed IS NOT NULL"
        with readable_errors(self._file):
            return frozenset(who for (who,) in self._db.execute(query, (self._object_number(id_),)))

    def _group_parts(self, query: str, subject: int) -> dict[int, set[str]]:
        found: dict[int, set[str]] = defaultdict(set)
        for who, part in self._db.execute(query, (subject,)):
            found[who].add(part)
        return found

    def has_pulled(self, kind: str) -> bool:
        """Whether a feed was pulled to its end, from its beginning on."""
        query = "SELECT count(*) FROM feed WHERE kind = ? AND pulled AND coalesce(since, 0) = 0"
        return bool(self._query_row(query, (kind,))[0])

    def count_people(self) -> int:
        """How many people the events are about."""
        return self._query_row("SELECT count(*) FROM person")[0]

    def count_purchases(self, content_id: str, *, days: int) -> int:
        """How many learners bought it in the last days before `as_of`."""
        # Counted back from the last pull, not from now: what happened since is not known.
        begin = self._last_pulled() - days * _DAY
        (count,) = self._query_row(_BOUGHT, (self._object_number(content_id), begin))
        return int(count)

    def activity_by_hour(self) -> Sequence[int]:
        """What learners did in the last 28 days before `as_of`, by hour of the day (UTC)."""
        begin = (self._last_pulled() - _QUIET_DAYS * _DAY) // HOUR
        with readable_errors(self._file):
            by_hour = dict(self._db.execute(_HOURS, (begin,)).fetchall())
        return [by_hour.get(hour, 0) for hour in range(24)]

    def _object_number(self, id_: str) -> int:
        with readable_errors(self._file):
            row = self._db.execute("SELECT object FROM object WHERE id = ?", (id_.lower(),))
            # No row has this number, so all counts of what no event names are zero.
            (number,) = row.fetchone() or (-1,)
        return int(number)

    def _query_audience(self, query: str, value: "int | dict[str, int]") -> Audience:
        given = value if isinstance(value, dict) else (value,)
        return _make_audience(*self._query_row(query, given))

    def _query_row(
        self, query: str, given: "tuple[Any, ...] | dict[str, int]" = ()
    ) -> tuple[int, ...]:
        with readable_errors(self._file):
            row: tuple[int, ...] = self._db.execute(query, given).fetchone()
        return row


def _make_audience(enrolled: int, in_progress: int, finished: int, last: int | None) -> Audience:
    return Audience(enrolled, in_progress, finished, _moment_of(last) if last else None)


def _moment_of(milliseconds: int) -> datetime:
    return datetime.fromtimestamp(milliseconds / 1000, UTC)
