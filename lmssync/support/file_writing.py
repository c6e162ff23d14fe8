"""Writes a file whole, or not at all."""

import os
import secrets
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path, PurePosixPath

from . import safe_files
from .safe_files import Folder, open_folder


def write_whole(file: Path, pieces: Iterable[bytes], *, private: bool = False) -> None:
    """Puts a file in its place, new or over another, once all of it is written beside it.

    Whatever interrupts it, no half of a file is left. A private one is for its owner only, and on
    disk when this returns. Raises `OSError`.
    """
    with open_folder(file.parent) as folder:
        _put_file(folder, file.name, pieces, private=private)


def write_below(root: Path, name: str, pieces: Iterable[bytes]) -> None:
    """Puts a file below a folder in its place, as `write_whole` does; missing folders are made.

    A link on the way may not lead out of `root`, nor, where that is relative, out of the folder
    where we are: a stranger may have put it there. Raises `OSError`.
    """
    folder, last = _folder_above(root, name)
    with folder:
        _put_file(folder, last, pieces)


def unwrite_below(root: Path, name: str) -> None:
    """Deletes a file that was just written so. Raises `OSError`."""
    folder, last = _folder_above(root, name)
    with folder:
        folder.unlink(last)


def lay_below(root: Path, name: str, data: bytes) -> bool:
    """Writes a new file as `write_below` does; false if something is there. Raises `OSError`."""
    folder, last = _folder_above(root, name)
    with folder:
        try:
            made = folder.create(last)
        except FileExistsError:
            return False
        try:
            _fill_file(made, [data])
        except BaseException:
            folder.unlink(last)
            raise
    return True


def ensure_below(root: Path, name: str) -> None:
    """Raises `OSError` if a link on the way to a file leads out of `root`; makes nothing."""
    safe_files.resolve_inside(root, str(PurePosixPath(name).parent))


def _folder_above(root: Path, name: str) -> tuple[Folder, str]:
    """The folder of a file, and the name that the file has in it."""
    ensure_below(root, name)
    here = not root.is_absolute() and ".." not in root.parts
    path = PurePosixPath(root.as_posix() if here else "", name)
    if not here:
        root.mkdir(parents=True, exist_ok=True)
    return safe_files.open_inside(Path() if here else root, str(path.parent), make=True), path.name


def _put_file(folder: Folder, name: str, pieces: Iterable[bytes], *, private: bool = False) -> None:
    beside = f".lmssync-{secrets.token_hex(8)}.tmp"
    try:
        _fill_file(folder.create(beside, 0o600 if private else 0o666), pieces, sync=private)
        # The name is put in place last. Only a private file is synced before: others can be written
        # again, a register or a serial cannot.
        folder.replace(beside, name)
    finally:
        with suppress(FileNotFoundError):
            folder.unlink(beside)


def _fill_file(made: int, pieces: Iterable[bytes], *, sync: bool = False) -> None:
    """Writes a file that has just been made, and closes it."""
    with os.fdopen(made, "wb") as out:
        out.writelines(pieces)
        if sync:
            out.flush()
            os.fsync(out.fileno())
