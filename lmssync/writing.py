"""Writes a file whole, or not at all."""

import os
import secrets
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path, PurePosixPath

from . import inside

_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC


def write_whole(file: Path, pieces: Iterable[bytes], *, private: bool = False) -> None:
    """Puts a file in its place, new or over another, once all of it is written beside it.

    Whatever interrupts it, no half of a file is left. A private one is for its owner only, and on
    disk when this returns. Raises `OSError`.
    """
    folder = os.open(file.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        _put(folder, file.name, pieces, private=private)
    finally:
        os.close(folder)


def write_below(root: Path, name: str, pieces: Iterable[bytes]) -> None:
    """The same for a file in a folder, whose folders are made.

    A link on the way may not lead out of `root`, nor, where that is relative, out of the folder
    where we are: a stranger may have put it there. Raises `OSError`.
    """
    folder, last = _above(root, name)
    try:
        _put(folder, last, pieces)
    finally:
        os.close(folder)


def lay_below(root: Path, name: str, data: bytes) -> bool:
    """Writes a new file as `write_below` does; false if something is there. Raises `OSError`."""
    folder, last = _above(root, name)
    try:
        with os.fdopen(os.open(last, _NEW, dir_fd=folder), "wb") as out:
            try:
                out.write(data)
                out.flush()
            except BaseException:
                os.unlink(last, dir_fd=folder)
                raise
    except FileExistsError:
        return False
    finally:
        os.close(folder)
    return True


def _above(root: Path, name: str) -> tuple[int, str]:
    """A descriptor of the folder of a file, and the name that the file has in it."""
    here = not root.is_absolute() and ".." not in root.parts
    path = PurePosixPath(root, name) if here else PurePosixPath(name)
    if not here:
        root.mkdir(parents=True, exist_ok=True)
    return inside.folder(Path() if here else root, str(path.parent), make=True), path.name


def _put(folder: int, name: str, pieces: Iterable[bytes], *, private: bool = False) -> None:
    beside = f".lmssync-{secrets.token_hex(8)}.tmp"
    try:
        made = os.open(beside, _NEW, 0o600 if private else 0o666, dir_fd=folder)
        with os.fdopen(made, "wb") as out:
            out.writelines(pieces)
            if private:
                out.flush()
                os.fsync(out.fileno())
        os.replace(beside, name, src_dir_fd=folder, dst_dir_fd=folder)
    finally:
        with suppress(FileNotFoundError):
            os.unlink(beside, dir_fd=folder)
