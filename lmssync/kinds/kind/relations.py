"""What a resource has to do with others."""

from collections.abc import Mapping, Sequence

from ...address import Address
from ...resource import Resource
from .authoring import Json

Resources = Mapping[Address, Resource]
Families = Mapping[Json, Sequence[Resource]]
"""Resources of a kind by a fact that they have in common, in the order of the catalog."""
