"""Walks a catalog once: which files exist, which of them are manifests, and their stamps."""

import hashlib
import marshal
import os
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple

from ...errors import WrongUse
from ...system import HAS_OWNERS
from .limits import FOLDERS

PROJECT = "lmssync.yaml"
OVERLAYS, POLICIES = "overlays", "policies"
RESERVED = (OVERLAYS, POLICIES, "schemas")
"""Folders at the top of a catalog whose YAML files are not manifests."""
TEMPLATE = ".j2"
ENDINGS = (".yaml", ".yml", ".yaml.j2", ".yml.j2")


TICK = 1_000_000_000
"""Nanoseconds in which a file can change twice and look the same, on the coarsest file system."""


class Stamp(NamedTuple):
    """What the file system says about a file: while it stays the same, the file is the same."""

    size: int
    modified: int
    """Nanoseconds, as is `changed`."""
    changed: int
    node: int = 0
    """Tells apart two files that were made in one instant: a link may lead to either. Nought on
    Windows, where a listing does not say it."""

    def __str__(self) -> str:
        return f"{self.size}.{self.modified}.{self.changed}.{self.node}"

    def settled(self, now: int) -> str:
        """The stamp of a file that is read `now`, if that says all that can be said of it.

        Empty for a file so new that it may change once more and look the same.
        """
        fresh = max(self.modified, self.changed) > now - TICK
        return "" if fresh or self.size < 0 else str(self)


def _holds_resources(name: str) -> bool:
    top = name.partition("/")[0]
    return name.endswith(ENDINGS) and top not in RESERVED and name != PROJECT


GONE = Stamp(-1, -1, -1)


@dataclass(frozen=True)
class Listing:
    """Every file of a catalog by its path from the root, with forward slashes; sorted."""

    files: dict[str, Stamp]
    linked: tuple[str, ...] = ()
    """Links to folders, which are not entered: such a folder may lie anywhere."""
    begun: int = field(default_factory=time.time_ns, compare=False)
    """When the files were looked at, in nanoseconds."""

    def manifests(self) -> list[str]:
        """Files that hold resources."""
        return [name for name in self.files if _holds_resources(name) and name.isprintable()]

    def unnameable(self) -> list[str]:
        """Files that would hold resources, but whose names no message and no table can hold."""
        return [name for name in self.files if not name.isprintable() and _holds_resources(name)]

    def below(self, folder: str) -> list[str]:
        """YAML files in a folder."""
        inside = f"{folder}/"
        return [n for n in self.files if n.startswith(inside) and n.endswith(ENDINGS)]

    @cached_property
    def digest(self) -> str:
        """Changes with anything that is in the catalog."""
        files = [(name, *stamp) for name, stamp in self.files.items()]
        # In version 2 the same values always have the same spelling; later ones count references.
        return hashlib.sha256(marshal.dumps((files, self.linked), 2)).hexdigest()

    @property
    def settled(self) -> bool:
        """False while a file is so new that it may change once more and look the same."""
        stamps = self.files.values()
        newest = max((max(stamp.modified, stamp.changed) for stamp in stamps), default=0)
        return newest <= self.begun - TICK


def walk(root: Path) -> Listing:
    """Everything below the root, without what is hidden; nothing where there is no such folder.

    Raises `WrongUse` for a folder that cannot be read: what is in it must not seem to be gone.
    """
    begun = time.time_ns()
    if not root.is_dir():
        return Listing({})
    linked: list[str] = []
    try:
        files = dict(sorted(_walk(str(root), linked), key=itemgetter(0)))
    except OSError as error:
        text = f"the folder {error.filename} cannot be read: {error.strerror}"
        hint = "everything in it would look as if it were no longer in the catalog"
        raise WrongUse(text, hint) from None
    return Listing(files, tuple(sorted(linked)), begun)


def _walk(root: str, linked: list[str]) -> Iterator[tuple[str, Stamp]]:
    """Every file below a folder; links to folders are put into `linked`."""
    waiting = [("", 0)]
    while waiting:
        prefix, depth = waiting.pop()
        if depth > FOLDERS:
            raise OSError(None, f"it is more than {FOLDERS} folders deep", prefix)
        with os.scandir(os.path.join(root, prefix)) as entries:  # noqa: PTH118 - a third of the time
            for entry in entries:
                name = prefix + entry.name
                if entry.name.startswith("."):
                    continue
                if entry.is_dir(follow_symlinks=False):
                    waiting.append((f"{name}/", depth + 1))
                elif entry.is_symlink() and entry.is_dir():
                    linked.append(name)
                else:
                    yield name, stamp_of(entry)


def stamp_of(entry: "os.DirEntry[str] | Path") -> Stamp:
    """The stamp of a file; `GONE` for one that is not there, or a link that leads nowhere."""
    try:
        status = entry.stat()
    except OSError:
        return GONE
    node = status.st_ino if HAS_OWNERS else 0
    return Stamp(status.st_size, status.st_mtime_ns, status.st_ctime_ns, node)
