"""The values that the state consists of: records, calls, steps, ids."""

from collections.abc import (
    Callable,
    Collection,
    ItemsView,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from enum import StrEnum
from functools import lru_cache
from typing import Any, NamedTuple

import orjson

from ..kind import CallPart, Ids, ManualStep
from ..resource import Address, Form, canonical_spelling, fingerprint_of, unpack_form
from ..support.disk_buffer import DiskBuffer, read_kept_bytes

PairKey = tuple[str, str]
"""A batch, and the mark of a resource in it."""


class UnpairedIds(NamedTuple):
    """The ids of something that was made together with others, as far as an answer tells: no read
    has shown yet which id of the batch it has, and which ids its parts have (O15, O16)."""

    address: Address
    batch: str
    """The call that has made it. Each of its resources expects one of the ids in the answer, so
    what a batch expects and what is paired of it are all of these ids."""
    expected: str
    """The id that it has if the answer is in the order of the request."""
    marker: str
    find: Callable[["UnpairedIds"], Ids]
    """Reads which ids it has."""

    @property
    def key(self) -> "PairKey":
        """The batch and the mark of the resource in it: its address may change meanwhile."""
        return self.batch, self.marker


Pairing = Callable[[Sequence[UnpairedIds]], None]
"""Reads which ids some resources have, and keeps them with `StateReader.keep_pairs`."""


class PackedIds(Mapping[str, str]):
    """Ids of parts by path, which are unpacked while they are looked at: the memory has no room for
    those of a hundred thousand courses."""

    __slots__ = ("_packed",)

    def __init__(self, packed: str) -> None:
        self._packed = packed

    def __getitem__(self, path: str) -> str:
        """The id of a part; raises `KeyError` if it has none."""
        return _unpack_ids(self._packed)[path]

    def __iter__(self) -> Iterator[str]:
        return iter(_unpack_ids(self._packed))

    def __len__(self) -> int:
        return len(_unpack_ids(self._packed))

    def items(self) -> ItemsView[str, str]:
        """Each path with its id; the view of the dict, since a loop in Python is slow."""
        return _unpack_ids(self._packed).items()


@lru_cache(maxsize=128)
def _unpack_ids(packed: str) -> dict[str, str]:
    unpacked: dict[str, str] = orjson.loads(packed)
    return unpacked


class PairedIds(Mapping[PairKey, Ids]):
    """Ids by batch and mark. Those of parts are on the disk: the memory has no room for the parts
    of a hundred thousand courses."""

    def __init__(self) -> None:
        self._spill = DiskBuffer()
        self._packed: dict[PairKey, bytes | int] = {}

    def add_pairs(self, pairs: Mapping[PairKey, Ids]) -> None:
        """Adds ids; what is known under the same batch and mark is replaced."""
        for key, ids in pairs.items():
            self._packed[key] = self._spill.keep_place((ids.own, dict(ids.parts)))

    def __getitem__(self, key: PairKey) -> Ids:
        """The ids; raises `KeyError` where no read has shown them."""
        own, parts = self._spill.load_place(self._packed[key])
        return Ids(own, parts)

    def __contains__(self, key: object) -> bool:
        """Whether there are such ids, which needs none of them."""
        return key in self._packed

    def __iter__(self) -> Iterator[PairKey]:
        return iter(self._packed)

    def __len__(self) -> int:
        return len(self._packed)


NO_IDS = Ids({})


class Record(NamedTuple):
    """A resource as lmssync last applied it, with its ids on the platform."""

    address: Address
    kept_ids: Ids | UnpairedIds
    fingerprint: str
    packed: bytes
    """The form as it was applied, packed."""
    applied_at: str = ""
    """By the platform's clock, as far as it was known: its reads tell when a part was changed."""
    plan: str = ""
    """Digest of the plan that did it."""
    commit: str = ""
    """The commit of the catalog, where it is in git."""
    leaves: Sequence[ManualStep] = ()
    """Steps for a person that its creation leaves: written with it, and not read with it."""

    @classmethod
    def from_form(
        cls, address: Address, ids: Ids | UnpairedIds, packed: bytes, **applied: Any
    ) -> "Record":
        """The record of a form; `applied` are the fields from `applied_at` on."""
        return cls(address, ids, fingerprint_of(canonical_spelling(packed)), packed, **applied)

    def with_form(self, packed: bytes, ids: Ids | None = None) -> "Record":
        """The record with another form, and with other ids if any are given."""
        print_ = fingerprint_of(canonical_spelling(packed))
        return self._replace(packed=packed, fingerprint=print_, kept_ids=ids or self.kept_ids)

    def without_content(self) -> "Record":
        """The record without its form and the ids of its parts, which of all would fill the
        memory."""
        ids = self.kept_ids
        return self._replace(packed=b"", kept_ids=Ids(ids.own) if isinstance(ids, Ids) else ids)

    @property
    def unpaired(self) -> UnpairedIds | None:
        """The unpaired ids, where no read has shown them yet."""
        return self.kept_ids if isinstance(self.kept_ids, UnpairedIds) else None

    @property
    def ids(self) -> Ids:
        """The ids; they are read from the platform where no read has shown them yet. Raises
        `LmssyncError` where that cannot be."""
        return one.find(one) if (one := self.unpaired) else self.known_ids

    @property
    def batch_ids(self) -> Collection[str]:
        """The ids of the resource itself; where no read has shown them yet, the one that it
        expects."""
        return [one.expected] if (one := self.unpaired) else self.known_ids.own.values()

    @property
    def known_ids(self) -> Ids:
        """The ids as far as they are recorded: none where no read has shown them yet."""
        return self.kept_ids if isinstance(self.kept_ids, Ids) else NO_IDS

    @property
    def form(self) -> Form:
        return unpack_form(self.packed)


class KeptForm(NamedTuple):
    """The form of a record, which is on the disk where there are many."""

    fingerprint: str
    packed: bytes | Callable[[], bytes]

    @property
    def form(self) -> Form:
        return unpack_form(read_kept_bytes(self.packed))


def keep_forms(records: Iterable[Record]) -> dict[Address, KeptForm]:
    """The forms of many records, which together would fill the memory."""
    spill = DiskBuffer()
    return {
        record.address: KeptForm(record.fingerprint, spill.keep_bytes(record.packed))
        for record in records
    }


class OpenStep(NamedTuple):
    """Something that only a person can do and has not confirmed yet."""

    address: Address
    manual: ManualStep
    since: str
    lasting: bool
    """Left by a creation, and true until a person confirms it. The others follow from comparing
    with the catalog, and are what the last apply has found."""


class CallStatus(StrEnum):
    """How far a call has come."""

    INTENT = "intent"
    """Written down before anything was sent. Found at start-up: its outcome is unknown."""
    UNKNOWN = "unknown"
    ACKNOWLEDGED = "acknowledged"
    """The platform has answered; what it made is not recorded yet."""
    JOB = "job"
    """Recorded; a background job of it still runs."""
    SETTLED = "settled"
    """Nothing is left to do or to find out."""

    @property
    def is_open(self) -> bool:
        return self is not CallStatus.SETTLED


class JournaledCall(NamedTuple):
    """One call to the platform, as the journal knows it."""

    op: str
    route: str
    params: dict[str, Any]
    parts: tuple[CallPart, ...]
    """The parts whose outcome is not known yet, or not recorded."""
    body_hash: str
    plan: str
    commit: str
    attempt: int = 1
    status: CallStatus = CallStatus.INTENT
    answer: Any = None
    """Of an acknowledged call: what came back, ids and jobs within."""
    started_at: str = ""


class JournalEntry(NamedTuple):
    """One line of the journal."""

    seq: int
    op: str
    fence: int
    type: str
    time: str
    data: dict[str, Any]
