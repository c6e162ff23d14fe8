"""Opens a source: a folder, a zip archive, or a tar archive, compressed or not."""

import gzip
import tarfile
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, cast

from ...errors import WrongUse
from ...support.visible import escape_invisible
from .sources import (
    COPY_BYTES,
    WHOLE_BYTES,
    EntryNames,
    Files,
    FolderFiles,
    NotReadable,
    OneFile,
    entry_name,
    require_source_limits,
)

_TEXTS = {".csv", ".tsv", ".md", ".markdown"}
"""Endings of files that are a whole source."""
_GZIP, _ZIP = b"\x1f\x8b", b"PK"
_READ_MOST = 16 * 1024**2
"""Of one read while a tar is unpacked: its library reads whole headers, whatever size they name."""
_REGULAR = {0, 0o10}
"""Types of a zip entry, in the upper half of its attributes: none at all, or a regular file."""
_DAMAGED = (tarfile.TarError, zipfile.BadZipFile, zlib.error, EOFError, OSError)
_UNKNOWN = (RuntimeError, NotImplementedError, ValueError)
"""What the libraries raise for encryption, for methods that they lack, and for odd headers."""


def open_source(path: Path) -> Files:
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
        return OneFile(path)
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
            f"{path} is no archive that can be read: {why}",
            "name a .zip, .tar or .tar.gz archive, or a folder with what is in it",
        ) from None


class ZipFiles(Files):
    """The files of a zip archive."""

    def __init__(self, file: Path) -> None:
        self._zip = zipfile.ZipFile(file)
        self._entries: dict[str, zipfile.ZipInfo] = {}
        links = []
        names = EntryNames(str(file))
        for info in self._zip.infolist():
            if info.is_dir():
                entry_name(str(file), info.filename)
                continue
            name = names.add_name(info.filename)
            if info.external_attr >> 28 in _REGULAR:
                self._entries[name] = info
            else:
                links.append(name)
        super().__init__(str(file), {n: i.file_size for n, i in self._entries.items()}, links)

    def _read_bytes(self, name: str) -> bytes:
        try:
            with self._zip.open(self._entries[name]) as file:
                return file.read(self.sizes[name])
        except _DAMAGED + _UNKNOWN as error:
            raise self.file_error(
                name, f"cannot be unpacked: {escape_invisible(str(error))}"
            ) from None

    def close(self) -> None:
        super().close()
        self._zip.close()


class TarFiles(Files):
    """The files of a tar archive, unpacked once: there is no way to read one from the middle."""

    def __init__(self, file: Path, *, compressed: bool) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="lmssync-import-")
        self._places: dict[str, Path] = {}
        try:
            sizes, links = self._unpack_archive(file, compressed=compressed)
            super().__init__(str(file), sizes, links)
        except BaseException:
            self._folder.cleanup()
            raise

    def _unpack_archive(self, file: Path, *, compressed: bool) -> tuple[dict[str, int], list[str]]:
        sizes: dict[str, int] = {}
        links: list[str] = []
        names, whole = EntryNames(str(file)), 0
        with (
            gzip.open(file) if compressed else file.open("rb") as raw,
            tarfile.open(fileobj=cast("IO[bytes]", _Bounded(raw, str(file))), mode="r:") as tar,
        ):
            for number, member in enumerate(tar):
                require_source_limits(str(file), number, whole)
                if member.isdir():
                    entry_name(str(file), member.name)
                    continue
                name = names.add_name(member.name)
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
        place = self._places[name] = Path(self._folder.name, str(len(self._places)))
        with place.open("wb") as out:
            while piece := source.read(_READ_MOST):
                out.write(piece)

    def _read_bytes(self, name: str) -> bytes:
        return self._places[name].read_bytes()

    def close(self) -> None:
        super().close()
        self._folder.cleanup()


class _Bounded:
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
