"""Finds where a catalog's cache lies: in the user's own cache folder, never in the catalog.

Files that come with a repository must not pass for what this user has read: a folder that a
stranger could have filled is not used, nor is one that belongs to somebody else. Without a folder
of the user's own, a run remembers nothing.
"""

import hashlib
import os
import shutil
import stat
import time
from pathlib import Path

from ....support import system
from ....support.cache_folder import cache_folder

FILE = "cache.db"
_UNUSED = 30 * 24 * 3600
"""Seconds after which the cache of a catalog that is no longer used is deleted."""


def find_cache_file(root: Path) -> Path | None:
    """Where the cache of the catalog is, if there is one; None if there may be none."""
    ours = cache_folder(root)
    real = os.fsencode(os.path.realpath(root))
    return ours and ours / hashlib.sha256(real).hexdigest()[:32] / FILE


def is_ours(file: Path) -> bool:
    """True for a file of this user, in folders of this user, that nobody else may write to."""
    try:
        status = file.lstat()
        folders = [file.parent.lstat(), file.parent.parent.lstat()]
    except OSError:
        return False
    kinds = stat.S_ISREG(status.st_mode) and all(stat.S_ISDIR(one.st_mode) for one in folders)
    every = (status, *folders)
    ours = all(system.is_ours(one) and not system.others_may_write(one) for one in every)
    return kinds and status.st_nlink == 1 and ours


def make_cache_file(file: Path) -> None:
    """Makes the file with its folders, for this user alone, or marks it as used.

    Raises `OSError`.
    """
    file.parent.parent.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    file.parent.parent.mkdir(mode=0o700, exist_ok=True)
    try:
        file.parent.mkdir(mode=0o700)
    except FileExistsError:
        pass
    else:
        _delete_unused(file.parent.parent)
    os.close(os.open(file, os.O_RDWR | os.O_CREAT | system.PLAIN, 0o600))
    os.utime(file)


def _delete_unused(ours: Path) -> None:
    """Deletes caches that have not been used for a long time: their catalogs may be gone."""
    for folder in ours.iterdir():
        try:
            unused = time.time() - (folder / FILE).stat().st_mtime > _UNUSED
        except OSError:
            continue
        if unused:
            shutil.rmtree(folder, ignore_errors=True)
