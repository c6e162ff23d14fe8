"""What a catalog holds while none of its files changes: one row in place of those of every file."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import orjson

from ..files import TEMPLATE, Listing
from . import codec, home
from .cache import Cache, blame
from .tables import FAILURES, Row, seal, sound


class HeldFile(NamedTuple):
    """A manifest as the cache has it."""

    id: int
    path: str
    stamp: str
    varies: bool
    """Whether what it gives depends on the environment."""
    watched: Sequence[str]
    """Files that it names, whether or not they are there."""
    resources: Sequence[Row]
    """Of each its id, kind, key, fingerprint, whether it says anything about itself (`Lifecycle`),
    and its seal as text."""


class Inventory(NamedTuple):
    """What a catalog held when it was last looked at."""

    digest: str
    """That of its listing; none if it is not whole."""
    files: Sequence[HeldFile]

    def unchanged(self, listing: Listing) -> Iterator[HeldFile]:
        """The files that are as they were, as far as their stamps alone can tell."""
        return (
            file
            for file in self.files
            if not (file.varies or file.watched) and str(listing.files.get(file.path)) == file.stamp
        )


def held(cache: Cache, listing: Listing, ids: Iterable[int]) -> Iterator[HeldFile]:
    """What is kept of some files, in the order of their paths."""
    for known, rows in cache.contents(ids):
        sound(known.resources == seal(*(tuple(row[2:]) for row in rows)))
        watched = [*orjson.loads(known.watched)] if known.watched else []
        resources = [(row.id, *row[2:-1], row.seal.hex()) for row in rows]
        path, varies = known.path, known.path.endswith(TEMPLATE) or known.variant != ""
        yield HeldFile(known.id, path, str(listing.files[path]), varies, watched, resources)


def recalled(cache: Cache, environment: str) -> Inventory:
    """What the catalog of an environment held, without the files that the cache has dropped since;
    no id is ever given twice."""
    known = cache.inventory(_scope(cache, environment))
    if known is None:
        return Inventory("", [])
    digest, (ids, files) = known[0], (cache.ids, orjson.loads(known[1]))
    there = [HeldFile(*file) for file in files if file[0] in ids]
    return Inventory(digest if len(there) == len(files) else "", there)


def keep(
    cache: Cache, root: Path, environment: str, listing: Listing, files: Sequence[HeldFile]
) -> None:
    """Keeps it, unless a file is so new that it could change once more unnoticed.

    The `cache` goes on seeing what it holds now, so another connection writes.
    """
    path = home.place(root)
    if not listing.settled or cache.in_memory or path is None:
        return
    data = codec.json_out(files)
    try:
        with closing(Cache(path)) as other:
            other.keep_inventory(_scope(cache, environment), listing.digest, data)
    except FAILURES as error:
        blame(path, error)  # nothing is lost but the time of the next run


def _scope(cache: Cache, environment: str) -> str:
    """The name under which it is kept: what another project file would make of the files is
    another inventory. No database holds half a character."""
    return f"{cache.key} {environment}".encode("utf-8", "backslashreplace").decode()
