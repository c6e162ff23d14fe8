"""A folder that is held while files in it are read, made and replaced.

Where the system can open files relative to an open folder, this is used: then it does not matter
if the folder is replaced meanwhile. Elsewhere, as on Windows, a folder is known by its path, and
whenever it is used its path must still lead to the folder that was entered.
"""

import errno
import os
import stat
from abc import ABC, abstractmethod
from pathlib import Path
from typing import Self

from .system import PLAIN, open_flags

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
