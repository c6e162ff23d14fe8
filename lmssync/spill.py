"""Keeps out of the memory what is needed later: a hundred thousand bodies have no room there."""

import weakref
from collections.abc import Callable
from dataclasses import dataclass
from os import SEEK_END
from tempfile import SpooledTemporaryFile

_AT_HAND = 1024 * 1024
"""Bytes that stay in memory; a file is made for more."""


class Spill:
    """A temporary file without a name. It is gone once nothing needs it, and with the process."""

    def __init__(self) -> None:
        self._file = SpooledTemporaryFile(max_size=_AT_HAND)  # noqa: SIM115 - it outlives this
        weakref.finalize(self, self._file.close)

    def keep(self, data: bytes) -> bytes | Callable[[], bytes]:
        """How to get it; itself where the disk is full, since memory may still take it."""
        if not data:
            return data
        try:
            start = self._file.seek(0, SEEK_END)
            self._file.write(data)
        except OSError:
            return data
        return _Spilled(self, start, len(data))

    def read(self, start: int, length: int) -> bytes:
        self._file.seek(start)
        return self._file.read(length)


@dataclass(frozen=True, slots=True)
class _Spilled:
    """Gets something out of the file: one for each piece, so it is small."""

    spill: Spill
    start: int
    length: int

    def __call__(self) -> bytes:
        return self.spill.read(self.start, self.length)
