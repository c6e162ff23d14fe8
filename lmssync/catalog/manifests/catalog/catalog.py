"""A catalog that has been read."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence, Set
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from ....problems import Problem
from ....resource import Address, Origin, Place, RefusedResource, Resource, fingerprints
from ..documents import Scope, locate_at_once
from .lazy import LazyResources

_TOGETHER = 1_000
"""Lines that are digested in one go: those of all resources would fill the memory."""


class Catalog(NamedTuple):
    """What is desired."""

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

    @property
    def digest(self) -> str:
        """Changes when any resource does; the order of files and comments do not matter."""
        known, digest = fingerprints(self.resources), hashlib.sha256()
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
        """The same by manifest: bodies and tables."""
        return self.kept.watched if self.kept else {}

    @property
    def outlines(self) -> Mapping[Address, Resource]:
        """The resources for a caller that looks at all of them but opens few."""
        return self.kept.everything() if self.kept else self.resources

    def locate_problems(self, problems: Iterable[Problem]) -> list[Problem]:
        """The problems, with their places in the files where they are errors."""
        return locate_at_once(self.scope, problems) if self.scope else list(problems)

    def find_places(self, origins: Mapping[str, Origin]) -> dict[str, Place]:
        """Where things stand that nothing is wrong with, under the names that they are given."""
        asked = [Problem("place", name, origin) for name, origin in origins.items()]
        return {located.message: located.where for located in self.locate_problems(asked)}
