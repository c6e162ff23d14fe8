"""Reads a whole catalog: every file parsed, checked, fingerprinted and dropped."""

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from ..address import Address
from ..problems import Problem
from ..resource import Resource
from .check import check
from .find import find
from .read import read


class Catalog(NamedTuple):
    """What is desired."""

    root: Path
    resources: Mapping[Address, Resource]
    files: int

    @property
    def digest(self) -> str:
        """Changes when any resource does; the order of files and comments do not matter."""
        sums = (
            f"{address} {self.resources[address].fingerprint}\n"
            for address in sorted(self.resources)
        )
        return hashlib.sha256("".join(sums).encode()).hexdigest()


def load(root: Path) -> tuple[Catalog, list[Problem]]:
    """The catalog under `root` and what is wrong with each file; references are not looked at."""
    resources: dict[Address, Resource] = {}
    problems: list[Problem] = []
    files = find(root)
    for file in files:
        documents, wrong = read(root, file)
        problems += wrong
        for document in documents:
            found, wrong = check(root, document)
            problems += wrong
            for resource in found:
                problems += _twice(resources.get(resource.address), resource)
                resources.setdefault(resource.address, resource)
    return Catalog(root, resources, len(files)), problems


def _twice(first: Resource | None, second: Resource) -> list[Problem]:
    if first is None:
        return []
    field = "key" if not second.origin.path else "id"
    return [
        Problem(
            "key-twice",
            f"the key `{second.address.key}` is taken by {first.origin.file}",
            second.origin._replace(path=(*second.origin.path, field)),
            "give one of the two another key",
            second.address,
        )
    ]
