"""What a resource has to do with others."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ...address import Address
from ...problems import Finding
from ...resource import Form, Reference, Resource
from .authoring import Data, Json

Resources = Mapping[Address, Resource]
Groups = Mapping[Json, Sequence[Resource]]
"""Resources of a kind by a fact that they have in common, in the order of the catalog."""


@dataclass(frozen=True, kw_only=True)
class Relations:
    """What a resource refers to, and the rules between resources."""

    references: Callable[[Data], Iterator[Reference]]
    facts: Callable[[Data, Form], Mapping[str, Json]] = lambda _data, _form: {}
    """A few plain values for the rules of other resources; no structure, no prose."""
    unique: Sequence[str] = ()
    """Facts that no two resources of this kind may share."""
    reference_rules: Sequence[Callable[[Resource, Reference, Resource], Iterator[Finding]]] = ()
    """Rules about a resource of this kind and another that it names: itself, the reference, the
    other. They ask for `facts` and open a form only where they must."""
    group_by: str = ""
    """The fact that siblings have in common, such as the course of a criterion."""
    group_rules: Sequence[Callable[[Groups, Resources], Iterator[tuple[Resource, Finding]]]] = ()
    """Rules about siblings together: the groups of this kind by that fact, and the catalog, in
    which others are looked up. They ask for `facts` only."""
