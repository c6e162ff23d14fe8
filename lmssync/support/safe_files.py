"""Opens files inside a folder, and none that a link leads to elsewhere.

A catalog may come from a stranger: whatever is read or written in it goes through here. Each
folder on the way is entered without following links. A link on the way is followed only if it ends
inside, and at nothing hidden.

Where the system can open files relative to an open folder, this is used: then it does not matter
if the folder is replaced meanwhile. Elsewhere, as on Windows, a folder is known by its path, and
whenever it is used its path must still lead to the folder that was entered.

Texts that somebody is writing take the place of the files that they will be saved to: whoever
reads files of a catalog then sees what its author sees.
"""

import errno
import os
import stat
import zlib
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path
from types import ModuleType
from typing import Self

from .operating_system import PLAIN, open_flags

_NEVER = 2**62
"""Nanoseconds: a time that does not come."""
_NO_TEXTS: Mapping[str, bytes] = {}
_TEXTS: ContextVar[Mapping[str, bytes]] = ContextVar("unsaved texts", default=_NO_TEXTS)


@contextmanager
def show_unsaved_files(root: Path, texts: Mapping[str, bytes]) -> Iterator[None]:
    """Meanwhile the files of a catalog, by their names from its root, have these contents."""
    token = _TEXTS.set({os.path.normpath(root / name): text for name, text in texts.items()})
    try:
        yield
    finally:
        _TEXTS.reset(token)


def are_files_unsaved() -> bool:
    """Whether anything is shown in the place of files; other processes do not see it."""
    return bool(_TEXTS.get())


def find_unsaved_text(path: "str | os.PathLike[str]") -> bytes | None:
    """What is shown in the place of a file; None where the file itself counts."""
    texts = _TEXTS.get()
    return texts.get(os.path.normpath(path)) if texts else None


def find_unsaved_stamp(path: "str | os.PathLike[str]") -> str | None:
    """The stamp of what is shown in the place of a file, in the form of those of files."""
    text = find_unsaved_text(path)
    return None if text is None else f"{len(text)}.{_NEVER}.{_NEVER + zlib.crc32(text)}.0"


def list_unsaved_names(root: str) -> Iterator[str]:
    """The names of all such files below a folder, with forward slashes, but of hidden ones."""
    for path in _TEXTS.get():
        name = os.path.relpath(path, root).replace(os.sep, "/")
        if not name.startswith(".") and "/." not in name:
            yield name


_BY_DESCRIPTOR = {os.open, os.stat, os.mkdir, os.access, os.rename, os.unlink} <= os.supports_dir_fd
_READ = os.O_RDONLY | PLAIN
_NEW = os.O_WRONLY | open_flags("O_CREAT", "O_EXCL", "O_BINARY")
_FOLDER = os.O_RDONLY | open_flags("O_DIRECTORY")
_PORTS = {f"{port}{number}" for port in ("COM", "LPT") for number in "0123456789¹²³"}
_DEVICES = {"CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"} | _PORTS
_JUNCTION = 0xA0000003
"""A link to a folder, which Windows does not call a link (`IO_REPARSE_TAG_MOUNT_POINT`)."""


class Folder(ABC):
    """Names are those of entries, never paths. Each verb raises `OSError` and follows no link."""

    _number: int | None = None
    """The descriptor that `_entry_path` begins at, where there is one."""

    @abstractmethod
    def _entry_path(self, name: str) -> Path | str:
        """The path of an entry."""

    @abstractmethod
    def enter_folder(self, name: str) -> "Folder":
        """A folder in it."""

    def make_folder(self, name: str) -> None:
        os.mkdir(self._entry_path(name), dir_fd=self._number)

    def stat(self, name: str) -> os.stat_result:
        return os.stat(self._entry_path(name), dir_fd=self._number, follow_symlinks=False)

    def open(self, name: str) -> int:
        """A descriptor to read an entry, of whatever kind: callers must check which."""
        return os.open(self._entry_path(name), _READ, dir_fd=self._number)

    def create(self, name: str, mode: int = 0o666) -> int:
        """A descriptor to write a new file by."""
        return os.open(self._entry_path(name), _NEW, mode, dir_fd=self._number)

    def is_writable(self, name: str) -> bool:
        return os.access(self._entry_path(name), os.W_OK, dir_fd=self._number)

    def replace(self, old: str, new: str) -> None:
        number = self._number
        os.replace(
            self._entry_path(old), self._entry_path(new), src_dir_fd=number, dst_dir_fd=number
        )

    def unlink(self, name: str) -> None:
        os.unlink(self._entry_path(name), dir_fd=self._number)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        if self._number is not None:
            os.close(self._number)


class ByDescriptor(Folder):
    """An open folder, wherever it is moved to."""

    def __init__(self, path: Path | str, above: int | None = None) -> None:
        nofollow = open_flags("O_NOFOLLOW") if above is not None else 0
        self._number = os.open(path, _FOLDER | nofollow, dir_fd=above)

    def _entry_path(self, name: str) -> str:
        return name

    def enter_folder(self, name: str) -> "ByDescriptor":
        return ByDescriptor(name, self._number)


class ByPath(Folder):
    """A folder by a path without links."""

    def __init__(self, path: Path) -> None:
        self._path, self._seen = path, path.lstat()
        if is_link(self._seen):
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
        if not stat.S_ISDIR(self._seen.st_mode):
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))

    def _entry_path(self, name: str) -> Path:
        """The path of an entry, if ours still leads to the folder that was entered."""
        if not is_name(name):
            raise OSError(errno.EINVAL, "Windows has no files of that name")
        if not os.path.samestat(self._seen, self._path.stat()):
            raise OSError(errno.EXDEV, "another folder was put in the place of its folder")
        return self._path / name

    def enter_folder(self, name: str) -> "ByPath":
        return ByPath(self._entry_path(name))

    def open(self, name: str) -> int:
        number = super().open(name)
        if is_link(self.stat(name)):
            os.close(number)
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
        return number


def open_folder(path: Path) -> Folder:
    """The folder that a path leads to, over links or not; raises `OSError`."""
    if _BY_DESCRIPTOR:
        return ByDescriptor(path)
    return ByPath(Path(os.path.realpath(path, strict=True)))


def is_link(status: os.stat_result) -> bool:
    """Whether an entry, as `lstat` tells of it, leads elsewhere."""
    return stat.S_ISLNK(status.st_mode) or getattr(status, "st_reparse_tag", 0) == _JUNCTION


def is_name(name: str) -> bool:
    """Whether a text names one entry of a folder on Windows.

    There a `\\` parts folders, a `:` begins a drive or a stream, some names are devices in
    every folder, and dots and spaces at the end are dropped.
    """
    device = name.partition(".")[0].rstrip(" ").upper() in _DEVICES
    return not (device or {"/", "\\", ":"} & {*name} or name.endswith((".", " ")))


_KINDS = (
    (stat.S_ISDIR, os.strerror(errno.EISDIR)),
    (stat.S_ISFIFO, "it is a pipe"),
    (stat.S_ISSOCK, "it is a socket"),
)


class Outside(OSError):
    """A path that leads out of the folder."""


class TooLarge(OSError):
    """A file with more bytes than are allowed; `size` is how many it has."""

    def __init__(self, size: int, most: int) -> None:
        super().__init__(errno.EFBIG, f"it has more than {most:,} bytes")
        self.size = size


def read_inside(root: Path, name: str, most: int) -> bytes:
    """The bytes of a file below `root`, at most so many; of one that is being written, its text.

    Raises `OSError`, of which `Outside` and `TooLarge` are two; each has a `strerror` in words.
    """
    unsaved = find_unsaved_text(_join_path(root, name))
    if unsaved is None:
        return _read_bounded(_open_file(root, name), most)
    if len(unsaved) > most:
        raise TooLarge(len(unsaved), most)
    return unsaved


def read_named(file: Path, most: int) -> bytes:
    """The bytes of a file that the person at the command line names: links lead where they like."""
    return _read_bounded(_open_named(file), most)


def read_named_lines(file: Path, most: int) -> Iterator[bytes]:
    """The lines of such a file, one at a time, each with at most so many bytes."""
    with os.fdopen(_open_named(file), "rb") as opened:
        while line := opened.readline(most + 1):
            if len(line) > most:
                raise TooLarge(len(line), most)
            yield line


def _open_named(file: Path) -> int:
    flags = os.O_RDONLY | open_flags("O_NONBLOCK", "O_BINARY")
    return _check_regular(os.open(file, flags))


_PIECE = 65_536
"""Bytes that are asked for at least: a file may have more than its size says."""


def _read_bounded(descriptor: int, most: int) -> bytes:
    data = b""
    try:
        size = os.fstat(descriptor).st_size
        if size > most:
            raise TooLarge(size, most)
        # The size is what the file system says, and it may grow. No more is asked for than that:
        # the memory for it would be taken at once.
        while len(data) <= most and (piece := os.read(descriptor, max(size, _PIECE) + 1)):
            data += piece
    finally:
        os.close(descriptor)
    if len(data) > most:
        raise TooLarge(len(data), most)
    return data


def resolve_inside(root: Path, name: str) -> str:
    """The path from `root` to what `name` leads to, whether or not it is there.

    Raises `Outside` for a path that leaves the folder, and for a link to what is hidden: tools
    keep tokens there (`.git/config`).
    """
    try:
        top, real = os.path.realpath(root), os.path.realpath(_join_path(root, name))
    except ValueError:
        raise OSError(errno.EINVAL, "its name contains a NUL") from None
    target, named = relative_way(top, real), relative_way(top, _join_path(Path(top), name))
    if ".." in _path_parts(target):
        plain = ".." in _path_parts(named)
        how = "it lies outside the catalog" if plain else "a link leads out of the catalog"
        raise Outside(errno.EXDEV, how)
    linked = os.path.normcase(target) != os.path.normcase(named)
    if linked and any(part.startswith(".") for part in _path_parts(target)):
        raise Outside(errno.EXDEV, "a link leads to what is hidden")
    return target


def relative_way(top: str, path: str, system: ModuleType = os.path) -> str:
    """The way from a folder to a path, as a name of a catalog: with forward slashes.

    It begins with `..` where it leads out of the folder, to another drive for instance.
    """
    try:
        relative: str = system.relpath(path, top)
    except ValueError:  # there is no way from one drive to another
        return ".."
    return relative.replace(system.sep, "/")


def open_inside(root: Path, name: str, *, make: bool = False) -> Folder:
    """A folder below `root`; with `make`, missing ones are made. Raises `OSError`.

    Writers use the open folder, so it does not matter if it is replaced meanwhile.
    """
    return _folder_of_parts(root, _path_parts(resolve_inside(root, name)), make=make)


def _join_path(root: Path, name: str) -> str:
    return os.path.join(root, name)  # noqa: PTH118 - a name may be absolute, or hold `..`


def _path_parts(name: str) -> list[str]:
    return [part for part in name.split("/") if part not in {"", "."}]


def _open_file(root: Path, name: str) -> int:
    """A descriptor of a regular file: the quick way first, which no link can lead astray."""
    parts = _path_parts(name)
    if ".." not in parts and not name.startswith("/"):
        try:
            return _open_by_parts(root, parts)
        except OSError as error:
            if error.errno not in {errno.ELOOP, errno.ENOTDIR}:
                raise
    return _open_by_parts(root, _path_parts(resolve_inside(root, name)))


def _open_by_parts(root: Path, parts: Sequence[str]) -> int:
    *above, last = parts or ["."]
    with _folder_of_parts(root, above) as holder:
        try:
            # Looked at first: to open a device may already do something.
            _require_regular(holder.stat(last))
            return _check_regular(holder.open(last))
        except ValueError:
            raise OSError(errno.EINVAL, "its name contains a NUL") from None


def _folder_of_parts(root: Path, parts: Sequence[str], *, make: bool = False) -> Folder:
    here = open_folder(root)
    for part in parts:
        with here:
            here = _enter_part(here, part, make=make)
    return here


def _enter_part(here: Folder, part: str, *, make: bool) -> Folder:
    try:
        return here.enter_folder(part)
    except FileNotFoundError:
        if not make:
            raise
    except ValueError:
        raise OSError(errno.EINVAL, "its name contains a NUL") from None
    with suppress(FileExistsError):  # another run was quicker
        here.make_folder(part)
    return here.enter_folder(part)


def _check_regular(descriptor: int) -> int:
    """The descriptor of a regular file; closes any other, and raises `OSError`."""
    try:
        _require_regular(os.fstat(descriptor))
    except OSError:
        os.close(descriptor)
        raise
    return descriptor


def _require_regular(status: os.stat_result) -> None:
    """Raises `OSError` if it is not a regular file: reading a pipe could wait without end."""
    if stat.S_ISREG(status.st_mode):
        return
    if is_link(status):
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
    kind = next((words for test, words in _KINDS if test(status.st_mode)), "it is a device")
    raise OSError(errno.EINVAL, kind)
