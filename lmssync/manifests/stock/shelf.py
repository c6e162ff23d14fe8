"""The resources of a catalog, taken from the cache as they are asked for."""

from collections.abc import Iterable, Iterator, Mapping
from functools import partial

import orjson

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
        self.careful: list[Address] = []
        self.double: list[tuple[Address, int]] = []
        for id_, file, kind, key, fingerprint, careful in rows:
            address = Address(kind, key)
            self._file_of[id_] = files[file]
            if address in self._ids:
                self.double.append((address, id_))
                continue
            self._ids[address] = id_
            self.fingerprints[address] = fingerprint
            if careful:
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
        return codec.resource(
            self._cache.one(id_), self._file_of[id_], partial(self._cache.packed, id_)
        )

    def watched(self) -> set[str]:
        """Every file that the manifests name, whether or not it is there."""
        return {
            name
            for known in self._cache.known()
            if known.watched and known.id in self._files
            for name in orjson.loads(known.watched)
        }

    def everything(self) -> dict[Address, Resource]:
        """All of them at once, without their forms: cheaper than one by one."""
        rows = {row[0]: row[1:] for row in self._cache.light()}
        return {
            address: codec.resource(rows[id_], self._file_of[id_], partial(self._cache.packed, id_))
            for address, id_ in self._ids.items()
        }


def watched(resources: Mapping[Address, Resource]) -> set[str]:
    """Every file that the manifests of the resources name."""
    return resources.watched() if isinstance(resources, Shelf) else set()


def lightly(resources: Mapping[Address, Resource]) -> Mapping[Address, Resource]:
    """The resources for somebody who will look at all of them."""
    return resources.everything() if isinstance(resources, Shelf) else resources


def order(files: Iterable[tuple[int, str]]) -> dict[int, str]:
    """Path by id, sorted by path: the order in which a catalog is read."""
    return dict(sorted(files, key=lambda pair: pair[1]))
