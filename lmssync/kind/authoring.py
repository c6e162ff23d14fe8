"""What an author writes: the model, the form, the references, and the people it names."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple

from pydantic import BaseModel, ConfigDict

from ..problems import Finding
from ..resource import Address, Form, NamedId, Path, Place, Reference, Resource
from ..support.persons import Swap
from .combinations import Together

Json = Any
Data = Mapping[str, Any]
"""A document as the author wrote it, after the model has accepted it."""


class Spec(BaseModel):
    """What an author may write; unknown fields are mistakes and types are never bent."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, defer_build=True)
    personal: ClassVar[bool] = False
    """What it says identifies people: messages do not quote it."""


Meanings = Mapping[type[StrEnum], Mapping[Any, str]]
"""A sentence for each word of an enum."""


class Nested(NamedTuple):
    """A short form: resources that are written inside another resource."""

    field: str
    resource: str
    owner: str
    """The field that names the outer resource in the long form."""


class BodyField(NamedTuple):
    """A mapping in which an author may write a body, and where it stands."""

    path: Path
    holder: dict[str, Any]


class Table(NamedTuple):
    """A file of rows that an author may name instead of a list, and the field that names it."""

    path: Path
    holder: dict[str, Any]
    field: str
    """The field that names the file."""
    into: str
    """Where the rows go, as if they had been written there."""
    row: type[Spec]
    """The model of a row; its fields are the columns."""
    rules: Sequence[Callable[[Sequence[Any]], Iterator[Finding]]] = ()
    """Checks of all rows together; the path of a finding begins with the position of a row."""
    lines: str = ""
    """Where the file and the lines of the rows go: `("people/staff.csv", [2, 3])`."""


def declare_nothing(*_: object) -> tuple[()]:
    """The default for declarations that most kinds do not need."""
    return ()


def _form_title(form: Form) -> str:
    return str(form.get("title") or form.get("name") or "")


class Authoring(NamedTuple):
    """How a manifest becomes a form."""

    normalise: Callable[[str, Data], Form]
    """Key and accepted document to form."""
    rules: Sequence[Callable[[Any], Iterator[Finding]]] = ()
    """Checks that need more than one field; each gets the model."""
    title: Callable[[Form], str] = _form_title
    """What people call one, on one line and without markup; empty where they have no name."""
    body_fields: Callable[[Data], Iterable[BodyField]] = declare_nothing
    body_files: Callable[[Data], Iterable[BodyField]] = declare_nothing
    """Those of them whose body is in a file."""
    tables: Callable[[Data], Iterable[Table]] = declare_nothing
    meanings: Meanings = MappingProxyType({})
    """What each word of its enums means."""
    together: Together = MappingProxyType({})
    """Which fields go together: its rules look there, and so do the JSON Schemas."""
    nested: Sequence[Nested] = ()
    free_form: frozenset[str] = frozenset()
    """Fields whose keys are the author's own."""
    rows: Mapping[str, tuple[str, str]] = MappingProxyType({})
    """Lists of things without ids, whose order means nothing, with what one of them is called, and
    several: `("person", "people")`."""
    in_copy: Mapping[str, str | None] = MappingProxyType({})
    """What a copied manifest says instead of these fields; None leaves them out."""
    parts: Callable[[Form], Mapping[str, str]] = lambda _form: {}
    """Path of each part to its type."""


Resources = Mapping[Address, Resource]
Groups = Mapping[Json, Sequence[Resource]]
"""Resources of a kind that have a fact in common, in the order of the catalog."""
ReferenceRule = Callable[[Resource, Reference, Resource], Iterator[Finding]]
"""A resource, a reference in it, and the resource that it names."""


class Relations(NamedTuple):
    """What a resource refers to, and the rules between resources."""

    references: Callable[[Data], Iterator[Reference]]
    names: Mapping[str, str] = MappingProxyType({})
    """By field that names something else, the kind of it."""
    ids: Callable[[Form], Iterable[NamedId]] = declare_nothing
    """The uuids in a form, which name what is not managed here."""
    unlisted: Mapping[str, str] = MappingProxyType({})
    """By field, wherever it stands in a form, the noun of what it names on the platform, of which
    there is no list (O14, O49)."""
    facts: Callable[[Data, Form], Mapping[str, Json]] = lambda _data, _form: {}
    """A few plain values for the rules of other resources, and what may be its mark; no structure,
    no prose."""
    unique: Sequence[str] = ()
    """Facts that no two resources of this kind may have in common."""
    reference_rules: Mapping[str, Sequence[ReferenceRule]] = MappingProxyType({})
    """Rules about a resource of this kind and another that it names, by the field that names it.
    They ask for `facts` and open a form only where they must."""
    group_by: str = ""
    """The fact that siblings have in common, such as the course of a criterion."""
    group_rules: Sequence[Callable[[Groups, Resources], Iterator[tuple[Resource, Finding]]]] = ()
    """Rules about siblings together: the groups of this kind by that fact, and the catalog, in
    which others are looked up. They ask for `facts` only."""


class Listed(NamedTuple):
    """An identifier of a person, and where it stands."""

    text: Json
    """The node that stands for it if the form is concealed."""
    spot: Place | Path
    """A line of a table, or a path in the document."""


class Concealed(NamedTuple):
    """How identifiers of people are taken out of a kind's forms and put back in."""

    form: Callable[[Form, Swap], Form]
    """The form with each identifier swapped, in its canonical order."""
    answer: Callable[[Json, Swap], Json]
    """The answer of a call with each identifier in it swapped."""
    listed: Callable[[Form, Mapping[str, Json]], Iterator[Listed]]
    """Every identifier that a form and its facts name, including nodes."""
    remedy: str
    """What to do if a call is about somebody whom no list names any more."""
