"""What came of one file: its resources, what is wrong with it, and what that rests on."""

from collections.abc import Mapping
from typing import NamedTuple

from ...address import Address
from ...problems import Problem
from ...resource import Refused, Resource
from ..files import Sight


class Entry(NamedTuple):
    """One file as one scope reads it."""

    file: str
    variant: str
    stamp: str
    """Empty where the file was so new that it may have changed again unseen."""
    digest: str
    watched: Mapping[str, Sight]
    """Files that it names."""
    addresses: tuple[Address, ...]
    """Every address that it gives, of refused resources too."""
    resources: list[Resource]
    problems: list[Problem]
    refused: list[Refused]
