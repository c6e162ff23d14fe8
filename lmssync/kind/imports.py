"""How something that others have made on the platform becomes a manifest."""

from collections.abc import Callable, Mapping, Sequence, Set
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol

from .authoring import Json
from .reads import Ids, ReadRequest


class NameOf(Protocol):
    """What a manifest writes for an id: the key of a resource, the label of a tag, the slug of a
    client; else the id itself."""

    def __call__(self, kind: str, id_: str, /) -> str: ...


class ImportedManifest(NamedTuple):
    """A manifest for something that is on the platform."""

    data: dict[str, Any]
    """What an author would write, without `resource` and `key`."""
    ids: Ids
    notes: Sequence[str] = ()
    """What the platform has and a manifest cannot say."""


Shown = Mapping[str, Json]
"""What reads brought of one thing: `item` from the list, and the further reads by name."""


class Imports(NamedTuple):
    """Where all that the platform has of a kind is listed, and how one becomes a manifest."""

    listed: ReadRequest
    """The list of all, or of those of one owner, whose id is its only parameter."""
    ids: Callable[[Json], Sequence[str]]
    """The ids by which people know an item of the list; by the first one it is recorded."""
    name: Callable[[Json], str]
    """The key that an item would have, if nothing else has it."""
    manifest: Callable[[Shown, NameOf], ImportedManifest | str]
    """The manifest of one, or why there can be none."""
    answers: Callable[[Shown], Mapping[str, Json]]
    """What the readings of the kind would have brought of one, by their routes: it is proven."""
    owner: str = ""
    """The kind that the list belongs to; the list may show the owner itself, which is left out."""
    by: int = 0
    """By which of the `ids` of its owner the list is asked for: its place among them, and among
    those that are recorded."""
    beside: Mapping[str, ReadRequest] = MappingProxyType({})
    """Further lists of all, by name: their items are found by the id of the item."""
    details: Mapping[str, Callable[[Json], ReadRequest]] = MappingProxyType({})
    """Further reads of one item, by their routes."""

    @property
    def routes(self) -> Set[str]:
        """All that an instance must have to show what a manifest needs."""
        return {self.listed.route, *(read.route for read in self.beside.values()), *self.details}
