"""Courses: a session with everything in it is one document, its course group another."""

import sqlite3
from collections.abc import Iterator
from typing import Any, NamedTuple

import orjson

from ..clock import Clock
from ..documents import Doc
from .ids import Identity, Ids, Level
from .recent import Recent
from .store import Store

CHILDREN = {Level.SECTION: "sections", Level.LESSON: "lessons", Level.TOPIC: "topics"}


class Held(NamedTuple):
    """Something in a course, where it stands: what it stands in, and its list there."""

    course: Doc
    parent: Doc
    siblings: list[Doc]
    doc: Doc


class Courses:
    """Documents by serial; `locate` finds the serial of anything inside them by its id.

    A course document holds the session fields by their wire names, `sections` > `lessons` >
    `topics`, `criteria` (as written), and `lastNumber`, the number of the newest id in it.
    """

    def __init__(self, store: Store, ids: Ids, *, recent: Recent, clock: Clock) -> None:
        self._connection = store.connection
        self._ids, self._recent, self._clock = ids, recent, clock
        (self._last,) = self._connection.execute(
            "SELECT max(coalesce((SELECT max(serial) FROM groups), 0),"
            " coalesce((SELECT max(serial) FROM courses), 0))"
        ).fetchone()

    def new_serial(self) -> int:
        self._last += 1
        return int(self._last)

    def reserve(self, serial: int) -> None:
        """Give out no serial up to this one any more."""
        self._last = max(self._last, serial)

    def locate(self, id_: str) -> Identity | None:
        """The level and the serial of an id; the document need not exist."""
        identity = self._ids.read(id_.lower())
        if identity:
            return identity
        row = self._connection.execute(
            "SELECT level, serial FROM aliases WHERE id = ?", (id_.lower(),)
        ).fetchone()
        return Identity(Level(row[0]), row[1]) if row else None

    def serial_of(self, doc: Doc) -> int:
        """The serial of a course or a group that is there."""
        identity = self.locate(doc["id"])
        assert identity is not None  # its id was given out, or is an alias
        return identity.serial

    def alias(self, id_: str, level: Level, serial: int) -> None:
        """Make an id that was given out elsewhere (a seed) lead to its document."""
        if self._ids.read(id_) is None:
            self._connection.execute(
                "INSERT OR REPLACE INTO aliases VALUES (?, ?, ?)", (id_, level, serial)
            )

    # Courses

    def add(self, serial: int, doc: Doc, *, group: int) -> None:
        """Keep a new course; raises sqlite3.IntegrityError if its sku is taken."""
        self.reserve(serial)
        self._connection.execute(
            "INSERT INTO courses VALUES (?, ?, ?, ?)",
            (serial, group, doc.get("sku"), orjson.dumps(doc)),
        )
        self._recent.note("course", serial, None)

    def save(self, doc: Doc) -> None:
        """Keep the new state of a course; raises sqlite3.IntegrityError if its sku is taken."""
        serial = self.serial_of(doc)
        if self._recent.noting:
            self._recent.note("course", serial, self._newest("courses", serial))
        self._connection.execute(
            "UPDATE courses SET sku = ?, doc = ? WHERE serial = ?",
            (doc.get("sku"), orjson.dumps(doc), serial),
        )

    def get(self, serial: int, *, deleted: bool = False) -> Doc | None:
        """The course; a person deleted it (control command `edit`): None unless `deleted`."""
        doc = self._recent.seen("course", serial, self._newest("courses", serial))
        if doc is None or (doc["status"] == "deleted" and not deleted):
            return None
        return self._settled(doc)

    def by_id(self, id_: str) -> Doc | None:
        """The course with that id, or that holds the child with that id."""
        identity = self.locate(id_)
        return self.get(identity.serial) if identity and identity.level >= Level.COURSE else None

    def course(self, id_: str, *, deleted: bool = False) -> Doc | None:
        """The course with that id."""
        identity = self.locate(id_)
        is_course = identity and identity.level is Level.COURSE
        return self.get(identity.serial, deleted=deleted) if identity and is_course else None

    def held(self, id_: str, level: Level) -> Held | None:
        """The section, lesson, topic or criterion with that id, where it stands."""
        identity = self.locate(id_)
        course = self.get(identity.serial) if identity and identity.level is level else None
        return child(course, level, id_) if course else None

    def exists(self, id_: str) -> bool:
        """True if `id_` is the id of a course (not of something inside one)."""
        identity = self.locate(id_)
        if identity is None or identity.level is not Level.COURSE:
            return False
        newest = self._newest("courses", identity.serial)
        return newest is not None and newest["status"] != "deleted"

    def with_sku(self, sku: str) -> int | None:
        """The serial of the course that has the sku."""
        row = self._connection.execute(
            "SELECT serial FROM courses WHERE sku = ?", (sku,)
        ).fetchone()
        return row[0] if row else None

    def of_group(self, id_: str, *, deleted: bool = False) -> list[Doc]:
        """The sessions of the course group with that id, oldest first; none where it has another
        level."""
        identity = self.locate(id_)
        group = identity.serial if identity and identity.level is Level.GROUP else None
        rows = self._connection.execute(
            "SELECT serial FROM courses WHERE group_serial = ? ORDER BY serial", (group,)
        ).fetchall()
        return [doc for (serial,) in rows if (doc := self.get(serial, deleted=deleted))]

    def all(self) -> Iterator[Doc]:
        """Every course, oldest first, the deleted ones too."""
        for serial, doc in self._connection.execute("SELECT serial, doc FROM courses"):
            seen = self._recent.seen("course", serial, orjson.loads(doc))
            if seen:
                yield self._settled(seen)

    # Course groups

    def add_group(self, serial: int, doc: Doc) -> None:
        """Keep a new group; its slug is made unique with the serial if it is taken."""
        self.reserve(serial)
        if self.group_with_slug(doc["slug"]) is not None:
            doc["slug"] = f"{doc['slug']}-{serial}"
        self._connection.execute(
            "INSERT INTO groups VALUES (?, ?, ?)", (serial, doc["slug"], orjson.dumps(doc))
        )
        self._recent.note("group", serial, None)

    def save_group(self, doc: Doc) -> None:
        """Keep the new state of a group; raises sqlite3.IntegrityError if its slug is taken."""
        serial = self.serial_of(doc)
        if self._recent.noting:
            self._recent.note("group", serial, self._newest("groups", serial))
        self._connection.execute(
            "UPDATE groups SET slug = ?, doc = ? WHERE serial = ?",
            (doc["slug"], orjson.dumps(doc), serial),
        )

    def group(self, serial: int, *, deleted: bool = False) -> Doc | None:
        """The group; a person deleted it: None unless `deleted`."""
        doc = self._recent.seen("group", serial, self._newest("groups", serial))
        return None if doc is None or (doc.get("deleted") and not deleted) else doc

    def group_by_id(self, id_: str, *, deleted: bool = False) -> Doc | None:
        identity = self.locate(id_)
        is_group = identity and identity.level is Level.GROUP
        return self.group(identity.serial, deleted=deleted) if identity and is_group else None

    def group_exists(self, id_: str) -> bool:
        identity = self.locate(id_)
        if identity is None or identity.level is not Level.GROUP:
            return False
        newest = self._newest("groups", identity.serial)
        return newest is not None and not newest.get("deleted")

    def group_with_slug(self, slug: str) -> int | None:
        """The serial of the group that has the slug."""
        row = self._connection.execute(
            "SELECT serial FROM groups WHERE slug = ?", (slug,)
        ).fetchone()
        return row[0] if row else None

    def groups(self) -> Iterator[Doc]:
        """Every group, oldest first, the deleted ones too."""
        for serial, doc in self._connection.execute("SELECT serial, doc FROM groups"):
            seen = self._recent.seen("group", serial, orjson.loads(doc))
            if seen:
                yield seen

    def _settled(self, doc: Doc) -> Doc:
        """A pending session is published once its date is reached (spec 3)."""
        due = doc.get("futurePublishDate")
        if doc["status"] == "pending" and due and due <= self._clock.stamp():
            doc["status"] = "published"
        return doc

    def _newest(self, table: str, serial: int) -> Doc | None:
        row = self._row(table, serial)
        return orjson.loads(row[0]) if row else None

    def _row(self, table: str, serial: int) -> Any:
        return self._connection.execute(
            f"SELECT doc FROM {table} WHERE serial = ?",  # noqa: S608 - names of ours
            (serial,),
        ).fetchone()


TAKEN = sqlite3.IntegrityError
"""Raised where a unique value (sku, slug) is taken."""


def families(course: Doc, level: Level) -> Iterator[tuple[Doc, list[Doc]]]:
    """Every list of sections, lessons, topics or criteria in a course, with what it stands in."""
    if level in (Level.SECTION, Level.CRITERION):
        yield course, course["sections" if level is Level.SECTION else "criteria"]
        return
    for section in course["sections"]:
        if level is Level.LESSON:
            yield section, section["lessons"]
            continue
        for lesson in section["lessons"]:
            yield lesson, lesson["topics"]


def children(course: Doc, level: Level) -> Iterator[tuple[Doc, Doc]]:
    """Every section, lesson, topic or criterion of a course with what it stands in, in order."""
    return ((parent, doc) for parent, docs in families(course, level) for doc in docs)


def child(course: Doc, level: Level, id_: str) -> Held | None:
    """The child of a course with that id."""
    wanted = id_.lower()
    return next(
        (
            Held(course, parent, docs, doc)
            for parent, docs in families(course, level)
            for doc in docs
            if doc["id"] == wanted
        ),
        None,
    )
