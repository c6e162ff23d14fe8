"""What a pull works with."""

from collections.abc import Mapping, Set
from functools import partial
from typing import NamedTuple

from .. import live
from ..address import Address
from ..client import Reader
from ..resource import Resource
from ..state import Store
from ..workspace import Workspace


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
