"""Puts a new text in the place of a file: all of it, or nothing."""

import os
import posixpath
import secrets
from contextlib import suppress
from pathlib import Path

from ... import inside
from ..limits import MANIFEST_BYTES

_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC


def put(root: Path, name: str, before: bytes, after: bytes) -> None:
    """Replaces a file that holds `before`; raises `OSError`, and then nothing has happened.

    The new text is written beside the file, with its mode and owner, and then takes its place. Of
    a link within `root`, the file that it leads to is replaced. What somebody else wrote
    meanwhile is kept.
    """
    above, last = posixpath.split(inside.resolved(root, name))
    folder = inside.folder(root, above)
    beside = f".lmssync-{secrets.token_hex(8)}.tmp"
    try:
        if not os.access(last, os.W_OK, dir_fd=folder):
            raise PermissionError(None, "it is write-protected")
        like = os.stat(last, dir_fd=folder, follow_symlinks=False)
        _write(os.open(beside, _NEW, 0o600, dir_fd=folder), after, like)
        if inside.read(root, name, MANIFEST_BYTES) not in {before, after}:
            raise OSError(None, "it was changed meanwhile")
        os.replace(beside, last, src_dir_fd=folder, dst_dir_fd=folder)
    finally:
        with suppress(FileNotFoundError):
            os.unlink(beside, dir_fd=folder)
        os.close(folder)


def _write(descriptor: int, data: bytes, like: os.stat_result) -> None:
    """Fills a new file that is to be `like` another, and waits until it is on the disk."""
    with os.fdopen(descriptor, "wb") as out:
        if os.geteuid() == 0:  # only root can give files away, and must not take them
            os.fchown(descriptor, like.st_uid, like.st_gid)
        os.fchmod(descriptor, like.st_mode & 0o7777)
        out.write(data)
        out.flush()
        os.fsync(descriptor)
