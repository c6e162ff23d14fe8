"""Keeps out of the memory what is needed later: a hundred thousand bodies have no room there."""

import errno
import weakref
from collections.abc import Callable
from dataclasses import dataclass
from os import SEEK_END
from typing import IO, Any

import orjson

_SPAN = 29
"""Bits of a place that say how long a piece is: no form and no call needs more."""
_AT_HAND = 1024 * 1024
"""Bytes that stay in memory; a file is made for more."""


@dataclass(frozen=True, slots=True)
class SpilledBytes:
    """Gets something out of the file: one for each piece, so it is small."""

    spill: "DiskBuffer"
    place: int
    """Start and length in one number, since each number is an object of its own."""

    def __len__(self) -> int:
        return self.place & (1 << _SPAN) - 1

    def __call__(self) -> bytes:
        return self.spill.read(self.place >> _SPAN, len(self))


KeptBytes = bytes | SpilledBytes
"""Bytes, or how to get them from the disk."""


def read_kept_bytes(kept: bytes | Callable[[], bytes]) -> bytes:
    """The bytes that `DiskBuffer.keep_bytes` was given."""
    return kept if isinstance(kept, bytes) else kept()


def load_kept_json(kept: bytes | Callable[[], bytes]) -> Any:
    """The value that `DiskBuffer.keep_json` was given, or the one that JSON spells."""
    return orjson.loads(read_kept_bytes(kept))


class DiskBuffer:
    """A temporary file without a name. It is gone once nothing needs it, and with the process."""

    def __init__(self) -> None:
        self._bytes = 0
        self._opened: IO[bytes] | None = None
        self._is_refused = False

    def keep_json(self, value: Any) -> KeptBytes:
        return self.keep_bytes(orjson.dumps(value))

    def keep_place(self, value: Any) -> bytes | int:
        """How `load_place` gets a value: of one in the file, a number and nothing else."""
        kept = self.keep_json(value)
        return kept if isinstance(kept, bytes) else kept.place

    def load_place(self, kept: bytes | int) -> Any:
        """The value that `keep_place` was given."""
        return load_kept_json(kept if isinstance(kept, bytes) else SpilledBytes(self, kept))

    def keep_bytes(self, data: bytes) -> KeptBytes:
        """How to get it; itself while there is little, and once the disk has refused something:
        memory may still take it."""
        self._bytes += len(data)
        if self._bytes <= _AT_HAND or not data or self._is_refused or len(data) >> _SPAN:
            return bytes(memoryview(data))  # a copy: what orjson has made takes 8 KB and more
        try:
            return self._write_bytes(data)
        except OSError:
            self._is_refused = True
            return data

    def _write_bytes(self, data: bytes) -> SpilledBytes:
        """Raises `OSError` if the disk does not take all of it."""
        # Reads move the position as well, so it is set before each write.
        start = self._open_file.seek(0, SEEK_END)
        if self._open_file.write(data) != len(data):
            raise OSError(errno.ENOSPC, "the disk took only a part")
        return SpilledBytes(self, start << _SPAN | len(data))

    @property
    def _open_file(self) -> IO[bytes]:
        """Without a buffer: what a full disk refuses would be noticed too late."""
        if self._opened is None:  # most runs keep little, and never need a file
            from tempfile import TemporaryFile  # what only looks keeps little

            self._opened = TemporaryFile(buffering=0)  # noqa: SIM115 - it outlives this
            weakref.finalize(self, self._opened.close)
        return self._opened

    def read(self, start: int, length: int) -> bytes:
        self._open_file.seek(start)
        return self._open_file.read(length)
