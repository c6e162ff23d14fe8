"""What a pull works with, and what it did."""

from collections.abc import Mapping, Sequence, Set
from functools import partial
from typing import Any, NamedTuple

from ...planning.diff import Drift
from ...planning.workspace import Workspace
from ...platform import live
from ...platform.client import Reader
from ...resource import Address, Resource
from ...state import Store


class PullContext(NamedTuple):
    """The catalog on disk, the state, and a reader of the platform."""

    workspace: Workspace
    store: Store
    reader: Reader

    @property
    def routes(self) -> Set[str]:
        """Those that the instance has."""
        return self.workspace.project.platform.routes

    def binder(self, desired: Mapping[Address, Resource]) -> live.Binder:
        id_of_name = partial(live.id_of_name, live.IdsByName(self.reader))
        return live.Binder(self.store.find_ids, id_of_name, desired.__contains__)


class PulledField(NamedTuple):
    """A field that was pulled."""

    address: Address
    drift: Drift
    value: Any
    """What its manifest says now."""


class PulledPart(NamedTuple):
    """A part that came, went or was moved."""

    address: Address
    path: str
    change: str
    """`added`, `removed` or `moved`."""
    text: str
    """What has happened to the part, in words."""
    was: str = ""
    """Where it stood, if it was moved."""


class Pulled(NamedTuple):
    """Everything that a pull did."""

    taken: Sequence[PulledField]
    parts: Sequence[PulledPart]
    refused: Sequence[tuple[Address, str, str]]
    """Address, field and reason of what has to be done by hand."""
    files: Sequence[str]
    dry: bool = False
