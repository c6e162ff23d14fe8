"""Puts events into the index, each once, with codes in the place of people."""

import hmac
import sqlite3
from collections.abc import Iterable
from typing import NamedTuple

from ...support.persons import DIGITS
from ...vocabulary.enums import EventKind
from .feed_events import OF_LEARNERS, LearnerAction, LearnerEvent
from .index_file import HOUR, read_meta

_MARK_BYTES = 6
"""Bytes of the hash that tells an event from others of its millisecond: that two of 5,000 are taken
for one has a chance of 1 in 20 million."""
_CODE_BYTES = DIGITS // 2
_NOBODY = 0
_RESULTS = frozenset(
    {LearnerAction.TRIED, LearnerAction.PASSED, LearnerAction.FORGIVEN, LearnerAction.UNDONE}
)
"""What a learner can do with a quiz, test or assignment; any topic can be looked at."""
_SEEN = "UPDATE person SET client = ?, seen = ? WHERE who = ? AND seen < ?"
_TICK = "INSERT INTO hour VALUES (?, 1) ON CONFLICT DO UPDATE SET actions = actions + 1"


class Key(NamedTuple):
    """The key of an event in the index."""

    at: int
    mark: int


class EventWriter:
    """Writes into one index; every call is to be made inside a transaction."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        self._key = bytes.fromhex(read_meta(db, "key"))
        self._objects: dict[str, int] = {"": 0}
        self._abouts: dict[tuple[object, ...], int] = {}

    def keep_events(self, seen: Iterable[LearnerEvent]) -> list[Key]:
        """Keeps events; returns the keys of those that are new, as they are counted now."""
        return [key for one in seen if (key := self._keep_event(one))]

    def _keep_event(self, one: LearnerEvent) -> Key | None:
        who, about = self._person_number(one), self._subject_number(one)
        # An event is known by its millisecond and a hash of its id: six bytes in place of 36 for
        # each of millions.
        key = Key(one.at, self._mark_number(one.id or one.natural))
        if self._is_known(one, key, who=who):
            self._learn_license(one, key, who=who, about=about)
            return None
        self._db.execute("INSERT INTO event VALUES (?, ?, ?, ?)", (*key, who, about))
        if one.client:
            self._db.execute(_SEEN, (self._object_number(one.client), one.at, who, one.at))
        if who != _NOBODY and one.subject:
            self._count_event(one, who)
        if one.action in OF_LEARNERS:
            self._db.execute(_TICK, (one.at // HOUR,))
        return key

    def _is_known(self, one: LearnerEvent, key: Key, *, who: int) -> bool:
        """Whether the event has come before, in this feed or in another that shows it again.

        Of two feeds that show the same event, one may have ids and the other none (O40).
        """
        if self._has_key(key):
            return True
        # This feed alone shows events again that have feeds of their own (O40).
        if one.feed != EventKind.COURSE_ACTION:
            return False
        if not one.id:
            return self._has_lookalike(one, who)
        natural = Key(one.at, self._mark_number(one.natural))
        known = self._has_key(natural)
        if known:
            # The feed without ids came first. From now on the event is known by its id, so that its
            # third appearance is found as well.
            move = "UPDATE event SET mark = ? WHERE at = ? AND mark = ?"
            self._db.execute(move, (key.mark, *natural))
        return known

    def _has_key(self, key: Key) -> bool:
        row = self._db.execute("SELECT 1 FROM event WHERE at = ? AND mark = ?", key)
        return row.fetchone() is not None

    def _has_lookalike(self, one: LearnerEvent, who: int) -> bool:
        """Whether the index has an event that only an id could distinguish from this one."""
        row = self._db.execute(
            "SELECT 1 FROM event JOIN about USING (about)"
            " WHERE at = ? AND who = ? AND subject = ? AND feed = ? AND type = ?",
            (one.at, who, self._object_number(one.subject), one.feed, one.type),
        )
        return row.fetchone() is not None

    def _learn_license(self, one: LearnerEvent, key: Key, *, who: int, about: int) -> None:
        """Only some feeds name the license of an event that others show as well (O52)."""
        if one.license:
            self._db.execute("UPDATE event SET about = ? WHERE at = ? AND mark = ?", (about, *key))
            self._db.execute(
                "UPDATE place SET license = ? WHERE subject = ? AND who = ?",
                (self._object_number(one.license), self._object_number(one.subject), who),
            )

    # Counting: always the latest time of each sort

    def _count_event(self, one: LearnerEvent, who: int) -> None:
        if one.part and one.action in _RESULTS:
            self._count_result(one, who)
        columns = _MARKED.get(one.action, ())
        if one.action is LearnerAction.ENROLLED and "purchase" in one.source.lower():
            columns = (*columns, "bought")
        if not columns:
            return
        license_ = self._object_number(one.license) or None
        names = ", ".join(columns)
        # The latest time wins, whatever order events come in: newest first in a walk, older ones
        # when a walk reads further back.
        sets = ", ".join(f"{name} = max(coalesce({name}, 0), excluded.{name})" for name in columns)
        self._db.execute(
            f"INSERT INTO place (subject, who, license, {names})"
            f" VALUES (?, ?, ?{', ?' * len(columns)}) ON CONFLICT DO UPDATE SET {sets},"
            " license = coalesce(excluded.license, license)",
            (self._object_number(one.subject), who, license_, *[one.at] * len(columns)),
        )

    def _count_result(self, one: LearnerEvent, who: int) -> None:
        passed = one.at if one.action in {LearnerAction.PASSED, LearnerAction.FORGIVEN} else None
        undone = one.at if one.action is LearnerAction.UNDONE else None
        last = None if one.action is LearnerAction.FORGIVEN else one.at
        part, subject = self._object_number(one.part), self._object_number(one.subject)
        self._db.execute(
            "INSERT INTO result VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET"
            " passed = nullif(max(coalesce(passed, 0), coalesce(excluded.passed, 0)), 0),"
            " undone = nullif(max(coalesce(undone, 0), coalesce(excluded.undone, 0)), 0),"
            " last = nullif(max(coalesce(last, 0), coalesce(excluded.last, 0)), 0)",
            (part, who, subject, passed, undone, last),
        )

    # What stands for what

    def _person_number(self, one: LearnerEvent) -> int:
        """The number of a person, known by any of what identifies them."""
        codes = [self._hash_text(text)[:_CODE_BYTES] for text in one.people]
        numbers = [self._find_alias(code) for code in codes]
        who = next((number for number in numbers if number is not None), None)
        if codes and who is None:
            insert = "INSERT INTO person (code, client, seen) VALUES (?, ?, ?)"
            new = (codes[0], self._object_number(one.client), one.at)
            who = self._db.execute(insert, new).lastrowid
        found = zip(codes, numbers, strict=True)
        # One event names a person by id and address, another by number alone: each code that is new
        # leads to the same person from now on.
        learned = [(code, who) for code, number in found if number is None]
        self._db.executemany("INSERT OR IGNORE INTO alias VALUES (?, ?)", learned)
        return who or _NOBODY

    def _find_alias(self, code: bytes) -> int | None:
        row = self._db.execute("SELECT who FROM alias WHERE code = ?", (code,)).fetchone()
        return row[0] if row else None

    def _object_number(self, id_: str) -> int:
        # Courses and licenses are few and events are many: each id is looked up once.
        if id_ not in self._objects:
            self._db.execute("INSERT OR IGNORE INTO object (id) VALUES (?)", (id_,))
            row = self._db.execute("SELECT object FROM object WHERE id = ?", (id_,)).fetchone()
            self._objects[id_] = row[0]
        return self._objects[id_]

    def _subject_number(self, one: LearnerEvent) -> int:
        ids = (one.subject, one.part, one.license)
        row = (one.feed, one.type, one.source, one.action.value, *map(self._object_number, ids))
        if row not in self._abouts:
            names = "feed, type, source, action, subject, part, license"
            insert = f"INSERT OR IGNORE INTO about ({names}) VALUES (?, ?, ?, ?, ?, ?, ?)"
            self._db.execute(insert, row)
            query = f"SELECT about FROM about WHERE ({names}) = (?, ?, ?, ?, ?, ?, ?)"
            self._abouts[row] = self._db.execute(query, row).fetchone()[0]
        return self._abouts[row]

    def _mark_number(self, text: str) -> int:
        return int.from_bytes(self._hash_text(text)[:_MARK_BYTES])

    def _hash_text(self, text: str) -> bytes:
        return hmac.digest(self._key, text.encode("utf-8", "surrogatepass"), "sha256")


_MARKED = {
    LearnerAction.ENROLLED: ("enrolled",),
    LearnerAction.LEFT: ("gone",),
    LearnerAction.STARTED: ("enrolled", "started", "last"),
    LearnerAction.WORKED: ("enrolled", "started", "last"),
    LearnerAction.COMPLETED: ("completed", "last"),
    LearnerAction.TRIED: ("started", "last"),
    LearnerAction.PASSED: ("started", "last"),
    LearnerAction.UNDONE: ("started", "last"),
    LearnerAction.FORGIVEN: ("started",),
    LearnerAction.BOUGHT: ("bought",),
}
"""Columns of `place` that an action sets to its time. Whoever starts or works there is enrolled,
even where the enrollment itself is older than what was pulled."""
