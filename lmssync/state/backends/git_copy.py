"""A bare repository of our own, in which commits are made and into which the branch is fetched.

It lies in the user's cache folder between runs, so that a run fetches only what is new. A run takes
it away for itself, and puts it back when all went well. So no two runs share one, and what a killed
or failed run has left is never used again: the next run fetches everything anew.
"""

import hashlib
import secrets
import shutil
import tempfile
import time
from contextlib import suppress
from pathlib import Path

from ...errors import StateError
from ...support import operating_system
from ...support.cache_folder import cache_folder
from ...support.git_commands import replace_unprintable, run_git

_FOLDER = "git"
_UNUSED = 7 * 24 * 3600
"""Seconds after which a copy that nobody has used is deleted."""
_LOOSE_MOST = 27
"""Files in one of the 256 folders of loose objects. A copy with more is slower than a new one."""
_PACKS_MOST = 50


class BareCopy:
    """A repository that belongs to this run, until it is put back."""

    def __init__(self, root: Path, name: str) -> None:
        """`name` says whose copy it is: of one branch of one repository."""
        self._kept = _place(root, name)
        self.repository, self.is_new = Path(), True
        if not self._take_kept():
            self.begin_anew()

    def _take_kept(self) -> bool:
        if self._kept is None or not _is_ours(self._kept):
            return False
        taken = self._kept.with_name(f"{self._kept.name}.{secrets.token_hex(8)}")
        try:
            # A rename is atomic: of two runs that want the same copy, one gets it, and the other
            # makes its own.
            self._kept.rename(taken)
        except OSError:
            return False  # there is none, or another run was first
        self.repository, self.is_new = taken, False
        if _is_slow(taken):
            self.delete_copy()
        return not self.is_new

    def begin_anew(self, hashed: str = "sha1") -> None:
        """Begins with an empty repository, of this object format; raises `StateError`."""
        self.delete_copy()
        try:
            self.repository = self._make_folder()
        except OSError as error:
            text = f"no copy of the state can be made: {error.strerror}"
            raise StateError(text, "see whether the cache folder is full or read-only") from None
        words = ("init", "--quiet", "--bare", "--template=", f"--object-format={hashed}")
        ended = run_git(self.repository, *words)
        if ended.code:
            why = replace_unprintable(" ".join(ended.error.split()))
            raise StateError(f"git cannot make a repository: {why}", "install git 2.30 or later")

    def _make_folder(self) -> Path:
        if self._kept is None:
            return Path(tempfile.mkdtemp(prefix="lmssync-"))
        self._kept.parent.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._kept.parent.mkdir(mode=0o700, exist_ok=True)
        _tidy(self._kept.parent)
        return Path(tempfile.mkdtemp(prefix=f"{self._kept.name}.", dir=self._kept.parent))

    def delete_copy(self) -> None:
        """Deletes it."""
        if self.repository != Path():
            shutil.rmtree(self.repository, ignore_errors=True)
        self.repository, self.is_new = Path(), True

    def put_back(self) -> None:
        """Leaves it to the next run, unless another has left one meanwhile."""
        if self._kept and self.repository != Path() and not self._kept.exists():
            with suppress(OSError):
                self.repository.rename(self._kept)
                self.repository = Path()
        self.delete_copy()


def _place(root: Path, name: str) -> Path | None:
    folder = cache_folder(root)
    return folder and folder / _FOLDER / hashlib.sha256(name.encode()).hexdigest()[:32]


def _is_ours(kept: Path) -> bool:
    """Whether a kept copy was made by this user, in folders that nobody else may write to."""
    try:
        folders = [path.lstat() for path in (kept, kept.parent, kept.parent.parent)]
    except OSError:
        return False
    return all(
        operating_system.is_ours(one) and not operating_system.others_may_write(one)
        for one in folders
    )


def _is_slow(repository: Path) -> bool:
    """Git would tidy it up, which takes longer than a new copy of one commit."""
    # Git itself estimates the number of loose objects by this one folder: ids are spread evenly
    # over 256.
    loose = repository / "objects" / "17"
    packs = repository / "objects" / "pack"
    return _count(loose, "*") > _LOOSE_MOST or _count(packs, "*.pack") > _PACKS_MOST


def _count(folder: Path, pattern: str) -> int:
    return sum(1 for _ in folder.glob(pattern))


def _tidy(folder: Path) -> None:
    for copy in folder.iterdir():
        with suppress(OSError):
            if time.time() - copy.stat().st_mtime > _UNUSED:
                shutil.rmtree(copy, ignore_errors=True)
