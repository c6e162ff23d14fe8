"""What an exported state looks like: the fields of its JSON document."""

from typing import Any, Literal

import orjson
from pydantic import BaseModel, ConfigDict

from ..resource import Form, fingerprint_of

FORMAT: Literal["lmssync.state-export/1"] = "lmssync.state-export/1"


class _Item(BaseModel):
    """Something in the document; nothing of it is guessed or converted."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, defer_build=True)


class Recorded(_Item):
    """A record."""

    address: str
    forgotten: bool
    ids: dict[str, str]
    parts: dict[str, str]
    fingerprint: str
    appliedAt: str
    plan: str
    commit: str
    form: Form


class ExportedStep(_Item):
    """An open step for a person."""

    address: str
    field: str
    text: str
    since: str
    lasting: bool


class ExportedPart(_Item):
    """A part of a call of which it is not known, or not recorded, what came of it."""

    address: str
    form: Form | None
    mark: str | None
    adds: bool
    repeatable: bool
    last: bool


class Call(_Item):
    """A call that is not settled."""

    op: str
    route: str
    params: dict[str, Any]
    parts: list[ExportedPart]
    body: str
    plan: str
    commit: str
    attempt: int
    status: str
    answer: Any
    since: str


class Move(_Item):
    """A move of a record to another address."""

    old: str
    new: str
    time: str


class Proven(_Item):
    """What reads have last shown of a record."""

    address: str
    fingerprint: str
    readings: list[str]
    provedAt: str
    marks: dict[str, str]
    counts: dict[str, int]


class ExportedRow(_Item):
    """A row of a list that was sent, by keyed hashes."""

    key: str
    hashedWith: str
    operation: str
    list: str
    occasion: str
    deed: str
    mark: str
    state: str
    at: int
    answered: bool


class Export(_Item):
    """The document; each list is sorted, so that the same state is always the same text."""

    format: Literal["lmssync.state-export/1"]
    lineage: str
    serial: int
    environment: str | None
    instance: str | None
    peopleKey: str | None
    """A digest of the key that the codes of people were made with, if there are any."""
    resources: list[Recorded]
    manual: list[ExportedStep]
    calls: list[Call]
    protected: list[str]
    moved: list[Move]
    proofs: list[Proven]
    rows: list[ExportedRow] = []
    """Of lists that operations have sent."""
    digest: str = ""
    """Of all the rest."""

    def with_digest(self) -> "Export":
        """The same with the digest of what is in it now."""
        text = orjson.dumps(self.to_plain("digest"), option=orjson.OPT_SORT_KEYS)
        return self.model_copy(update={"digest": fingerprint_of(text)})

    def to_bytes(self) -> bytes:
        return orjson.dumps(self.to_plain(), option=_SPELLING)

    def to_plain(self, *without: str) -> dict[str, Any]:
        """As it is written: `rows` only if there are some, so that a state which an earlier lmssync
        has exported has the same text, and the digest fits."""
        return self.model_dump(exclude={*without, *(() if self.rows else ("rows",))})


_SPELLING = orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE
