"""Puts a new text in the place of a file: all of it, or nothing."""

import os
import tempfile
from pathlib import Path


def put(file: Path, before: bytes, after: bytes) -> None:
    """Replaces a file that holds `before`; raises `OSError`, and then nothing has happened.

    The new text is written beside the file, with its mode and owner, and then takes its place. Of
    a link, the file that it leads to is replaced. What somebody else wrote meanwhile is kept.
    """
    place = Path(os.path.realpath(file))
    if not os.access(place, os.W_OK):
        raise PermissionError(None, "it is write-protected")
    descriptor, name = tempfile.mkstemp(".tmp", f".{place.name[:99]}.", place.parent)
    try:
        _write(descriptor, after, place.stat())
        if place.read_bytes() not in {before, after}:
            raise OSError(None, "it was changed meanwhile")
        Path(name).replace(place)
    finally:
        Path(name).unlink(missing_ok=True)


def _write(descriptor: int, data: bytes, like: os.stat_result) -> None:
    """Fills a new file that is to be `like` another, and waits until it is on the disk."""
    with os.fdopen(descriptor, "wb") as out:
        if os.geteuid() == 0:  # only root can give files away, and must not take them
            os.fchown(descriptor, like.st_uid, like.st_gid)
        os.fchmod(descriptor, like.st_mode & 0o7777)
        out.write(data)
        out.flush()
        os.fsync(descriptor)
