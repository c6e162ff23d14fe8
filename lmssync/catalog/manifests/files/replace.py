"""Puts a new text in the place of a file: all of it, or nothing."""

import os
import posixpath
import secrets
from contextlib import suppress
from pathlib import Path

from ....support import inside
from ....support.folder import Folder
from ....support.system import make_like
from .limits import MANIFEST_BYTES


def replace_file(root: Path, name: str, before: bytes, after: bytes) -> None:
    """Replaces a file that holds `before`; raises `OSError`, and then nothing has happened.

    The new text is written beside the file, with its mode and owner, and then takes its place. Of
    a link within `root`, the file that it leads to is replaced. What somebody else wrote
    meanwhile is kept.
    """
    above, last = posixpath.split(inside.resolve_inside(root, name))
    beside = f".lmssync-{secrets.token_hex(8)}.tmp"
    with inside.open_inside(root, above) as folder:
        try:
            _write_beside(folder, beside, last, after)
            if inside.read_inside(root, name, MANIFEST_BYTES) not in {before, after}:
                raise OSError(None, "it was changed in the meantime")
            folder.replace(beside, last)
        finally:
            with suppress(FileNotFoundError):
                folder.unlink(beside)


def _write_beside(folder: Folder, beside: str, last: str, data: bytes) -> None:
    """Writes a new file beside another, which it is like, and waits until it is on the disk."""
    if not folder.is_writable(last):
        raise PermissionError(None, "it is write-protected")
    like = folder.stat(last)
    with os.fdopen(folder.create(beside, 0o600), "wb") as out:
        make_like(out.fileno(), like)
        out.write(data)
        out.flush()
        os.fsync(out.fileno())
