"""Files that manifests name: bodies of prose, tables of users. Remembers what was looked at."""

import hashlib
import os
import posixpath
import time
from pathlib import Path
from typing import NamedTuple

from .... import resource as source
from ....problems import Finding, Rule, suggest_near
from ....support import inside
from .limits import BODY_BYTES
from .stamps import settle_stamp, stamp_of

FILE_MISSING = Rule(
    "file-missing", "The file does not exist.", "Check the path; the hint may suggest one."
)
FILE_OUTSIDE = Rule(
    "file-outside",
    "The file is outside the catalog, or is a link to a file outside it or to a hidden file.",
    "Put the file itself into the catalog.",
)
FILE_SIZE = Rule("file-size", "The file is too large.", "Split the page.")
NOT_UTF_8 = Rule("not-utf-8", "The file is not UTF-8.", "Save it as UTF-8.")

_SLASHES = "write it with forward slashes (/), which work on every system"


class NoFile(Exception):
    """What is wrong with a file that a manifest names."""

    def __init__(self, rule: Rule, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.rule, self.message, self.hint = rule, message, hint

    def as_finding(self, path: source.Path) -> Finding:
        """The same of the value that names the file."""
        return self.rule.at(path, self.message, self.hint)


class Sight(NamedTuple):
    """A file as it was when it was read; both empty if it could not be."""

    stamp: str = ""
    digest: str = ""


class CatalogFiles:
    """Reads files inside a catalog."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self.seen: dict[str, Sight] = {}
        """By path from the root. What was made of a manifest holds as long as these do."""

    def read_attached_text(self, manifest: str, name: str) -> str:
        """The text of the file that a manifest calls `name`; raises `NoFile`.

        Its line ends are those of every system: git checks out others on Windows.
        """
        try:
            text = self.read_attached_bytes(manifest, name).decode("utf-8")
        except UnicodeDecodeError:
            raise NoFile(NOT_UTF_8, f"`{name}` is not UTF-8", "save the file as UTF-8") from None
        return text.removeprefix("\ufeff").replace("\r\n", "\n")

    def read_attached_bytes(self, manifest: str, name: str) -> bytes:
        """Its bytes; raises `NoFile`."""
        path = posixpath.join(posixpath.dirname(manifest), name)
        given = posixpath.normpath(path)
        self.seen[given] = Sight()
        real = self._resolve_path(name, path)
        self.seen[real] = Sight()
        now = time.time_ns()
        stamp = stamp_of(self._root / real)
        data = self._read_real_file(name, real)
        sight = Sight(settle_stamp(stamp, now), hashlib.sha256(data).hexdigest())
        self.seen[given] = self.seen[real] = sight  # behind a link it has two names
        return data

    def _resolve_path(self, name: str, path: str) -> str:
        """Its path in the catalog, behind links."""
        if os.sep in name.replace("/", ""):  # it would be found on this system alone
            raise NoFile(FILE_MISSING, f"there is no file `{name}`", _SLASHES)
        try:
            return inside.resolve_inside(self._root, path)
        except inside.Outside as error:
            text = f"`{name}` cannot be read: {error.strerror}"
            raise NoFile(FILE_OUTSIDE, text, "move it into the catalog") from None
        except OSError:
            text = f"`{name}` is not the path of a file"
            raise NoFile(FILE_MISSING, text, "name a file next to the manifest") from None

    def _read_real_file(self, name: str, real: str) -> bytes:
        try:
            return inside.read_inside(self._root, real, BODY_BYTES)
        except (FileNotFoundError, NotADirectoryError):
            hint = _SLASHES if "\\" in name else _guess_file(self._root / real)
            raise NoFile(FILE_MISSING, f"there is no file `{name}`", hint) from None
        except inside.TooLarge as error:
            text = f"`{name}` has {error.size:,} bytes; {BODY_BYTES:,} are allowed"
            raise NoFile(FILE_SIZE, text, "split it") from None
        except OSError as error:
            text = f"`{name}` cannot be read: {error.strerror}"
            raise NoFile(FILE_MISSING, text, _SLASHES if "\\" in name else "") from None


def _guess_file(path: Path) -> str:
    """A guess at the file that was meant, from those in the same folder."""
    folder = path.parent
    if not folder.is_dir():
        return f"there is no folder `{folder.name}` either"
    return suggest_near(path.name, [other.name for other in folder.iterdir()]) or "check the path"
