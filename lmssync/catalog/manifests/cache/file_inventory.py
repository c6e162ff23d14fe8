"""What is known of a catalog while no file changes: its files, and how a validation ended.

A few rows take the place of one for each file. A second `validate` runs little more than this.

The addresses that the cache knows are offered while somebody types a word. They are those of the
last `validate` or `plan`: no file of the catalog is read.
"""

import hashlib
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import closing
from itertools import chain, islice
from pathlib import Path
from typing import NamedTuple

import orjson

from .... import plugins
from ....problems import Problem
from ....resource import Address
from ....settings import Project
from ....support.cache_folder import find_cache_file, is_ours
from ....support.disk_buffer import read_kept_bytes
from ....support.remembered_files import program_identity
from ..catalog_files import PROJECT, TEMPLATE, Listing
from .cache_file import FAILURES, Row, require_sound, seal_values
from .entry_codec import decode_problem, decode_resource, json_out, problems_in, problems_out
from .result_cache import Cache, delete_damaged_cache

MOST = 2_000
"""Nobody chooses among more."""
_QUERY = (
    "SELECT DISTINCT kind || '.' || key AS address FROM resource "
    "WHERE substr(address, 1, ?) = ? ORDER BY address LIMIT ?"
)


def list_cached_addresses(root: Path, start: str) -> list[str]:
    """The cached addresses that begin with a text, sorted; none where there is no cache, or it
    cannot be read."""
    file = find_cache_file(root)
    if file is None or not is_ours(file):
        return []
    try:
        with closing(sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True)) as database:
            rows = database.execute(_QUERY, (len(start), start, MOST)).fetchall()
    except sqlite3.Error:  # completion has no way to say so; the next run mends the cache
        return []
    return [address for (address,) in rows if isinstance(address, str)]


_TOGETHER = 1_000
"""Files of one portion."""


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
    the digest of its outline, and its seal as text."""


class Inventory:
    """The files of a catalog when it was last read.

    A hundred thousand files are never in memory at once.
    """

    def __init__(self, cache: Cache, environment: str) -> None:
        self._cache, self._scope = cache, _spell_scope(f"{cache.key} {environment}")
        digest, ids = next(cache.read_inventory(self._scope), ("", b"[]"))
        listed, there = set(orjson.loads(ids)), cache.file_ids
        self.ids: Set[int] = listed & there
        """Of the files that the cache still has; none is ever given twice."""
        self.unlisted: Set[int] = there - listed
        """Of the files that the cache has besides."""
        self.digest = digest if len(self.ids) == len(listed) else ""
        """The digest of the listing; empty if the inventory is not whole."""

    def list_held_files(self) -> Iterator[HeldFile]:
        """The files that the cache still has, in the order of their paths."""
        return map(HeldFile._make, self._list_rows())

    def _list_rows(self) -> Iterator[Row]:
        found = 0
        for _, held in islice(self._cache.read_inventory(self._scope), 1, None):
            for row in orjson.loads(held):
                if row[0] in self.ids:
                    found += 1
                    yield row
        require_sound(found == len(self.ids))

    def list_unchanged(self, listing: Listing) -> dict[int, str]:
        """The ids and paths of the files that are as they were, as far as their stamps alone can
        tell."""
        return {
            id_: path
            for id_, path, stamp, varies, watched, _ in self._list_rows()
            if not (varies or watched) and listing.files.get(path) == stamp
        }


class Portions:
    """Encodes files as they pass, to write them later; until then they are out of the memory."""

    def __init__(self) -> None:
        self.ids: list[int] = []
        self._spelled: list[bytes | Callable[[], bytes]] = []

    def pass_through(self, files: Iterator[HeldFile]) -> Iterator[HeldFile]:
        from ....support.disk_buffer import DiskBuffer  # only where a file has changed

        spill = DiskBuffer()
        while some := list(islice(files, _TOGETHER)):
            self.ids += [file.id for file in some]
            self._spelled.append(spill.keep_bytes(json_out([[*file] for file in some])))
            yield from some

    def __iter__(self) -> Iterator[bytes]:
        """The ids of all, then the files."""
        yield json_out(self.ids)
        yield from (read_kept_bytes(kept) for kept in self._spelled)


def list_held_by_id(cache: Cache, listing: Listing, ids: Iterable[int]) -> Iterator[HeldFile]:
    """The cached content of some files, in the order of their paths."""
    for known, rows in cache.read_contents(ids):
        require_sound(known.resources == seal_values(*(tuple(row[2:]) for row in rows)))
        watched = [*orjson.loads(known.watched)] if known.watched else []
        resources = [(row.id, *row[2:-1], row.seal.hex()) for row in rows]
        path, varies = known.path, known.path.endswith(TEMPLATE) or known.variant != ""
        yield HeldFile(known.id, path, listing.files[path], varies, watched, resources)


def keep_inventory(
    cache: Cache, root: Path, environment: str, listing: Listing, files: Portions
) -> None:
    """Keeps it, unless a file is so new that it could change once more unnoticed."""
    scope, digest = _spell_scope(f"{cache.key} {environment}"), listing.digest
    if listing.settled:
        _write_apart(cache, root, lambda other: other.keep_inventory(scope, digest, files))


def _write_apart(cache: Cache, root: Path, write: Callable[[Cache], None]) -> None:
    """Writes by another connection, since the `cache` goes on seeing what it holds now."""
    path = find_cache_file(root)
    if cache.in_memory or path is None:
        return
    try:
        with closing(Cache(path)) as other:
            write(other)
    except FAILURES as error:
        delete_damaged_cache(path, error)  # nothing is lost but the time of the next run


def spell_cache_key(project: Project, house: Iterable[str] = ()) -> str:
    """The digest of whatever every file depends on: the program, the project, the files of the
    house's rules."""
    parts = "".join([f"{program_identity()} {project!r}", *house])
    return hashlib.sha256(parts.encode("utf-8", "surrogateescape")).hexdigest()


class KnownResources(NamedTuple):
    """The resources of a catalog, all of which have fingerprints that are known."""

    number: int
    protected: set[Address]


def recall_known_resources(
    root: Path, scope: str, listing: Listing, known: Mapping[Address, str]
) -> KnownResources | None:
    """The resources that exactly these files give; None where that is not remembered, or one of
    them has a fingerprint that is not `known`."""
    path = find_cache_file(root)
    if path is None or not is_ours(path):
        return None
    try:
        with closing(Cache(path)) as cache:
            return _match_inventory(cache, _spell_scope(scope), listing, known)
    except FAILURES as error:
        delete_damaged_cache(path, error)
        return None


def _match_inventory(
    cache: Cache, scope: str, listing: Listing, known: Mapping[Address, str]
) -> KnownResources | None:
    portions = cache.read_inventory(scope)
    if next(portions, ("",))[0] != listing.digest:
        return None
    number, protected = 0, set[Address]()
    for _, file, *_, rows in chain.from_iterable(orjson.loads(held) for _, held in portions):
        for id_, kind, key, print_, careful, _, mark in rows:
            address = Address(kind, key)
            if known.get(address) != print_:
                return None
            number += 1
            if careful:
                row = cache.read_row(id_)
                require_sound(mark == seal_values(file, *row).hex())
                if decode_resource(address, "", row[6:], file, b"").lifecycle.protect:
                    protected.add(address)
    return KnownResources(number, protected)


def recall_relations(cache: Cache, environment: str, outlines: str) -> list[Problem] | None:
    """What was wrong between the resources of a catalog whose outlines have this digest; None if it
    is not known."""
    try:
        kept = cache.read_outcome(_spell_relations(cache, environment), outlines)
    except FAILURES as error:
        cache.delete_if_damaged(error)
        return None
    return None if kept is None else problems_in(kept)


def remember_relations(
    cache: Cache, root: Path, environment: str, outlines: str, problems: list[Problem]
) -> None:
    """Keeps what is wrong between the resources of a catalog."""
    scope, row = _spell_relations(cache, environment), problems_out(problems)
    _write_apart(cache, root, lambda other: other.keep_outcome(scope, outlines, row))


def _spell_relations(cache: Cache, environment: str) -> str:
    return _spell_scope(f"{cache.key} {environment} relations")


def _spell_scope(name: str) -> str:
    """The name under which something is kept: no database holds half a character. What another
    project file would make of the files is another inventory."""
    return name.encode("utf-8", "backslashreplace").decode()


EVERY = "*"
"""The scope of all environments together."""


class Validation(NamedTuple):
    """The report of `validate`."""

    files: int
    resources: int
    problems: list[Problem]
    plugins: Mapping[str, str] = {}
    """What it depends on besides the files: the packages whose rules were asked, by name, as
    `plugins.plugin_identities` has them."""


def recall_outcome(
    root: Path, environment: str | None, listing: Listing, *, or_every: bool = False
) -> Validation | None:
    """The last outcome for exactly these files, of an environment `or_every` one; None if it is not
    known."""
    path = find_cache_file(root)
    if PROJECT not in listing.files or path is None or not is_ours(path):
        return None
    try:
        with closing(Cache(path)) as cache:
            scopes, digest = [environment or EVERY, *[EVERY] * or_every], _listing_digest(listing)
            rows = [cache.read_outcome(_spell_scope(scope), digest) for scope in scopes]
    except FAILURES as error:
        delete_damaged_cache(path, error)
        return None
    row = next(filter(None, rows), None)
    if row is None:
        return None
    files, resources, problems, listed = orjson.loads(row)
    if listed and listed != plugins.plugin_identities(listed):
        return None
    return Validation(files, resources, list(map(decode_problem, problems)), listed)


def remember_outcome(
    root: Path, environment: str | None, listing: Listing, outcome: Validation
) -> None:
    """Keeps an outcome, unless a file is so new that it could change once more unnoticed."""
    path = find_cache_file(root)
    if not listing.settled or path is None or not is_ours(path):
        return
    problems = orjson.Fragment(problems_out(outcome.problems))
    row = orjson.dumps([outcome.files, outcome.resources, problems, outcome.plugins])
    try:
        with closing(Cache(path)) as cache:
            cache.keep_outcome(_spell_scope(environment or EVERY), _listing_digest(listing), row)
    except FAILURES as error:
        delete_damaged_cache(path, error)  # nothing is lost but the time of the next run


def _listing_digest(listing: Listing) -> str:
    return hashlib.sha256(f"{program_identity()} {listing.digest}".encode()).hexdigest()
