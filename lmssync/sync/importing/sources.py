"""The files of a source by their names, and how much of them is read.

A source may come from a stranger: no link in it is followed, no name leads out of it, and sizes
and counts are limited before anything is read.
"""

import posixpath
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Self

from ...catalog.manifests.files import GONE, stamped_size, walk_catalog
from ...errors import LmssyncError
from ...support import inside
from ...support.visible import escape_invisible

COUNT_MOST = 50_000
"""Files of a source."""
WHOLE_BYTES = 8 * 1024**3
"""Of all files of a source, unpacked."""
COPY_BYTES = 256 * 1024**2
"""Of one file that is copied: a larger one does not belong in git."""
TEXT_BYTES = 32 * 1024**2
"""Of one file that is understood: of XML, HTML, Markdown or CSV."""
_NAME_MOST, _DEPTH_MOST = 1_000, 100


class NotReadable(LmssyncError):
    """The source is damaged, not of its format, or larger than is allowed."""


class Files(ABC):
    """The files of one source; names have forward slashes."""

    def __init__(self, shown: str, sizes: Mapping[str, int], links: Sequence[str]) -> None:
        self.shown = shown
        """What messages call the source."""
        self.sizes = sizes
        self.links = links
        """Entries that lead elsewhere, which are not followed."""
        require_source_limits(shown, len(sizes), sum(sizes.values()))

    def __contains__(self, name: str) -> bool:
        return name in self.sizes

    def read_content(self, name: str, most: int = TEXT_BYTES) -> bytes:
        """A whole file; raises `NotReadable` if it is missing, damaged or larger than `most`."""
        if name not in self.sizes:
            raise self.file_error(name, "is missing", "the source may have been cut short")
        if self.sizes[name] > most:
            raise self.file_error(
                name, f"has {self.sizes[name]:,} bytes; at most {most:,} are read"
            )
        return self._read_bytes(name)

    def read_text(self, name: str) -> str:
        """A file of text in UTF-8; raises `NotReadable`."""
        try:
            return (
                self.read_content(name)
                .decode("utf-8-sig")
                .replace("\r\n", "\n")
                .replace("\r", "\n")
            )
        except UnicodeDecodeError:
            raise self.file_error(name, "is not UTF-8", "save it as UTF-8") from None

    def file_error(self, name: str, message: str, hint: str = "") -> NotReadable:
        """An error about one file."""
        return NotReadable(f"{escape_invisible(name)} in {self.shown} {message}", hint)

    @abstractmethod
    def _read_bytes(self, name: str) -> bytes:
        """The bytes of a file, at most as many as `sizes` says; raises `NotReadable`."""

    def close(self) -> None:
        """Lets go of the source; nothing can be read from it any more."""
        self.sizes = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()


def require_source_limits(shown: str, count: int, whole: int) -> None:
    """Raises `NotReadable` for a source with more files or bytes than are read."""
    if count > COUNT_MOST:
        raise NotReadable(f"{shown} has more than {COUNT_MOST:,} files, the most that are read")
    if whole > WHOLE_BYTES:
        raise NotReadable(f"{shown} has more than {WHOLE_BYTES:,} bytes, the most that are read")


def entry_name(shown: str, name: str) -> str:
    """The name of an entry of an archive; raises `NotReadable` if it leads out of it."""
    plain = name.replace("\\", "/")
    path = posixpath.normpath(plain)
    first = path.partition("/")[0]
    if plain.startswith("/") or first == ".." or first.endswith(":") or "\0" in name:
        raise NotReadable(
            f"{shown} holds {escape_invisible(name[:_NAME_MOST])}, which leads out of the archive",
            "nothing was written: ask whoever made the archive",
        )
    if len(path) > _NAME_MOST or path.count("/") > _DEPTH_MOST:
        raise NotReadable(
            f"{shown} holds a name that is too long: {escape_invisible(path[:80])}..."
        )
    return path


class EntryNames:
    """The names of the entries of one archive, each of which may be there once."""

    def __init__(self, shown: str) -> None:
        self._shown = shown
        self._names: set[str] = set()

    def add_name(self, name: str) -> str:
        """The plain form of a name; raises `NotReadable` for one that another entry has."""
        path = entry_name(self._shown, name)
        if path in self._names:
            raise NotReadable(
                f"{self._shown} holds {escape_invisible(path)} more than once: "
                "it is unclear which is meant",
                "unpack the archive, look at the file, and name the folder instead",
            )
        self._names.add(path)
        return path


class OneFile(Files):
    """A source that is a single file."""

    def __init__(self, file: Path) -> None:
        self._file = file
        super().__init__(str(file), {file.name: file.stat().st_size}, [])

    def _read_bytes(self, name: str) -> bytes:
        try:
            return inside.read_named(self._file, self.sizes[name])
        except OSError as error:
            raise self.file_error(name, f"cannot be read: {error.strerror}") from None


class FolderFiles(Files):
    """The files below a folder, without what is hidden."""

    def __init__(self, folder: Path) -> None:
        listing = walk_catalog(folder)
        self._folder = folder
        links = [name for name in listing.files if (folder / name).is_symlink()]
        sizes = {
            name: stamped_size(stamp) for name, stamp in listing.files.items() if stamp != GONE
        }
        for name in links:
            sizes.pop(name, None)
        super().__init__(str(folder), sizes, [*links, *listing.linked])

    def _read_bytes(self, name: str) -> bytes:
        try:
            return inside.read_inside(self._folder, name, self.sizes[name])
        except OSError as error:
            raise self.file_error(name, f"cannot be read: {error.strerror}") from None
