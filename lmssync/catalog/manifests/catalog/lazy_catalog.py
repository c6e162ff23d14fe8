"""A catalog that has been read; its resources come from the cache as they are asked for."""

import hashlib
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from itertools import islice
from pathlib import Path
from sys import intern
from types import MappingProxyType
from typing import NamedTuple, TypeVar

from ....errors import WrongUse
from ....problems import Problem
from ....resource import (
    Address,
    Origin,
    Place,
    RefusedResource,
    Resource,
    careful_resources,
    compute_fingerprints,
)
from ....settings import Project
from ..cache import (
    FAILURES,
    SEAL,
    Cache,
    HeldFile,
    Row,
    decode_resource,
    recall_relations,
    remember_relations,
    require_sound,
    seal_values,
)
from ..catalog_files import Listing
from ..documents import Scope, locate_at_once
from .changed_files import make_entry


class _Body(NamedTuple):
    """Fetches the form of a resource: one for each, so it is small."""

    owner: "LazyResources"
    number: int

    def __call__(self) -> bytes:
        return self.owner.read_packed_form(self.number)


_Value = TypeVar("_Value")


class _Numbered(Mapping[Address, _Value]):
    """Something about each resource of a catalog, found by the number of the resource."""

    def __init__(self, numbers: dict[Address, int]) -> None:
        self._numbers = numbers

    def __len__(self) -> int:
        return len(self._numbers)

    def __iter__(self) -> Iterator[Address]:
        return iter(self._numbers)

    def __contains__(self, address: object) -> bool:
        return address in self._numbers


_DIGEST = 32
"""Bytes of a fingerprint."""
_WIDTH = _DIGEST + SEAL
"""Bytes of a fingerprint with the seal of its resource."""


class _Fingerprints(_Numbered[str]):
    """The fingerprints of all resources, each spelled when it is asked for."""

    def __init__(self, numbers: dict[Address, int], digests: bytearray) -> None:
        super().__init__(numbers)
        self._digests = digests

    def __getitem__(self, address: Address) -> str:
        start = self._numbers[address] * _WIDTH  # not by `spell_numbered`: it is asked for often
        return self._digests[start : start + _DIGEST].hex()

    def spell_numbered(self, number: int) -> str:
        """The fingerprint of a resource by its number."""
        start = number * _WIDTH
        return self._digests[start : start + _DIGEST].hex()


class LazyResources(_Numbered[Resource]):
    """Holds addresses and fingerprints; everything else about a resource is fetched.

    What is known of each is in columns, since objects of a hundred thousand take too much memory.
    `double` lists resources whose address another has already, with their numbers, in the order of
    their files.
    """

    def __init__(
        self, cache: Cache, scope: Scope, listing: Listing, files: Iterable[HeldFile]
    ) -> None:
        super().__init__({})
        self._cache, self._scope = cache, scope
        self._ids, self._positions = array("q"), array("q")
        self._paths: list[str] = []
        self._digests = bytearray()
        """Of each resource its fingerprint and its seal."""
        self._read: dict[str, list[Resource]] = {}
        self.watched: dict[str, Sequence[str]] = {}
        """For each manifest, the files that it names, whether or not they are there."""
        self.fingerprints = _Fingerprints(self._numbers, self._digests)
        self.careful: list[Address] = []
        self.double: list[tuple[Address, int]] = []
        self._outlines = hashlib.sha256()
        self._opened = 0
        names = {name: name for name in listing.files}
        for file in files:
            self._hold_file(file, names.get(file.path, file.path))

    def _hold_file(self, file: HeldFile, path: str) -> None:
        """Keeps what is needed of a file. With a hundred thousand every string counts, so `path` is
        the one that the listing has already."""
        if file.watched:
            self.watched[path] = file.watched
        for position, row in enumerate(file.resources):
            id_, kind, key, print_, careful, outline, mark = row
            address = Address._make((intern(kind), key))
            self._outlines.update(outline.encode())
            number = len(self._paths)
            self._ids.append(id_)
            self._paths.append(path)
            self._positions.append(position)
            self._digests += bytes.fromhex(print_ + mark)
            if self._numbers.setdefault(address, number) != number:
                self.double.append((address, number))
            elif careful:
                self.careful.append(address)

    def __getitem__(self, address: Address) -> Resource:
        return self.load_resource(address, self._numbers[address])

    def load_resource(self, address: Address, number: int) -> Resource:
        """The resource of a number."""
        try:
            return self._decode_row(address, number, self._cache.read_row(self._ids[number]))
        except FAILURES as error:
            return self._read_again(number, error)

    def _decode_row(self, address: Address, number: int, row: Row) -> Resource:
        path, print_ = self._paths[number], self.fingerprints.spell_numbered(number)
        require_sound(self._find_seal(number) == seal_values(path, *row))
        return decode_resource(address, print_, row[6:], path, _Body(self, number))

    def _find_seal(self, number: int) -> bytes:
        end = (number + 1) * _WIDTH
        return bytes(self._digests[end - SEAL : end])

    def read_packed_form(self, number: int) -> bytes:
        """The form of a resource, as `pack_text` packs it; read again from its file where the cache
        is damaged."""
        self._opened += 1
        try:
            return self._cache.read_packed_form(self._ids[number], self._find_seal(number))
        except FAILURES as error:
            return self._read_again(number, error).packed_form

    def _read_again(self, number: int, error: Exception) -> Resource:
        """Reads the resource from its file, since the cached copy is damaged."""
        self._cache.delete_if_damaged(error)
        path, position = self._paths[number], self._positions[number]
        if path not in self._read:
            self._read[path] = make_entry(self._scope, path).resources
        resources = self._read[path]
        print_ = self.fingerprints.spell_numbered(number)
        if position >= len(resources) or resources[position].fingerprint != print_:
            raise WrongUse(f"{path} was changed in the meantime", "run the command again")
        return resources[position]

    def iterate_resources(self) -> Iterator[Resource]:
        """All resources one by one, without their forms: cheaper than to ask for each of them."""
        rows = self._decode_all()
        for address in self._numbers:
            try:
                resource = next(rows, None)
            except FAILURES:  # asked for alone, each is read again from its file
                resource = None
            yield resource if resource and resource.address == address else self[address]

    def judge_outlines(
        self, judge: Callable[[Mapping[Address, Resource]], list[Problem]]
    ) -> list[Problem]:
        """What `judge` finds between all resources. Where their outlines are as they were, that is
        recalled, and none is read; a judge that opens forms sees more, and is asked again."""
        scope, digest = self._scope, self._outlines.hexdigest()
        known = recall_relations(self._cache, scope.environment, digest)
        if known is None:
            opened, known = (
                self._opened,
                judge({one.address: one for one in self.iterate_resources()}),
            )
            if self._opened == opened:
                remember_relations(self._cache, scope.root, scope.environment, digest, known)
        return known

    def _decode_all(self) -> Iterator[Resource]:
        for id_, row in self._cache.read_rows():
            number = self._numbers.get(address := Address._make(row[2:4]))
            if number is not None and self._ids[number] == id_:
                yield self._decode_row(address, number, row)


class _SliceResources(Mapping[Address, Resource]):
    """Some of the resources, fetched from all of them."""

    def __init__(self, every: Mapping[Address, Resource], own: Sequence[Address]) -> None:
        known = compute_fingerprints(every)
        self.every = every
        self.fingerprints = {address: known[address] for address in own}
        careful = (resource.address for resource in careful_resources(every))
        self.careful = [address for address in careful if address in self.fingerprints]

    def __len__(self) -> int:
        return len(self.fingerprints)

    def __iter__(self) -> Iterator[Address]:
        return iter(self.fingerprints)

    def __contains__(self, address: object) -> bool:
        return address in self.fingerprints

    def __getitem__(self, address: Address) -> Resource:
        if address not in self.fingerprints:
            raise KeyError(address)
        return self.every[address]


_TOGETHER = 1_000
"""Lines that are digested in one go: those of all resources would fill the memory."""


class Catalog(NamedTuple):
    """The resources that one environment should have."""

    root: Path
    resources: Mapping[Address, Resource]
    files: int
    scope: Scope | None = None
    refused: Set[Address] = frozenset()
    """Addresses that documents give but that became no resource."""
    unsure: Sequence[RefusedResource] = ()
    """The resources at those addresses that can be read in part."""
    kept: LazyResources | None = None
    """Where its resources are fetched from; None if they are all at hand."""
    elsewhere: Mapping[Address, str] = MappingProxyType({})
    """In the catalog of one slice: what the others have, with the names of their slices."""

    @property
    def digest(self) -> str:
        """Changes when any resource does; the order of files and comments do not matter."""
        known, digest = compute_fingerprints(self.resources), hashlib.sha256()
        sums = (f"{address} {known[address]}\n" for address in sorted(known))
        while some := "".join(islice(sums, _TOGETHER)):
            digest.update(some.encode())
        return digest.hexdigest()

    @property
    def watched(self) -> Set[str]:
        """Every file that the manifests name, whether or not it is there."""
        return {name for names in self.named_files.values() for name in names}

    @property
    def named_files(self) -> Mapping[str, Sequence[str]]:
        """For each manifest, the bodies and tables that it names, whether or not they are there."""
        return self.kept.watched if self.kept else {}

    @property
    def outlines(self) -> Mapping[Address, Resource]:
        """The resources for a caller that looks at all of them but opens few."""
        return {one.address: one for one in self.iterate_outlines()}

    def iterate_outlines(self) -> Iterator[Resource]:
        """The resources for a caller that looks at each of them once."""
        every = self.kept.iterate_resources() if self.kept else self.resources.values()
        return (one for one in every if one.address not in self.elsewhere)

    def limit_to_slice(self, project: Project, name: str) -> "Catalog":
        """The catalog with the resources of one slice only; it knows which slices have the rest."""
        slices = {a: project.find_slice(one.origin.file) for a, one in self.outlines.items()}
        own = _SliceResources(self.resources, [a for a, of in slices.items() if of == name])
        return self._replace(
            resources=own, elsewhere={a: of for a, of in slices.items() if of != name}
        )

    def join_slices(self) -> "Catalog":
        """The catalog of all slices; of one that is not limited, itself."""
        if not isinstance(self.resources, _SliceResources):
            return self
        return self._replace(resources=self.resources.every, elsewhere={})

    def has_address(self, address: Address) -> bool:
        """Whether the catalog has it, in whichever slice."""
        return address in self.resources or address in self.elsewhere

    def locate_problems(self, problems: Iterable[Problem]) -> list[Problem]:
        """The problems, with their places in the files where they are errors."""
        return locate_at_once(self.scope, problems) if self.scope else list(problems)

    def find_places(self, origins: Mapping[str, Origin]) -> dict[str, Place]:
        """Where things stand that nothing is wrong with, under the names that they are given."""
        asked = [Problem("place", name, origin) for name, origin in origins.items()]
        return {located.message: located.where for located in self.locate_problems(asked)}
