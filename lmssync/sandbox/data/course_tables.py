"""Courses: a session with everything in it is one document, its course group another."""

import sqlite3
from collections.abc import Iterator
from typing import ClassVar, NamedTuple

import orjson

from ...vocabulary.limits import SLUG
from ..sandbox_documents import Clock, Doc
from .durable_store import Recent, Store
from .object_documents import Identity, Ids, Level

CHILDREN = {Level.SECTION: "sections", Level.LESSON: "lessons", Level.TOPIC: "topics"}


class CoursePart(NamedTuple):
    """A part of a course with its place: the course, its parent, and its siblings."""

    course: Doc
    parent: Doc
    siblings: list[Doc]
    doc: Doc


class Documents:
    """The documents of one table by serial; `locate_id` gives the serial of anything in them by id.

    A person can delete one (control command `edit`): it is None then, unless `deleted`.
    """

    table: ClassVar[str]
    level: ClassVar[Level]
    unique: ClassVar[str]
    """The field that no two documents share."""

    def __init__(self, store: Store, ids: Ids, *, recent: Recent, clock: Clock) -> None:
        self._connection, self._ids = store.connection, ids
        self._recent, self._clock = recent, clock

    def locate_id(self, id_: str) -> Identity | None:
        """The level and the serial of an id; the document need not exist."""
        if identity := self._ids.read_id(id_.lower()):
            return identity
        select = "SELECT level, serial FROM aliases WHERE id = ?"
        row = self._run_statement(select, id_.lower()).fetchone()
        return Identity(Level(row[0]), row[1]) if row else None

    def serial_of(self, doc: Doc) -> int:
        """The serial of a course or a group that is there."""
        identity = self.locate_id(doc["id"])
        assert identity is not None  # its id was given out, or is an alias
        return identity.serial

    def add_alias(self, id_: str, level: Level, serial: int) -> None:
        """Make an id that was given out elsewhere (a seed) lead to its document."""
        if self._ids.read_id(id_) is None:
            insert = "INSERT OR REPLACE INTO aliases VALUES (?, ?, ?)"
            self._run_statement(insert, id_, level, serial)

    def save_document(self, doc: Doc) -> None:
        """Keep the new state; raises sqlite3.IntegrityError if its unique value is taken."""
        serial = self.serial_of(doc)
        if self._recent.is_noting:  # the old state is read only where reads lag
            self._recent.note_write(self.table, serial, self._read_newest(serial))
        update = "UPDATE {table} SET {unique} = ?, doc = ? WHERE serial = ?"
        self._run_statement(update, doc.get(self.unique), orjson.dumps(doc), serial)

    def change_document(self, doc: Doc) -> None:
        """Save a document that was changed now."""
        doc["updatedAt"] = self._clock.format_now()
        self.save_document(doc)

    def get_by_serial(self, serial: int, *, deleted: bool = False) -> Doc | None:
        doc = self._recent.visible_version(self.table, serial, self._read_newest(serial))
        if doc is None or (self.is_deleted(doc) and not deleted):
            return None
        return self._settle_document(doc)

    def find_by_id(self, id_: str, *, deleted: bool = False) -> Doc | None:
        serial = self._find_serial(id_, self.level)
        return None if serial is None else self.get_by_serial(serial, deleted=deleted)

    def has_id(self, id_: str) -> bool:
        """True if `id_` is the id of one, not of something inside one."""
        serial = self._find_serial(id_, self.level)
        newest = None if serial is None else self._read_newest(serial)
        return newest is not None and not self.is_deleted(newest)

    def _find_serial(self, id_: str, level: Level) -> int | None:
        """The serial of an id, if it is one of that level."""
        identity = self.locate_id(id_)
        return identity.serial if identity and identity.level is level else None

    def find_value_holder(self, value: str) -> int | None:
        """The serial of the one that has the unique value."""
        row = self._run_statement("SELECT serial FROM {table} WHERE {unique} = ?", value).fetchone()
        return row[0] if row else None

    def list_documents(self) -> Iterator[Doc]:
        """Every one, oldest first, the deleted ones too."""
        for serial, doc in self._run_statement("SELECT serial, doc FROM {table}"):
            seen = self._recent.visible_version(self.table, serial, orjson.loads(doc))
            if seen:
                yield self._settle_document(seen)

    @staticmethod
    def is_deleted(doc: Doc) -> bool:
        return bool(doc.get("deleted"))

    def _settle_document(self, doc: Doc) -> Doc:
        """The document as the clock has it."""
        return doc

    def _read_newest(self, serial: int) -> Doc | None:
        row = self._run_statement("SELECT doc FROM {table} WHERE serial = ?", serial).fetchone()
        return orjson.loads(row[0]) if row else None

    def _insert_document(self, serial: int, doc: Doc, *columns: object) -> None:
        values = (serial, *columns, orjson.dumps(doc))
        places = ", ".join("?" * len(values))
        self._run_statement("INSERT INTO {table} VALUES ({places})", *values, places=places)
        self._recent.note_write(self.table, serial, None)

    def _run_statement(self, statement: str, *values: object, places: str = "") -> sqlite3.Cursor:
        filled = statement.format(table=self.table, unique=self.unique, places=places)
        return self._connection.execute(filled, values)


class Groups(Documents):
    """Course groups."""

    table, level, unique = "groups", Level.GROUP, "slug"

    def add_group(self, serial: int, doc: Doc) -> None:
        """Keep a new group; its slug is made unique with the serial if it is taken."""
        if self.find_value_holder(doc["slug"]) is not None:
            suffix = f"-{serial}"
            doc["slug"] = doc["slug"][: SLUG - len(suffix)] + suffix
        self._insert_document(serial, doc, doc["slug"])


class Courses(Documents):
    """Courses: each document holds the session fields by their wire names, `sections` > `lessons` >
    `topics`, `criteria` (as written), and `lastNumber`, the number of the newest id in it."""

    table, level, unique = "courses", Level.COURSE, "sku"

    def __init__(self, store: Store, ids: Ids, *, recent: Recent, clock: Clock) -> None:
        super().__init__(store, ids, recent=recent, clock=clock)
        (self._last,) = self._run_statement(
            "SELECT max(coalesce((SELECT max(serial) FROM groups), 0),"
            " coalesce((SELECT max(serial) FROM courses), 0))"
        ).fetchone()

    @property
    def last_serial(self) -> int:
        """The newest serial that was given out or reserved."""
        return int(self._last)

    def new_serial(self) -> int:
        """A serial for a course or for a group with its first course."""
        self._last += 1
        return int(self._last)

    def reserve_serials(self, serial: int) -> None:
        """Give out no serial up to this one any more."""
        self._last = max(self._last, serial)

    def add_course(self, serial: int, doc: Doc, *, group: int) -> None:
        """Keep a new course; raises sqlite3.IntegrityError if its sku is taken."""
        self._insert_document(serial, doc, group, doc.get("sku"))

    def find_course_of(self, id_: str) -> Doc | None:
        """The course with that id, or that holds the child with that id."""
        identity = self.locate_id(id_)
        if identity is None or identity.level < Level.COURSE:
            return None
        return self.get_by_serial(identity.serial)

    def find_part(self, id_: str, level: Level) -> CoursePart | None:
        """The section, lesson, topic or criterion with that id, and its place."""
        serial = self._find_serial(id_, level)
        course = None if serial is None else self.get_by_serial(serial)
        return find_child(course, level, id_) if course else None

    def list_sessions(self, id_: str, *, deleted: bool = False) -> list[Doc]:
        """The sessions of the course group with that id, oldest first; none where it has another
        level."""
        select = "SELECT serial FROM courses WHERE group_serial = ? ORDER BY serial"
        rows = self._run_statement(select, self._find_serial(id_, Level.GROUP)).fetchall()
        return [doc for (serial,) in rows if (doc := self.get_by_serial(serial, deleted=deleted))]

    @staticmethod
    def is_deleted(doc: Doc) -> bool:
        return bool(doc["status"] == "deleted")

    def _settle_document(self, doc: Doc) -> Doc:
        """A pending session is published once its date is reached (spec 3)."""
        due = doc.get("futurePublishDate")
        if doc["status"] == "pending" and due and due <= self._clock.format_now():
            doc["status"] = "published"
        return doc


TAKEN = sqlite3.IntegrityError
"""Raised where a unique value (sku, slug) is taken."""


def list_families(course: Doc, level: Level) -> Iterator[tuple[Doc, list[Doc]]]:
    """Every list of sections, lessons, topics or criteria in a course, with its parent."""
    if level in (Level.SECTION, Level.CRITERION):
        yield course, course["sections" if level is Level.SECTION else "criteria"]
        return
    for section in course["sections"]:
        if level is Level.LESSON:
            yield section, section["lessons"]
            continue
        for lesson in section["lessons"]:
            yield lesson, lesson["topics"]


def list_children(course: Doc, level: Level) -> Iterator[tuple[Doc, Doc]]:
    """Every section, lesson, topic or criterion of a course with its parent, in order."""
    return ((parent, doc) for parent, docs in list_families(course, level) for doc in docs)


def find_child(course: Doc, level: Level, id_: str) -> CoursePart | None:
    """The child of a course with that id."""
    wanted = id_.lower()
    for parent, docs in list_families(course, level):
        for doc in docs:
            if doc["id"] == wanted:
                return CoursePart(course, parent, docs, doc)
    return None
