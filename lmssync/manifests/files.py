"""Files that manifests name: bodies of prose, tables of users. Remembers what was looked at."""

import hashlib
import os
import time
from pathlib import Path
from typing import NamedTuple

from ..problems import near
from .stock.walk import stamp_of

SIZE_LIMIT = 8 * 1024 * 1024


class NoFile(Exception):
    """Code, message and hint of what is wrong with a file that a manifest names."""

    def __init__(self, code: str, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.code, self.message, self.hint = code, message, hint


class Sight(NamedTuple):
    """A file as it was when it was read; both empty if it could not be."""

    stamp: str = ""
    digest: str = ""


class Files:
    """Reads files inside a catalog."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._real_root = root.resolve()
        self.seen: dict[str, Sight] = {}
        """By path from the root. What was made of a manifest holds as long as these do."""

    def text(self, manifest: str, name: str) -> str:
        """The text of the file that a manifest calls `name`; raises `NoFile`."""
        try:
            return self.read(manifest, name).decode("utf-8").removeprefix("\ufeff")
        except UnicodeDecodeError:
            raise NoFile("not-utf-8", f"`{name}` is not UTF-8", "save the file as UTF-8") from None

    def read(self, manifest: str, name: str) -> bytes:
        """Its bytes; raises `NoFile`."""
        path = self._inside(manifest, name)
        now = time.time_ns()
        try:
            if path.is_fifo():  # it would be waited for without end
                raise NoFile("file-missing", f"`{name}` is a pipe", "name a file of text")
            found = stamp_of(path)
            data = path.read_bytes() if found.size <= SIZE_LIMIT else b""
        except (FileNotFoundError, NotADirectoryError):
            raise NoFile("file-missing", f"there is no file `{name}`", _beside(path)) from None
        except OSError as error:
            raise NoFile("file-missing", f"`{name}` cannot be read: {error.strerror}") from None
        if found.size > SIZE_LIMIT:
            text = f"`{name}` has {found.size:,} bytes; {SIZE_LIMIT:,} are allowed"
            raise NoFile("file-size", text, "split it")
        sight = Sight(found.settled(now), hashlib.sha256(data).hexdigest())
        self._note(manifest, name, path, sight)
        return data

    def _inside(self, manifest: str, name: str) -> Path:
        """The file, if it lies in the catalog; a link that leads out of it does not count."""
        try:
            real = (self._root / manifest).parent.joinpath(name).resolve()
        except (OSError, ValueError, RuntimeError):
            text = f"`{name}` is not a path of a file"
            raise NoFile("file-missing", text, "name a file beside the manifest") from None
        self._note(manifest, name, real, Sight())
        if not real.is_relative_to(self._real_root):
            text = f"`{name}` lies outside the catalog"
            raise NoFile("file-outside", text, "move it into the catalog")
        return real

    def _note(self, manifest: str, name: str, real: Path, sight: Sight) -> None:
        """Remembers the file under the name that was given and, behind links, its own."""
        given = os.path.normpath(os.path.join(os.path.dirname(manifest), name))  # noqa: PTH118, PTH120 - no pathlib folds `..`
        self.seen[given] = sight
        if real.is_relative_to(self._real_root):
            self.seen[str(real.relative_to(self._real_root))] = sight


def _beside(path: Path) -> str:
    """A guess at the file that was meant, from those in the same folder."""
    folder = path.parent
    if not folder.is_dir():
        return f"there is no folder `{folder.name}` either"
    return near(path.name, [other.name for other in folder.iterdir()]) or "check the path"
