"""The log as objects of a store: one for each segment, which is made once and never changed.

`PREFIX/segments/000000000001` and so on, and `PREFIX/snapshot`, whose first line is its number.
"""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import obstore
from obstore.exceptions import AlreadyExistsError, PreconditionError
from obstore.store import ObjectStore

from ..errors import StateError
from .home import Snapshot
from .object_errors import in_words

if TYPE_CHECKING:
    from obstore import ObjectMeta, UpdateVersion

_DIGITS = 12
_AT_ONCE = 8
"""Segments that are fetched side by side: a store answers slowly, but many at a time."""


class Objects:
    """A home in an object store that creates an object only where there is none."""

    def __init__(self, store: ObjectStore, prefix: str, place: str) -> None:
        self.place = place
        self._store = store
        self._prefix = f"{prefix}/" if prefix else ""
        self._segments = f"{self._prefix}segments/"
        self._last = 0
        """The largest number that is known to be there."""
        self._is_sure = False

    def read(self, after: int = 0) -> Iterator[bytes]:
        numbers = self._numbers(after)
        with ThreadPoolExecutor(_AT_ONCE) as pool:
            for start in range(0, len(numbers), _AT_ONCE):
                yield from pool.map(self._segment, numbers[start : start + _AT_ONCE])

    def append(self, number: int, segment: bytes) -> bool:
        with in_words(self.place):
            self._make_sure()
            self._check_before(number)
            try:
                self._create(self._name(number), segment)
            except AlreadyExistsError:
                # The store may have kept it at a first try of which no answer came.
                return self._get(self._name(number)) == segment
        self._last = max(self._last, number)
        return True

    def snapshot(self) -> Snapshot | None:
        with in_words(self.place):
            try:
                number, _, content = self._get(self._prefix + "snapshot").partition(b"\n")
            except FileNotFoundError:
                return None
        return Snapshot(int(number), content)

    def keep_snapshot(self, snapshot: Snapshot) -> None:
        content = b"%d\n%b" % snapshot
        with in_words(self.place):
            while not self._replaced(snapshot.number, content):
                pass  # another run has kept one just now: which of them is the later one?

    def close(self) -> None:
        """Connections go with the store."""

    def _replaced(self, number: int, content: bytes) -> bool:
        """False if the snapshot that was there changed in between."""
        name = self._prefix + "snapshot"
        try:
            got = obstore.get(self._store, name, options={"range": (0, _DIGITS + 2)})
        except FileNotFoundError:
            return self._created(name, content)
        if int(got.bytes().to_bytes().partition(b"\n")[0]) >= number:
            return True
        try:
            obstore.put(self._store, name, content, mode=_seen(got.meta), use_multipart=False)
        except PreconditionError:
            return False
        return True

    def _numbers(self, after: int) -> range:
        """Of the segments that follow; raises `StateError` where one of them is missing."""
        with in_words(self.place):
            pages = obstore.list(self._store, self._segments, offset=self._name(after))
            names = [entry["path"].rpartition("/")[2] for page in pages for entry in page]
        last = after + len(names)
        wanted = {f"{number:0{_DIGITS}}" for number in range(after + 1, last + 1)}
        if missing := wanted.difference(names):
            raise StateError(
                f"segment {int(min(missing))} of the state at {self.place} is missing",
                "somebody deleted it: restore it from the bucket's versions or from a backup",
            )
        self._last = max(self._last, last)
        return range(after + 1, last + 1)

    def _check_before(self, number: int) -> None:
        if 0 < number <= self._last + 1:
            return
        try:
            obstore.head(self._store, self._name(number - 1))
        except FileNotFoundError:
            raise StateError(
                f"segment {number} cannot be kept at {self.place}: the one before it is missing",
                "nothing was written; `lmssync state verify` says how far the log goes",
            ) from None

    def _make_sure(self) -> None:
        """Raises `StateError` if the store writes over objects that it should only create."""
        if self._is_sure:
            return
        probe = self._prefix + "probe"
        if self._created(probe, b"") and self._created(probe, b""):
            raise StateError(
                f"{self.place} ignores conditional writes (If-None-Match), so two runs could"
                " overwrite each other's state",
                "use a store that honours them, or PostgreSQL or git for the state",
            )
        self._is_sure = True

    def _segment(self, number: int) -> bytes:
        with in_words(self.place):
            return self._get(self._name(number))

    def _name(self, number: int) -> str:
        return f"{self._segments}{number:0{_DIGITS}}"

    def _get(self, name: str) -> bytes:
        return obstore.get(self._store, name).bytes().to_bytes()

    def _create(self, name: str, content: bytes) -> None:
        obstore.put(self._store, name, content, mode="create", use_multipart=False)

    def _created(self, name: str, content: bytes) -> bool:
        try:
            self._create(name, content)
        except AlreadyExistsError:
            return False
        return True


def _seen(meta: "ObjectMeta") -> "UpdateVersion":
    """That version and no other; a cloud names it by one of the two, or by both."""
    version: UpdateVersion = {}
    if meta["e_tag"] is not None:
        version["e_tag"] = meta["e_tag"]
    if meta["version"] is not None:
        version["version"] = meta["version"]
    return version
