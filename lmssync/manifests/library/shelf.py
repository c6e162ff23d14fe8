"""The resources of a catalog, taken from the cache as they are asked for."""

from collections.abc import Iterable, Iterator, Mapping
from functools import partial

from ...address import Address
from ...resource import Resource
from . import codec
from .cache import Cache


class Shelf(Mapping[Address, Resource]):
    """Addresses and fingerprints are at hand; what else a resource holds is fetched.

    `double` lists resources whose address another has already, in the order of their files.
    """

    def __init__(self, cache: Cache, files: Mapping[int, str]) -> None:
        """`files`: path by id, in the order of the catalog."""
        self._cache, self._files = cache, files
        rank = {file: n for n, file in enumerate(files)}
        rows = [row for row in cache.index() if row[1] in rank]
        rows.sort(key=lambda row: (rank[row[1]], row[0]))
        self._ids: dict[Address, int] = {}
        self._file_of: dict[int, str] = {}
        self.fingerprints: dict[Address, str] = {}
        self.double: list[tuple[Address, int]] = []
        for id_, file, kind, key, fingerprint in rows:
            address = Address(kind, key)
            self._file_of[id_] = files[file]
            if address in self._ids:
                self.double.append((address, id_))
                continue
            self._ids[address] = id_
            self.fingerprints[address] = fingerprint

    def __len__(self) -> int:
        return len(self._ids)

    def __iter__(self) -> Iterator[Address]:
        return iter(self._ids)

    def __contains__(self, address: object) -> bool:
        return address in self._ids

    def __getitem__(self, address: Address) -> Resource:
        return self.of_id(self._ids[address])

    def of_id(self, id_: int) -> Resource:
        return codec.resource(
            self._cache.one(id_), self._file_of[id_], partial(self._cache.packed, id_)
        )

    def everything(self) -> dict[Address, Resource]:
        """All of them at once, without their forms: cheaper than one by one."""
        rows = {row[0]: row[1:] for row in self._cache.light()}
        return {
            address: codec.resource(rows[id_], self._file_of[id_], partial(self._cache.packed, id_))
            for address, id_ in self._ids.items()
        }


def fingerprints(resources: Mapping[Address, Resource]) -> Mapping[Address, str]:
    """Fingerprint of each resource; a shelf opens nothing to tell."""
    if isinstance(resources, Shelf):
        return resources.fingerprints
    return {address: resource.fingerprint for address, resource in resources.items()}


def lightly(resources: Mapping[Address, Resource]) -> Mapping[Address, Resource]:
    """The resources for somebody who will look at all of them."""
    return resources.everything() if isinstance(resources, Shelf) else resources


def order(files: Iterable[tuple[int, str]]) -> dict[int, str]:
    """Path by id, sorted by path: the order in which a catalog is read."""
    return dict(sorted(files, key=lambda pair: pair[1]))
