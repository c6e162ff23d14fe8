"""The resources of a catalog, taken from the cache as they are asked for."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple

import orjson

from ...address import Address
from ...errors import WrongUse
from ...resource import Resource
from ..cache import FAILURES, Cache, CachedFile, Index, Row, codec, seal, sound
from ..documents import Scope
from .workers import make


class _Source(NamedTuple):
    """Where a resource comes from, and what its row must be sealed with."""

    file: CachedFile
    position: int
    """Among the resources of the file."""
    fingerprint: str
    seal: bytes


class LazyResources(Mapping[Address, Resource]):
    """Holds addresses and fingerprints; everything else about a resource is fetched.

    `double` lists resources whose address another has already, in the order of their files.
    """

    def __init__(self, cache: Cache, scope: Scope, files: Sequence[CachedFile]) -> None:
        """`files`: in the order of the catalog. Raises `sqlite3.Error` for a damaged index."""
        self._cache, self._scope, self._files = cache, scope, files
        self._sources: dict[int, _Source] = {}
        self._ids: dict[Address, int] = {}
        self._read: dict[str, list[Resource]] = {}
        self.fingerprints: dict[Address, str] = {}
        self.careful: list[Address] = []
        self.double: list[tuple[Address, int]] = []
        rows: Mapping[int, list[Index]] = defaultdict(list)
        for row in sorted(cache.index()):
            rows[row.file].append(row)
        for known in files:
            sound(known.resources == seal(*(tuple(row[2:]) for row in rows[known.id])))
            for position, row in enumerate(rows[known.id]):
                self._sources[row.id] = _Source(known, position, row.fingerprint, row.seal)
                self._add(row)

    def _add(self, row: Index) -> None:
        address = Address(row.kind, row.key)
        if address in self._ids:
            self.double.append((address, row.id))
            return
        self._ids[address] = row.id
        self.fingerprints[address] = row.fingerprint
        if row.careful:
            self.careful.append(address)

    def __len__(self) -> int:
        return len(self._ids)

    def __iter__(self) -> Iterator[Address]:
        return iter(self._ids)

    def __contains__(self, address: object) -> bool:
        return address in self._ids

    def __getitem__(self, address: Address) -> Resource:
        return self.of_id(self._ids[address])

    def of_id(self, id_: int) -> Resource:
        try:
            return self._made(id_, self._cache.one(id_))
        except FAILURES as error:
            return self._again(id_, error)

    def _made(self, id_: int, row: Row) -> Resource:
        """The resource of a row, if that is the one that was kept."""
        file, _, _, mark = self._sources[id_]
        sound(mark == seal(file.path, file.variant, file.digest, *row))
        return codec.resource(row, file.path, partial(self._packed, id_))

    def _packed(self, id_: int) -> bytes:
        try:
            return self._cache.packed(id_, self._sources[id_].seal)
        except FAILURES as error:
            return self._again(id_, error).packed

    def _again(self, id_: int, error: Exception) -> Resource:
        """Reads the resource from its file, since the cached copy is damaged."""
        self._cache.blame(error)
        file, position, fingerprint, _ = self._sources[id_]
        if file.path not in self._read:
            self._read[file.path] = make(self._scope, file.path).resources
        resources = self._read[file.path]
        if position >= len(resources) or resources[position].fingerprint != fingerprint:
            raise WrongUse(f"{file.path} was changed in the meantime", "run the command again")
        return resources[position]

    def watched(self) -> dict[str, list[str]]:
        """By manifest, every file that it names, whether or not it is there."""
        return {k.path: [*orjson.loads(k.watched)] for k in self._files if k.watched}

    def everything(self) -> dict[Address, Resource]:
        """All of them at once, without their forms: cheaper than one by one."""
        try:
            rows = dict(self._cache.light())
            return {address: self._made(id_, rows[id_]) for address, id_ in self._ids.items()}
        except (KeyError, *FAILURES):
            return dict(self)
