"""The log as objects of a store: one for each segment, which is made once and never changed.

`PREFIX/segments/000000000001` and so on, and `PREFIX/snapshot`, whose first line is its number.
"""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

from ..errors import StateError
from .bucket import Bucket
from .home import Snapshot

_DIGITS = 12
_SEGMENTS, _SNAPSHOT, _PROBE = "segments", "snapshot", "probe"
_AT_ONCE = 8
"""Segments that are fetched side by side: a store answers slowly, but many at a time."""


class Objects:
    """A home in a store that makes an object only where there is none."""

    def __init__(self, bucket: Bucket) -> None:
        self.place = bucket.place
        self._bucket = bucket
        self._last = 0
        """The largest number that is known to be there."""
        self._is_sure = False

    def read(self, after: int = 0) -> Iterator[bytes]:
        numbers = self._numbers(after)
        with ThreadPoolExecutor(_AT_ONCE) as pool:
            for start in range(0, len(numbers), _AT_ONCE):
                yield from pool.map(self._segment, numbers[start : start + _AT_ONCE])

    def append(self, number: int, segment: bytes, about: str = "") -> bool:  # noqa: ARG002
        self._make_sure()
        if not (0 < number <= self._last + 1 or self._bucket.has(_name(number - 1))):
            raise StateError(
                f"segment {number} cannot be kept at {self.place}: the one before it is missing",
                "nothing was written; `lmssync state verify` says how far the log goes",
            )
        # If it is there, it may be ours, from a first try of which no answer came.
        created = self._bucket.create(_name(number), segment)
        if kept := created or self._bucket.get(_name(number)) == segment:
            self._last = max(self._last, number)
        return kept

    def snapshot(self) -> Snapshot | None:
        content = self._bucket.get(_SNAPSHOT)
        if content is None:
            return None
        return Snapshot(self._number_of(content), content.partition(b"\n")[2])

    def keep_snapshot(self, snapshot: Snapshot) -> None:
        while not self._is_kept(snapshot):
            pass  # another run has kept one in between: which of the two is later?

    def close(self) -> None:
        """Connections go with the store."""

    def _is_kept(self, snapshot: Snapshot) -> bool:
        content = b"%d\n%b" % snapshot
        there = self._bucket.beginning(_SNAPSHOT, _DIGITS + 1)
        if there is None:
            return self._bucket.create(_SNAPSHOT, content)
        beginning, version = there
        is_later = self._number_of(beginning) >= snapshot.number
        return is_later or self._bucket.replace(_SNAPSHOT, content, version)

    def _numbers(self, after: int) -> range:
        """Of the segments that follow; raises `StateError` where one of them is missing."""
        names = set(filter(_is_number, self._bucket.names(_SEGMENTS, f"{after:0{_DIGITS}}")))
        numbers = range(after + 1, after + 1 + len(names))
        for number in numbers:
            if f"{number:0{_DIGITS}}" not in names:
                raise self._missing(number)
        self._last = max(self._last, after + len(names))
        return numbers

    def _segment(self, number: int) -> bytes:
        segment = self._bucket.get(_name(number))
        if segment is None:
            raise self._missing(number)
        return segment

    def _number_of(self, snapshot: bytes) -> int:
        number = snapshot.partition(b"\n")[0]
        if not number.isdigit() or len(number) > _DIGITS:
            raise StateError(
                f"the snapshot at {self.place} was not written by lmssync",
                "delete the object: the log itself holds everything",
            )
        return int(number)

    def _missing(self, number: int) -> StateError:
        return StateError(
            f"segment {number} of the state {self.place} is missing",
            "somebody deleted it: restore it from the versions of the bucket or from a backup",
        )

    def _make_sure(self) -> None:
        """Raises `StateError` if the store writes over objects that it should only make."""
        if self._is_sure:
            return
        if self._bucket.create(_PROBE, b"") and self._bucket.create(_PROBE, b""):
            raise StateError(
                f"the store of {self.place} ignores conditional writes (If-None-Match), so two"
                " runs could overwrite each other's state",
                "use a store that honours them, or PostgreSQL or git for the state",
            )
        self._is_sure = True


def _name(number: int) -> str:
    return f"{_SEGMENTS}/{number:0{_DIGITS}}"


def _is_number(name: str) -> bool:
    return len(name) == _DIGITS and name.isdecimal()
