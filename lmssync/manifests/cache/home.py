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

from ... import system

FILE = "cache.db"
_OURS = "lmssync"
_UNUSED = 30 * 24 * 3600
"""Seconds after which the cache of a catalog that is no longer used is deleted."""


def place(root: Path) -> Path | None:
    """Where the cache of the catalog is, if there is one; None if there may be none."""
    home = _home()
    if home is None:
        return None
    real = Path(os.path.realpath(root))
    if Path(os.path.realpath(home)).is_relative_to(_checkout(real)):
        return None
    return home / _OURS / hashlib.sha256(os.fsencode(real)).hexdigest()[:32] / FILE


def _home() -> Path | None:
    """The user's cache folder, by the environment alone."""
    home = ("HOME", ".cache") if system.HAS_OWNERS else ("LOCALAPPDATA", "")  # that of Windows
    for name, below in (("XDG_CACHE_HOME", ""), home):
        folder = Path(os.environ.get(name, ""))
        if folder.is_absolute():
            return folder / below
    return None


def _checkout(root: Path) -> Path:
    """The repository that a catalog is checked out with: others may have written all of it.

    A `.git` that is a file belongs to a submodule or a further worktree: what holds it counts.
    """
    repository = root
    for folder in (root, *root.parents):
        if (folder / ".git").exists():
            repository = folder
        if (folder / ".git").is_dir():
            break
    return repository


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


def make(file: Path) -> None:
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
        _tidy(file.parent.parent)
    os.close(os.open(file, os.O_RDWR | os.O_CREAT | system.PLAIN, 0o600))
    os.utime(file)


def _tidy(ours: Path) -> None:
    """Deletes caches that have not been used for a long time: their catalogs may be gone."""
    for folder in ours.iterdir():
        try:
            unused = time.time() - (folder / FILE).stat().st_mtime > _UNUSED
        except OSError:
            continue
        if unused:
            shutil.rmtree(folder, ignore_errors=True)
