"""Small files in the user's cache folder that keep what takes long to find out.

Each is about one thing and carries a seal: one that is damaged, or about something else by now,
counts as missing.
"""

import functools
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path

from .. import __version__
from .cache_folder import find_cache_file, is_ours, make_cache_file

_ROOMS = ("catalog", "kind", "kinds", "texts", "vocabulary")
"""Rooms whose code decides what a manifest means."""
_SEAL = 16
"""Bytes."""


def recall_content(file: Path | None, about: bytes) -> bytes | None:
    """Returns what a file keeps about something; None if there is nothing to rely on."""
    if file is None or not is_ours(file):
        return None
    try:
        kept = file.read_bytes()
    except OSError:
        return None
    content = kept[_SEAL:]
    return content if kept[:_SEAL] == _seal(about, content) else None


def remember_content(file: Path | None, about: bytes, content: bytes = b"") -> None:
    """Keeps what was found out about something, in the place of what the file had before.

    What a crash leaves half-written fails its seal.
    """
    if file is not None:
        with suppress(OSError):  # then the next run finds it out again
            make_cache_file(file)
            if is_ours(file):
                file.write_bytes(_seal(about, content) + content)


def remember_names(root: Path, kind: str, names: Iterable[str]) -> None:
    """Keeps names that the platform has, such as the labels of its tags, for who writes the
    catalog; those that are known already stay."""
    known = {*list_remembered_names(root, kind), *names}
    remember_content(_names_file(root, kind), kind.encode(), "\n".join(sorted(known)).encode())


def list_remembered_names(root: Path, kind: str) -> list[str]:
    """The names of that kind that a run has met on the platform."""
    content = recall_content(_names_file(root, kind), kind.encode())
    return content.decode().split("\n") if content else []


def _names_file(root: Path, kind: str) -> Path | None:
    cache = find_cache_file(root)
    return cache and cache.with_name(f"names-{kind}")


def _seal(about: bytes, content: bytes) -> bytes:
    key = blake2b(program_identity().encode() + about).digest()
    return blake2b(content, digest_size=_SEAL, key=key).digest()


@functools.cache
def program_identity(*, whole: bool = False) -> str:
    """Version of the program and of Python, and when its code was last changed: that of the rooms
    which decide what a manifest means, or all of it."""
    package = Path(__file__).parents[1]
    # Who works on lmssync changes its code without changing its version: their cached results must
    # not outlive that.
    rooms = [package] if whole else [package / room for room in _ROOMS]
    times = (max(_change_times(room)) for room in rooms)
    newest = max((package / "settings.py").stat().st_mtime_ns, *times)
    return f"{__version__} {sys.version_info[:3]} {newest}"


def _change_times(folder: Path) -> Iterator[int]:
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.endswith(".py"):
                yield entry.stat().st_mtime_ns
            elif entry.is_dir() and entry.name != "__pycache__":
                yield from _change_times(Path(entry.path))
