"""Keeps what a plan is to send out of the memory: a hundred thousand bodies have no room there."""

import weakref
from dataclasses import dataclass
from os import SEEK_END
from tempfile import SpooledTemporaryFile

from ..kind import CallPart, Kept

_AT_HAND = 1024 * 1024
"""Bytes that stay in memory; a file is made for more."""


class Spill:
    """A temporary file without a name. It is gone once nothing needs it, and with the process."""

    def __init__(self) -> None:
        self._file = SpooledTemporaryFile(max_size=_AT_HAND)  # noqa: SIM115 - it outlives this
        weakref.finalize(self, self._file.close)

    def part(self, part: CallPart) -> CallPart:
        """The part, whose body and form are fetched when they are asked for."""
        return part._replace(
            kept_body=self._keep(part.packed_body), kept_after=self._keep(part.packed_after)
        )

    def _keep(self, packed: bytes) -> Kept:
        """How to get it; itself where the disk is full, since memory may still take it."""
        if not packed:
            return packed
        try:
            start = self._file.seek(0, SEEK_END)
            self._file.write(packed)
        except OSError:
            return packed
        return _Spilled(self, start, len(packed))

    def read(self, start: int, length: int) -> bytes:
        self._file.seek(start)
        return self._file.read(length)


@dataclass(frozen=True, slots=True)
class _Spilled:
    """Gets something out of the file: one for each body, so it is small."""

    spill: Spill
    start: int
    length: int

    def __call__(self) -> bytes:
        return self.spill.read(self.start, self.length)
