"""Writes a file whole, or not at all."""

import os
import secrets
from collections.abc import Iterable
from pathlib import Path


def write_whole(file: Path, pieces: Iterable[bytes], *, private: bool = False) -> None:
    """Puts a file in its place, new or over another, once all of it is written beside it.

    Whatever interrupts it, no half of a file is left. A private one is for its owner only, and on
    disk when this returns. Raises `OSError`.
    """
    beside = file.with_name(f".lmssync-{secrets.token_hex(8)}.tmp")
    try:
        beside.touch(mode=0o600 if private else 0o666, exist_ok=False)
        with beside.open("wb") as out:
            out.writelines(pieces)
            if private:
                out.flush()
                os.fsync(out.fileno())
        beside.replace(file)
    finally:
        beside.unlink(missing_ok=True)
