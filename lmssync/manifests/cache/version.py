"""Tells one version of this program from another: what one has worked out is not the other's."""

import os
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from ... import __version__

_ROOMS = ("graph", "kinds", "manifests", "vocabulary")
"""Rooms whose code decides what a manifest means."""


@cache
def identity() -> str:
    """Version of the program and of Python, and when its code was last changed."""
    package = Path(__file__).parents[2]
    newest = max(max(_times(package / room)) for room in _ROOMS)
    return f"{__version__} {sys.version_info[:3]} {newest}"


def _times(folder: Path) -> Iterator[int]:
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.endswith(".py"):
                yield entry.stat().st_mtime_ns
            elif entry.is_dir() and entry.name != "__pycache__":
                yield from _times(Path(entry.path))
