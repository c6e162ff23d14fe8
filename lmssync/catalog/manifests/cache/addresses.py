"""The addresses that the cache of a catalog knows, for whoever completes a word while it is typed.

They are those of the last `validate` or `plan`: no file of the catalog is read.
"""

import sqlite3
from contextlib import closing
from pathlib import Path

from . import home

MOST = 2_000
"""Nobody chooses among more."""
_QUERY = (
    "SELECT DISTINCT kind || '.' || key AS address FROM resource "
    "WHERE substr(address, 1, ?) = ? ORDER BY address LIMIT ?"
)


def list_cached_addresses(root: Path, start: str) -> list[str]:
    """Those that begin so, sorted; none where there is no cache, or it cannot be read."""
    file = home.find_cache_file(root)
    if file is None or not home.is_ours(file):
        return []
    try:
        with closing(sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True)) as database:
            rows = database.execute(_QUERY, (len(start), start, MOST)).fetchall()
    except sqlite3.Error:  # completion has no way to say so; the next run mends the cache
        return []
    return [address for (address,) in rows if isinstance(address, str)]
