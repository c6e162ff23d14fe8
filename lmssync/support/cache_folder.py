"""The user's own cache folder, which no repository can fill.

Files that come with a repository must not pass for what this user has made.
"""

import os
from pathlib import Path

from .operating_system import HAS_OWNERS

_OURS = "lmssync"


def cache_folder(root: Path) -> Path | None:
    """Where this user's caches of lmssync lie; None if there is no such place.

    A folder in the repository that `root` is checked out with is none: others may have written
    all of it.
    """
    home = _cache_home()
    checkout = _find_checkout(Path(os.path.realpath(root)))
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
        if (folder / ".git").exists():
            repository = folder
        if (folder / ".git").is_dir():
            break
    return repository
