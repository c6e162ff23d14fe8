"""The user's own cache folder, which no repository can fill, and the folder of each catalog in it.

Files that come with a repository must not pass for what this user has made: a folder that a
stranger could have filled is not used, nor is one that belongs to somebody else. Without a folder
of the user's own, a run remembers nothing.
"""

import hashlib
import os
import shutil
import stat
import time
from contextlib import suppress
from pathlib import Path

from . import operating_system
from .operating_system import HAS_OWNERS

_OURS = "lmssync"
FILE, FORMATTED = "cache.db", "in-order"
"""The files in the folder of a catalog: the cache, and which files `fmt` has found in order."""
_PROGRAM = "program"
_UNUSED = 30 * 24 * 3600
"""Seconds after which the cache of a catalog that is no longer used is deleted."""


def cache_folder(root: Path) -> Path | None:
    """Where this user's caches of lmssync lie; None if there is no such place.

    A folder in the repository that `root` is checked out with is none: others may have written
    all of it.
    """
    return _cache_folder_outside(os.path.realpath(root))


def _cache_folder_outside(real_root: str) -> Path | None:
    home = _cache_home()
    checkout = _find_checkout(Path(real_root))
    if home is None or Path(os.path.realpath(home)).is_relative_to(checkout):
        return None
    return home / _OURS


def _cache_home() -> Path | None:
    """The user's cache folder, by the environment alone."""
    home = ("HOME", ".cache") if HAS_OWNERS else ("LOCALAPPDATA", "")  # that of Windows
    for name, below in (("XDG_CACHE_HOME", ""), home):
        folder = Path(os.environ.get(name, ""))
        if folder.is_absolute():
            return folder / below
    return None


def _find_checkout(root: Path) -> Path:
    """The repository that a catalog is checked out with.

    A `.git` that is a file belongs to a submodule or a further worktree: what holds it counts.
    """
    repository = root
    for folder in (root, *root.parents):
        git = folder / ".git"
        if git.exists():
            repository = folder
            if git.is_dir():
                break
    return repository


def find_program_file(name: str) -> Path | None:
    """Where something is kept that depends on the program alone; None if it may be nowhere."""
    try:
        ours = cache_folder(Path.cwd())
    except OSError:  # the folder where we are has been deleted
        return None
    return ours and ours / _PROGRAM / name


def find_cache_file(root: Path) -> Path | None:
    """Where the cache of the catalog is, if there is one; None if there may be none."""
    real = os.path.realpath(root)
    ours = _cache_folder_outside(real)
    return ours and ours / hashlib.sha256(os.fsencode(real)).hexdigest()[:32] / FILE


def is_ours(file: Path) -> bool:
    """True for a file of this user, in folders of this user, that nobody else may write to."""
    try:
        status = file.lstat()
        folders = [file.parent.lstat(), file.parent.parent.lstat()]
    except OSError:
        return False
    kinds = stat.S_ISREG(status.st_mode) and all(stat.S_ISDIR(one.st_mode) for one in folders)
    every = (status, *folders)
    ours = all(
        operating_system.is_ours(one) and not operating_system.others_may_write(one)
        for one in every
    )
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
    os.close(os.open(file, os.O_RDWR | os.O_CREAT | operating_system.PLAIN, 0o600))
    os.utime(file)


def _delete_unused(ours: Path) -> None:
    """Deletes caches that have not been used for a long time: their catalogs may be gone."""
    for folder in ours.iterdir():
        with suppress(OSError):
            files = [*folder.iterdir()]
            if files and time.time() - max(file.stat().st_mtime for file in files) > _UNUSED:
                shutil.rmtree(folder, ignore_errors=True)
