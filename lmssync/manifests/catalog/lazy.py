"""The resources of a catalog, taken from the cache as they are asked for."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from sys import intern
from typing import NamedTuple

import orjson

from ...address import Address
from ...errors import WrongUse
from ...resource import Resource
from ..cache import FAILURES, Cache, CacheChanged, CachedFile, Index, Row, codec, seal, sound
from ..documents import Scope
from .workers import make


class _Source(NamedTuple):
    """Where a resource comes from, and what its row must be sealed with."""

    address: Address
    id: int
    path: str
    """Of its file."""
    position: int
    """Among the resources of the file."""
    fingerprint: str
    seal: bytes


class LazyResources(Mapping[Address, Resource]):
    """Holds addresses and fingerprints; everything else about a resource is fetched.

    `double` lists resources whose address another has already, in the order of their files, and
    `wrong` the files with something to report.
    """

    def __init__(self, cache: Cache, scope: Scope, files: Mapping[int, str]) -> None:
        """`files`: ids and paths. Raises `sqlite3.Error` for a damaged index."""
        self._cache, self._scope = cache, scope
        self._sources: dict[Address, _Source] = {}
        self._read: dict[str, list[Resource]] = {}
        self._watched: dict[str, bytes] = {}
        self.fingerprints: dict[Address, str] = {}
        self.careful: list[Address] = []
        self.double: list[_Source] = []
        self.wrong: list[CachedFile] = []
        left = len(files)
        for known, rows in cache.contents():
            if known.id in files:
                left -= 1
                self._hold(known, files[known.id], rows)
        if left:
            raise CacheChanged("another run has changed what was kept")

    def _hold(self, known: CachedFile, path: str, rows: Sequence[Index]) -> None:
        """Keeps what is needed of a file: with a hundred thousand, every string counts."""
        sound(known.resources == seal(*(tuple(row[2:]) for row in rows)))
        if known.problems or known.refused:
            self.wrong.append(known)
        if known.watched:
            self._watched[path] = known.watched
        for position, row in enumerate(rows):
            address = Address(intern(row.kind), row.key)
            source = _Source(address, row.id, path, position, row.fingerprint, row.seal)
            if address in self._sources:
                self.double.append(source)
                continue
            self._sources[address] = source
            self.fingerprints[address] = row.fingerprint
            if row.careful:
                self.careful.append(address)

    def __len__(self) -> int:
        return len(self._sources)

    def __iter__(self) -> Iterator[Address]:
        return iter(self._sources)

    def __contains__(self, address: object) -> bool:
        return address in self._sources

    def __getitem__(self, address: Address) -> Resource:
        return self.of(self._sources[address])

    def of(self, source: _Source) -> Resource:
        try:
            return self._made(source, self._cache.one(source.id), self._packed)
        except FAILURES as error:
            return self._again(source, error)

    def _made(self, source: _Source, row: Row, packed: Callable[[_Source], bytes]) -> Resource:
        """The resource of a row, if that is the one that was kept; `packed` fetches its form."""
        sound(source.seal == seal(source.path, *row))
        body = partial(packed, source)
        return codec.resource(source.address, source.fingerprint, row[6:], source.path, body)

    def _packed(self, source: _Source) -> bytes:
        try:
            return self._cache.packed(source.id, source.seal)
        except FAILURES as error:
            return self._again(source, error).packed

    def _again(self, source: _Source, error: Exception) -> Resource:
        """Reads the resource from its file, since the cached copy is damaged."""
        self._cache.blame(error)
        path, position = source.path, source.position
        if path not in self._read:
            self._read[path] = make(self._scope, path).resources
        resources = self._read[path]
        same = position < len(resources) and resources[position].fingerprint == source.fingerprint
        if not same:
            raise WrongUse(f"{path} was changed in the meantime", "run the command again")
        return resources[position]

    def watched(self) -> dict[str, list[str]]:
        """By manifest, every file that it names, whether or not it is there."""
        return {path: [*orjson.loads(names)] for path, names in self._watched.items()}

    def everything(self) -> dict[Address, Resource]:
        """All of them at once, without their forms: cheaper than one by one."""
        try:
            every = dict(self._every())
        except FAILURES:
            return dict(self)
        return every if len(every) == len(self) else dict(self)

    def _every(self) -> Iterator[tuple[Address, Resource]]:
        packed = self._packed  # one object for all
        for id_, row in self._cache.light():
            source = self._sources.get(Address._make(row[2:4]))
            if source and source.id == id_:
                yield source.address, self._made(source, row, packed)
