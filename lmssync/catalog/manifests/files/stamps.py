"""What the file system says about a file: while that stays the same, the file is the same.

It is kept as one text, `SIZE.MODIFIED.CHANGED.NODE`, with times in nanoseconds: of a hundred
thousand files, numbers would take more than twice the memory. The node tells apart two files that
were made in one instant, since a link may lead to either; it is nought on Windows, where a listing
does not say it.
"""

import os
from collections.abc import Iterable
from pathlib import Path

from ....support.system import HAS_OWNERS

TICK = 1_000_000_000
"""Nanoseconds in which a file can change twice and look the same, on the coarsest file system."""
GONE = "-1.-1.-1.0"
"""The stamp of a file that is not there, or of a link that leads nowhere."""


def stamp_of(entry: "os.DirEntry[str] | Path") -> str:
    """The stamp of a file; `GONE` if there is none."""
    try:
        status = entry.stat()
    except OSError:
        return GONE
    node = status.st_ino if HAS_OWNERS else 0
    return f"{status.st_size}.{status.st_mtime_ns}.{status.st_ctime_ns}.{node}"


def stamped_size(stamp: str) -> int:
    """Bytes; negative for `GONE`."""
    return int(stamp.partition(".")[0])


def newest_stamp(stamps: Iterable[str]) -> int:
    """When the last of these files was changed, in nanoseconds."""
    return max((int(time) for stamp in stamps for time in stamp.split(".")[1:3]), default=0)


def settle_stamp(stamp: str, now: int) -> str:
    """The stamp of a file that is read `now`, if that says all that can be said of it.

    Empty for a file so new that it may change once more and look the same.
    """
    return "" if stamp == GONE or newest_stamp([stamp]) > now - TICK else stamp
