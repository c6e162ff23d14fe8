"""The files of a source: of a folder, a zip archive, or a tar archive, compressed or not.

A source may come from a stranger: no link in it is followed, no name leads out of it, and sizes
and counts are limited before anything is read.
"""

import gzip
import posixpath
import tarfile
import tempfile
import zipfile
import zlib
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Self, cast

from ...catalog.manifests.catalog_files import GONE, stamped_size, walk_catalog
from ...errors import LmssyncError, WrongUse
from ...support import safe_files
from ...support.invisible_characters import escape_invisible

COUNT_MOST = 50_000
"""Files of a source."""
WHOLE_BYTES = 8 * 1024**3
"""Bytes of all files of a source together, unpacked."""
COPY_BYTES = 256 * 1024**2
"""Bytes of one file that is copied: a larger one does not belong in git."""
TEXT_BYTES = 32 * 1024**2
"""Bytes of one file that is understood: of XML, HTML, Markdown or CSV."""
_NAME_MOST, _DEPTH_MOST = 1_000, 100


class NotReadable(LmssyncError):
    """The source is damaged, not of its format, or larger than is allowed."""


class SourceFiles(ABC):
    """The files of one source; names have forward slashes."""

    def __init__(self, shown: str, sizes: Mapping[str, int], links: Sequence[str]) -> None:
        self.shown = shown
        """What messages call the source."""
        self.sizes = sizes
        self.links = links
        """Entries that lead elsewhere, which are not followed."""
        self.opened: set[str] = set()
        """Names of the files that were read or copied, or that the report has already named."""
        require_source_limits(shown, len(sizes), sum(sizes.values()))

    def __contains__(self, name: str) -> bool:
        return name in self.sizes

    def find_topmost(self, file: str, hint: str) -> str:
        """The file of this name that is in the fewest folders; raises `NotReadable` for none."""
        names = [name for name in self.sizes if posixpath.basename(name) == file]
        if not names:
            raise NotReadable(f"{self.shown} has no {file}", hint)
        return min(names, key=lambda name: (name.count("/"), name))

    def read_content(self, name: str, most: int = TEXT_BYTES) -> bytes:
        """A whole file; raises `NotReadable` if it is missing, damaged or larger than `most`."""
        if name not in self.sizes:
            raise self.file_error(name, "is missing", "the source may have been cut short")
        if self.sizes[name] > most:
            raise self.file_error(
                name, f"has {self.sizes[name]:,} bytes; at most {most:,} are read"
            )
        self.opened.add(name)
        return self._read_bytes(name)

    def read_text(self, name: str) -> str:
        """A file of text in UTF-8; raises `NotReadable`."""
        try:
            return (
                self.read_content(name)
                # Programs of Windows begin a file with a mark of order, which would be part of the
                # first word.
                .decode("utf-8-sig")
                .replace("\r\n", "\n")
                .replace("\r", "\n")
            )
        except UnicodeDecodeError:
            raise self.file_error(name, "is not UTF-8", "save it as UTF-8") from None

    def file_error(self, name: str, message: str, hint: str = "") -> NotReadable:
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


def check_entry_name(shown: str, name: str) -> str:
    """The name of an entry of an archive; raises `NotReadable` if it leads out of it."""
    # Archives made on Windows separate folders by backslashes, whatever the standard says.
    plain = name.replace("\\", "/")
    path = posixpath.normpath(plain)
    first = path.partition("/")[0]
    # `C:` is a drive: joined to a folder on Windows, such a path leads out of it.
    if plain.startswith("/") or first == ".." or first.endswith(":") or "\0" in name:
        raise NotReadable(
            f"{shown} holds {escape_invisible(name[:_NAME_MOST])}, which leads out of the archive",
            "nothing was written: ask the people who made the archive",
        )
    if len(path) > _NAME_MOST or path.count("/") > _DEPTH_MOST:
        raise NotReadable(
            f"{shown} contains a name that is too long: {escape_invisible(path[:80])}..."
        )
    return path


def is_hidden_entry(name: str) -> bool:
    """Whether a file is hidden or in a hidden folder, or is one that a Mac adds to its archives."""
    return any(part.startswith(".") or part == "__MACOSX" for part in name.split("/"))


class EntryNames:
    """The names of the entries of one archive, each of which may be there once."""

    def __init__(self, shown: str) -> None:
        self._shown = shown
        self._names: set[str] = set()

    def add_name(self, name: str) -> str:
        """The plain form of a name; raises `NotReadable` for one that another entry has."""
        path = check_entry_name(self._shown, name)
        if path in self._names:
            raise NotReadable(
                f"{self._shown} holds {escape_invisible(path)} more than once: "
                "it is unclear which is meant",
                "unpack the archive, look at the file, and name the folder instead",
            )
        self._names.add(path)
        return path


class SingleFile(SourceFiles):
    """A source that is a single file."""

    def __init__(self, file: Path) -> None:
        self._file = file
        super().__init__(str(file), {file.name: file.stat().st_size}, [])

    def _read_bytes(self, name: str) -> bytes:
        try:
            return safe_files.read_named(self._file, self.sizes[name])
        except OSError as error:
            raise self.file_error(name, f"cannot be read: {error.strerror}") from None


class FolderFiles(SourceFiles):
    """The files below a folder, without what is hidden."""

    def __init__(self, folder: Path) -> None:
        listing = walk_catalog(folder)
        self._folder = folder
        links = [name for name in listing.files if (folder / name).is_symlink()]
        sizes = {
            name: stamped_size(stamp)
            for name, stamp in listing.files.items()
            if stamp != GONE and not is_hidden_entry(name)
        }
        for name in links:
            sizes.pop(name, None)
        super().__init__(str(folder), sizes, [*links, *listing.linked])

    def _read_bytes(self, name: str) -> bytes:
        try:
            return safe_files.read_inside(self._folder, name, self.sizes[name])
        except OSError as error:
            raise self.file_error(name, f"cannot be read: {error.strerror}") from None


_TEXTS = {".csv", ".tsv", ".md", ".markdown"}
"""Endings of files that are a whole source."""
_GZIP, _ZIP = b"\x1f\x8b", b"PK"
_READ_MOST = 16 * 1024**2
"""Bytes of one read of a tar: its library reads whole headers, whatever size they name."""
_REGULAR = {0, 0o10}
"""Types of a zip entry, in the upper half of its attributes: none at all, or a regular file."""
_DAMAGED = (tarfile.TarError, zipfile.BadZipFile, zlib.error, EOFError, OSError)
_UNKNOWN = (RuntimeError, NotImplementedError, ValueError)
"""What the libraries raise for encryption, for methods that they lack, and for odd headers."""


def open_source(path: Path) -> SourceFiles:
    """The files of a folder or an archive. Raises `WrongUse`, and `NotReadable` for damage."""
    try:
        if path.is_dir():
            return FolderFiles(path)
        if path.exists() and not path.is_file():
            raise WrongUse(f"{path} is neither a file nor a folder", "name an archive or a folder")
        with path.open("rb") as file:
            start = file.read(2)
    except OSError as error:
        raise WrongUse(f"{path} cannot be read: {error.strerror}") from None
    if path.suffix.lower() in _TEXTS:
        return SingleFile(path)
    with _readable_errors(path):
        if start == _ZIP:
            return ZipFiles(path)
        return TarFiles(path, compressed=start == _GZIP)


@contextmanager
def _readable_errors(path: Path) -> Iterator[None]:
    """Turns what the libraries raise into `NotReadable`."""
    try:
        yield
    except _DAMAGED + _UNKNOWN as error:
        why = escape_invisible(str(error)) or "it is cut short"
        raise NotReadable(
            f"{path} is not an archive that lmssync can read: {why}",
            "name a .zip, .tar or .tar.gz archive, or a folder with what is in it",
        ) from None


class ZipFiles(SourceFiles):
    """The files of a zip archive, without what is hidden."""

    def __init__(self, file: Path) -> None:
        self._zip = zipfile.ZipFile(file)
        self._entries: dict[str, zipfile.ZipInfo] = {}
        links = []
        names = EntryNames(str(file))
        for info in self._zip.infolist():
            if info.is_dir():
                check_entry_name(str(file), info.filename)
                continue
            # Two entries of one name are read differently by different programs: none is guessed.
            name = names.add_name(info.filename)
            if is_hidden_entry(name):
                continue
            if info.external_attr >> 28 in _REGULAR:
                self._entries[name] = info
            else:
                links.append(name)
        super().__init__(str(file), {n: i.file_size for n, i in self._entries.items()}, links)

    def _read_bytes(self, name: str) -> bytes:
        try:
            with self._zip.open(self._entries[name]) as file:
                # Bounded by the size that was checked: what unpacks to more is a bomb.
                return file.read(self.sizes[name])
        except _DAMAGED + _UNKNOWN as error:
            raise self.file_error(
                name, f"cannot be unpacked: {escape_invisible(str(error))}"
            ) from None

    def close(self) -> None:
        super().close()
        self._zip.close()


class TarFiles(SourceFiles):
    """The files of a tar archive, without what is hidden.

    It is unpacked once: there is no way to read one from the middle.
    """

    def __init__(self, file: Path, *, compressed: bool) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="lmssync-import-")
        self._places: dict[str, Path] = {}
        try:
            sizes, links = self._unpack_archive(file, compressed=compressed)
            super().__init__(str(file), sizes, links)
        # Also on an interrupt: `close` is never called for an object that was not made.
        except BaseException:
            self._folder.cleanup()
            raise

    def _unpack_archive(self, file: Path, *, compressed: bool) -> tuple[dict[str, int], list[str]]:
        sizes: dict[str, int] = {}
        links: list[str] = []
        names, whole = EntryNames(str(file)), 0
        with (
            gzip.open(file) if compressed else file.open("rb") as raw,
            tarfile.open(
                fileobj=cast("IO[bytes]", _BoundedStream(raw, str(file))), mode="r:"
            ) as tar,
        ):
            for number, member in enumerate(tar):
                require_source_limits(str(file), number, whole)
                if member.isdir():
                    check_entry_name(str(file), member.name)
                    continue
                name = names.add_name(member.name)
                if is_hidden_entry(name):
                    continue
                if member.isreg():
                    sizes[name] = member.size
                    whole += member.size
                    self._unpack_member(tar, member, name)
                else:
                    links.append(name)
        return sizes, links

    def _unpack_member(self, tar: tarfile.TarFile, member: tarfile.TarInfo, name: str) -> None:
        """Puts a file into the folder under a name of ours; one that is too large stays out."""
        source = tar.extractfile(member)
        if source is None or member.size > COPY_BYTES:
            return
        # A number, and never the name in the archive: that may be a device, or too long for the
        # disk.
        place = self._places[name] = Path(self._folder.name, str(len(self._places)))
        with place.open("wb") as out:
            while piece := source.read(_READ_MOST):
                out.write(piece)

    def _read_bytes(self, name: str) -> bytes:
        return self._places[name].read_bytes()

    def close(self) -> None:
        super().close()
        self._folder.cleanup()


class _BoundedStream:
    """A stream of which no read, and no place in it, is beyond what a source may hold."""

    def __init__(self, raw: "IO[bytes] | gzip.GzipFile", shown: str) -> None:
        self._raw, self._shown = raw, shown

    def read(self, size: int) -> bytes:
        if size > _READ_MOST:
            message = f"{self._shown} has a header of {size:,} bytes"
            raise NotReadable(message, "no archive needs one of that size")
        require_source_limits(self._shown, 0, self.tell())
        return self._raw.read(size)

    def seek(self, place: int, whence: int = 0) -> int:
        if place > WHOLE_BYTES:
            require_source_limits(self._shown, 0, place)
        return self._raw.seek(place, whence)

    def tell(self) -> int:
        return self._raw.tell()
