"""What somebody could find of people in what lmssync has written down."""

import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

STATE = ".lmssync/state.db"


def traces(root: Path, *identifiers: str) -> list[str]:
    """Those of the identifiers that stand in the files of the state, or in forms packed in it."""
    said = b"\n".join(_bytes(root)).lower()
    return [one for one in identifiers if one.lower().encode() in said]


def _bytes(root: Path) -> Iterator[bytes]:
    for file in root.glob(f"{STATE}*"):
        yield file.read_bytes()
    with closing(sqlite3.connect(root / STATE)) as db:
        names = [
            name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type='table'")
        ]
        for name in names:
            rows = db.execute(f"SELECT * FROM {name}")
            columns = [column for column, *_ in rows.description]
            for row in rows:
                for column, value in zip(columns, row, strict=True):
                    yield zlib.decompress(value) if column == "form" else str(value).encode()


def register(root: Path) -> Path:
    """The file that says who is behind the codes."""
    (found,) = (root / ".lmssync" / "people").glob("*.json")
    return found
