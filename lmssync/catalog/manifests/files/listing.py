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

from ....errors import WrongUse
from .limits import FOLDERS
from .stamps import TICK, newest_stamp, stamp_of

PROJECT = "lmssync.yaml"
OVERLAYS, POLICIES = "overlays", "policies"
RESERVED = (OVERLAYS, POLICIES, "schemas")
"""Folders at the top of a catalog whose YAML files are not manifests."""
TEMPLATE = ".j2"
ENDINGS = (".yaml", ".yml", ".yaml.j2", ".yml.j2")


def _holds_resources(name: str) -> bool:
    top = name.partition("/")[0]
    return name.endswith(ENDINGS) and top not in RESERVED and name != PROJECT


@dataclass(frozen=True)
class Listing:
    """Every file of a catalog by its path from the root, with forward slashes; sorted."""

    files: dict[str, str]
    """The stamp of each."""
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

    def yaml_files_below(self, folder: str) -> list[str]:
        """YAML files in a folder."""
        inside = f"{folder}/"
        return [n for n in self.files if n.startswith(inside) and n.endswith(ENDINGS)]

    @cached_property
    def digest(self) -> str:
        """Changes with anything that is in the catalog."""
        # In version 2 the same values always have the same spelling; later ones count references.
        return hashlib.sha256(marshal.dumps(([*self.files.items()], self.linked), 2)).hexdigest()

    @property
    def settled(self) -> bool:
        """False while a file is so new that it may change once more and look the same."""
        return newest_stamp(self.files.values()) <= self.begun - TICK


def walk_catalog(root: Path) -> Listing:
    """Everything below the root, without what is hidden; nothing where there is no such folder.

    Raises `WrongUse` for a folder that cannot be read: what is in it must not seem to be gone.
    """
    begun = time.time_ns()
    if not root.is_dir():
        return Listing({})
    linked: list[str] = []
    try:
        files = dict(sorted(_walk_folder(str(root), linked), key=itemgetter(0)))
    except OSError as error:
        text = f"the folder {error.filename} cannot be read: {error.strerror}"
        hint = "everything in it would look as if it were no longer in the catalog"
        raise WrongUse(text, hint) from None
    return Listing(files, tuple(sorted(linked)), begun)


def _walk_folder(root: str, linked: list[str]) -> Iterator[tuple[str, str]]:
    """Every file below a folder with its stamp; links to folders are put into `linked`."""
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
