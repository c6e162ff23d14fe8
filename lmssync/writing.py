"""Writes a file whole, or not at all."""

import secrets
from collections.abc import Iterable
from pathlib import Path


def write_whole(file: Path, pieces: Iterable[bytes]) -> None:
    """Puts a file in its place, new or over another, once all of it is written beside it.

    Whatever interrupts it, no half of a file is left. Raises `OSError`.
    """
    beside = file.with_name(f".lmssync-{secrets.token_hex(8)}.tmp")
    try:
        with beside.open("xb") as out:
            out.writelines(pieces)
        beside.replace(file)
    finally:
        beside.unlink(missing_ok=True)
