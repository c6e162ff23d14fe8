"""Objects: everything that is kept besides courses, one JSON document each, by kind and id.

`Company` reads among them what the company has configured: tags, ribbons, content types, custom
fields. The id of a document holds its serial, scrambled. So the course of any topic is known
without an index row for each topic, a create of 36 topics writes two rows, and an id that was
never given out is recognised.
"""

import uuid
from collections.abc import Iterable, Iterator
from enum import IntEnum
from functools import cache, cached_property, lru_cache
from random import Random
from typing import Any, NamedTuple

import orjson

from ..sandbox_documents import Doc, seconds_of
from ..value_checks import InvalidValue, Unplaced, quote_value
from .durable_store import Recent, Store
from .object_kinds import KINDS, WORDS

_MASK = (1 << 64) - 1
_NUMBER_BITS, _SERIAL_BITS = 24, 36
_TEXT = 36
_NAMES = uuid.UUID("7d1c0000-0000-4000-8000-000000000000")


class Level(IntEnum):
    """What an id means."""

    OBJECT = 0
    GROUP = 1
    COURSE = 2
    SECTION = 3
    LESSON = 4
    TOPIC = 5
    CRITERION = 6

    @property
    def level_word(self) -> str:
        return LEVEL_WORDS[self]


_HIGHEST = max(Level)
LEVEL_WORDS = (
    "object", "course group", "course", "section", "lesson", "topic", "completion criterion",
)  # fmt: skip


class Identity(NamedTuple):
    """What an id says: the level, the serial of the document, the number inside it."""

    level: Level
    serial: int
    number: int = 0


class Ids:
    """Gives ids out and reads them back; the same seed gives the same ids."""

    def __init__(self, seed: int) -> None:
        random = Random(seed)  # noqa: S311 - ids need no secrecy, they need to repeat
        self.seed = seed
        self._key, self._check = random.getrandbits(64), random.getrandbits(64)
        # Odd factors have an inverse modulo 2**64: `read_id` undoes the first two multiplications.
        self._first, self._second, self._third = (random.getrandbits(64) | 1 for _ in range(3))
        self._first_back = pow(self._first, -1, 1 << 64)
        self._second_back = pow(self._second, -1, 1 << 64)

    def make_id(self, level: int, serial: int, number: int = 0) -> str:
        """The id of the thing; `serial` below 2**36, `number` below 2**24."""
        value = (((level << _SERIAL_BITS) | serial) << _NUMBER_BITS | number) ^ self._key
        value = value * self._first & _MASK
        value = (value ^ value >> 32) * self._second & _MASK
        value ^= value >> 32
        check = (value ^ self._check) * self._third & _MASK
        check ^= check >> 31
        text = "%016x%014x" % (value, check & 0xFFFFFFFFFFFFFF)  # noqa: UP031 - a create makes 40
        # A uuid of version 4 has fixed bits at two places; whatever is left over is the check,
        # which nobody else's ids pass.
        variant = "89ab"[check >> 62]
        return f"{text[:8]}-{text[8:12]}-4{text[12:15]}-{variant}{text[15:18]}-{text[18:]}"

    def read_id(self, text: str) -> Identity | None:
        """What `text` stands for, or None if these ids never gave it out."""
        if len(text) != _TEXT:
            return None
        try:
            value = int(text[:8] + text[9:13] + text[15:18] + text[20], 16)
        except ValueError:
            return None
        value ^= value >> 32
        value = value * self._second_back & _MASK
        value = (value ^ value >> 32) * self._first_back & _MASK ^ self._key
        number = value & ((1 << _NUMBER_BITS) - 1)
        serial = (value >> _NUMBER_BITS) & ((1 << _SERIAL_BITS) - 1)
        level = value >> (_NUMBER_BITS + _SERIAL_BITS)
        if level > _HIGHEST or self.make_id(level, serial, number) != text:
            return None
        return Identity(Level(level), serial, number)


@lru_cache(maxsize=4096)  # each reset asks for those of the whole seed
def stable_id(kind: str, name: str) -> str:
    """An id that a thing of that name has in every sandbox."""
    return str(uuid.uuid5(_NAMES, f"{kind}/{name}"))


_MOMENT_MOST = 2**62


class Objects:
    """Documents by kind and id; names are compared without regard to case."""

    def __init__(self, store: Store, ids: Ids, recent: Recent) -> None:
        self._connection = store.connection
        self._ids = ids
        self._recent = recent

    def add_object(self, kind: str, doc: Doc) -> Doc:
        """Keep a new document; one without `id` gets one. Returns it with its id first."""
        whole = {"id": None, **doc}  # the id comes first, and may be given
        whole["id"] = whole["id"] or self._new_id()
        self._connection.execute(
            "INSERT INTO objects (kind, id, owner, name, moment, doc) VALUES (?, ?, ?, ?, ?, ?)",
            (kind, whole["id"], *_index_values(kind, whole), orjson.dumps(whole)),
        )
        self._note_before(kind, whole["id"], None)
        return whole

    def _new_id(self) -> str:
        # SQLite keeps the last serial here; the next insert gets the one after it.
        (last,) = self._connection.execute(
            "SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'objects'"
        ).fetchone()
        return self._ids.make_id(Level.OBJECT, last + 1)

    def reserve_ids(self, serial: int) -> None:
        """Give out no id with a serial up to this one any more."""
        # SQLite takes the next serial from this table, which has no row before the first object.
        self._connection.execute("DELETE FROM sqlite_sequence WHERE name = 'objects'")
        self._connection.execute(
            "INSERT INTO sqlite_sequence VALUES"
            " ('objects', max(?, (SELECT coalesce(max(serial), 0) FROM objects)))",
            (serial,),
        )

    def save_object(self, kind: str, doc: Doc) -> None:
        """Keep the new state of a document that is there."""
        # The former version is read only where reads may lag: else it would cost a read for each
        # write.
        if self._recent.is_noting:
            self._note_before(kind, doc["id"], self._read_newest(kind, doc["id"]))
        self._connection.execute(
            "UPDATE objects SET owner = ?, name = ?, moment = ?, doc = ? WHERE kind = ? AND id = ?",
            (*_index_values(kind, doc), orjson.dumps(doc), kind, doc["id"]),
        )

    def keep_object(self, kind: str, doc: Doc) -> None:
        """Save a document that has an id, add one that has none."""
        if "id" in doc:
            self.save_object(kind, doc)
        else:
            self.add_object(kind, doc)

    def remove_object(self, kind: str, id_: str) -> None:
        self._connection.execute("DELETE FROM objects WHERE kind = ? AND id = ?", (kind, id_))

    def get_object(self, kind: str, id_: str) -> Doc | None:
        key = _as_kept(kind, id_)
        return self._recent.visible_version(kind, key, self._read_newest(kind, key))

    def has_object(self, kind: str, id_: str) -> bool:
        select = "SELECT 1 FROM objects WHERE kind = ? AND id = ?"
        row = self._connection.execute(select, (kind, _as_kept(kind, id_))).fetchone()
        return row is not None

    def find_by_name(self, kind: str, name: str) -> Doc | None:
        """The first document of that name."""
        docs = self._select_objects("kind = ? AND name = ?", kind, name.lower())
        return docs[0] if docs else None

    def list_objects(self, kind: str) -> list[Doc]:
        """Every document of a kind, oldest first."""
        return self._select_objects("kind = ?", kind)

    def list_owned(self, kind: str, owner: str) -> list[Doc]:
        """The documents of a kind that belong to `owner`, oldest first."""
        return self._select_objects("kind = ? AND owner = ?", kind, owner.lower())

    def list_earliest(self, kind: str, *, count: int = -1) -> list[Doc]:
        """The first documents by their moment, or all that have one, for work of the sandbox
        itself: never lagging."""
        rows = self._connection.execute(
            "SELECT doc FROM objects WHERE kind = ? AND moment IS NOT NULL"
            " ORDER BY moment, serial LIMIT ?",  # SQLite takes -1 for no limit
            (kind, count),
        )
        return [orjson.loads(doc) for (doc,) in rows]

    def list_newest_first(
        self, kind: str, owner: str, *, since: int | None = None, until: int | None = None
    ) -> Iterator[Doc]:
        """The documents of `owner` by falling moment; both bounds are milliseconds of the span.

        Read one by one: take what is needed and let the rest be.
        """
        first = -_MOMENT_MOST if since is None else since
        last = _MOMENT_MOST if until is None else until
        rows = self._connection.execute(
            "SELECT id, doc FROM objects WHERE kind = ? AND owner = ? AND moment >= ?"
            " AND moment <= ? ORDER BY moment DESC, serial DESC",
            (kind, owner.lower(), first, last),
        )
        for id_, doc in rows:
            seen = self._recent.visible_version(kind, id_, orjson.loads(doc))
            if seen is not None:
                yield seen

    def _select_objects(self, where: str, kind: str, *values: object) -> list[Doc]:
        rows = self._connection.execute(
            f"SELECT id, doc FROM objects WHERE {where} ORDER BY serial",  # noqa: S608 - ours
            (kind, *values),
        )
        seen = (self._recent.visible_version(kind, id_, orjson.loads(doc)) for id_, doc in rows)
        return [doc for doc in seen if doc is not None]

    def _read_newest(self, kind: str, id_: str) -> Doc | None:
        select = "SELECT doc FROM objects WHERE kind = ? AND id = ?"
        row = self._connection.execute(select, (kind, id_)).fetchone()
        return orjson.loads(row[0]) if row else None

    def _note_before(self, kind: str, id_: str, before: Doc | None) -> None:
        if kind != "jobs":  # a job is polled by the id just given out: it never lags
            self._recent.note_write(kind, id_, before)


def _as_kept(kind: str, id_: str) -> str:
    """An id as its document is kept under: of a uuid, the case does not matter."""
    return id_ if KINDS[kind].exact else id_.lower()


def _index_values(kind: str, doc: Doc) -> tuple[str | None, str | None, int | None]:
    columns = KINDS[kind]
    owner = doc.get(columns.owner) if columns.owner else None
    name = doc.get(columns.name) if columns.name else None
    moment = doc.get(columns.moment) if columns.moment else None
    return (
        owner.lower() if isinstance(owner, str) else None,
        name.lower() if isinstance(name, str) else None,
        round(seconds_of(moment) * 1000) if isinstance(moment, str) else None,
    )


class Company:
    """A look at the configuration, made for one request: what was read once stays."""

    def __init__(self, objects: Objects) -> None:
        self._objects = objects
        self._known: set[tuple[str, str]] = set()
        self._custom_fields = cache(self._list_custom_fields)

    def require_configured(self, kind: str, ids: Iterable[str]) -> None:
        """Raise InvalidValue unless every id is one of `kind`."""
        for id_ in ids:
            if (kind, id_) in self._known:
                continue
            if not self._objects.has_object(kind, id_):
                raise InvalidValue(f"{quote_value(id_)} is not a {WORDS[kind]} of this company")
            self._known.add((kind, id_))

    def require_ribbon(self, slug: str) -> None:
        """Raise InvalidValue with the platform's own words (O14)."""
        if slug not in self.ribbon_slugs:
            available = ", ".join(self.ribbon_slugs)
            raise Unplaced(f"Invalid ribbon slug `{slug}`. Available ribbons: {available}")

    def require_content_type(self, label: str) -> None:
        if label not in self.content_types:
            known = ", ".join(self.content_types)
            raise InvalidValue(f"{quote_value(label)} is not allowed; it must be one of {known}")

    def require_custom(self, values: Doc, *, level: str) -> None:
        """Raise InvalidValue unless every slug is defined for `level` and every value fits."""
        definitions = self._custom_fields(level)
        for slug, value in values.items():
            if slug not in definitions:
                raise InvalidValue(
                    f"{quote_value(slug)} is not a custom field; they are {', '.join(definitions)}"
                )
            if value is not None:
                _require_value(definitions[slug], value)

    @cached_property
    def ribbon_slugs(self) -> list[str]:
        return [doc["slug"] for doc in self._objects.list_objects("ribbons")]

    @cached_property
    def content_types(self) -> list[str]:
        return [doc["label"] for doc in self._objects.list_objects("contentTypes")]

    def _list_custom_fields(self, level: str) -> dict[str, Doc]:
        return {doc["slug"]: doc for doc in self._objects.list_owned("customFields", level)}


def _require_value(definition: Doc, value: Any) -> None:
    """`type` of a definition is text, one (of `options`) or several (of `options`)."""
    slug, options = definition["slug"], definition.get("options") or []
    values = value if isinstance(value, list) else [value]
    if isinstance(value, list) and definition["type"] != "several":
        raise InvalidValue(f"{slug} takes one value, not a list")
    if definition["type"] == "text":
        return
    for option in values:
        if option not in options:
            raise InvalidValue(
                f"{slug} is {quote_value(option)}; its options are {', '.join(options)}"
            )
