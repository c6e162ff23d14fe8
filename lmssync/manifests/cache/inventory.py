"""What a catalog holds while none of its files changes: one row in place of those of every file."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import orjson

from ..files import Listing
from . import home
from .cache import Cache, blame
from .tables import FAILURES, CacheChanged, Row, seal, sound


class HeldFile(NamedTuple):
    """A manifest as the cache has it."""

    id: int
    path: str
    watched: Sequence[str]
    """Files that it names, whether or not they are there."""
    resources: Sequence[Row]
    """Of each its id, kind, key, fingerprint, whether it says anything about itself (`Lifecycle`),
    and its seal as text."""


def held(cache: Cache, files: Mapping[int, str]) -> Iterator[HeldFile]:
    """What is kept of some files, by their ids; raises `CacheChanged` if one has gone."""
    left = len(files)
    for known, rows in cache.contents():
        if known.id in files:
            left -= 1
            sound(known.resources == seal(*(tuple(row[2:]) for row in rows)))
            watched = [*orjson.loads(known.watched)] if known.watched else []
            resources = [(row.id, *row[2:-1], row.seal.hex()) for row in rows]
            yield HeldFile(known.id, files[known.id], watched, resources)
    if left:
        raise CacheChanged("another run has changed what was kept")


def recalled(cache: Cache, environment: str, listing: Listing) -> list[HeldFile] | None:
    """What the catalog of an environment holds, if it is known for exactly these files."""
    data = cache.inventory(_scope(environment), listing.digest)
    return None if data is None else [HeldFile(*file) for file in orjson.loads(data)]


def keep(
    cache: Cache, root: Path, environment: str, listing: Listing, files: Sequence[HeldFile]
) -> None:
    """Keeps it, unless a file is so new that it could change once more unnoticed.

    It is for the `cache` as this run sees it, which goes on seeing that.
    """
    path = home.place(root)
    if not listing.settled or cache.in_memory or path is None:
        return
    data = orjson.dumps([tuple(file) for file in files])
    try:
        with closing(Cache(path)) as other:
            other.keep_inventory(_scope(environment), listing.digest, cache.version, data)
    except FAILURES as error:
        blame(path, error)  # nothing is lost but the time of the next run


def _scope(environment: str) -> str:
    """The name under which it is kept; no database holds half a character."""
    return environment.encode("utf-8", "backslashreplace").decode()
