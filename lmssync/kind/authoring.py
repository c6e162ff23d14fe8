"""What an author writes: the model, the form, the references, the people, which fields go together.

Rules and JSON Schemas are made of the combinations. Their texts are what an editor says; the rules
have their own words.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from ..problems import Finding
from ..resource import Address, Form, NamedId, Path, Place, Reference, Resource
from ..support.persons import Swap

if TYPE_CHECKING:
    from .manifest_model import Table


class Companion(NamedTuple):
    """A field that belongs to one of two fields, and is refused next to the other."""

    field: str
    of: str
    stray: str
    missing: str = ""
    """Said where the field that it belongs to is there without it; nothing if that may be."""


class Either(NamedTuple):
    """Exactly one of two fields is given."""

    first: str
    second: str
    none: str
    both: str
    companions: Sequence[Companion] = ()

    def given_fields(self, model: Any) -> list[str]:
        return [name for name in (self.first, self.second) if getattr(model, name) is not None]


class SomeOf(NamedTuple):
    """At least one of some fields is given."""

    fields: Sequence[str]

    def lacks_all(self, model: Any) -> bool:
        """Whether none of the fields is given."""
        return all(getattr(model, name) is None for name in self.fields)


class OneAtMost(NamedTuple):
    """At most one of some fields is written, even as null."""

    fields: Sequence[str]
    several: str

    def used_fields(self, model: Any) -> Sequence[str]:
        """The names of the fields that are written, where more than one is."""
        if len(model.model_fields_set.intersection(self.fields)) <= 1:
            return ()
        return [name for name in self.fields if name in model.model_fields_set]


class Without(NamedTuple):
    """Some fields of an inner mapping are not given."""

    holder: str
    fields: Set[str]
    stray: str
    """The message, with `{field}` in it."""


class Word(NamedTuple):
    """The fields that one word of a field allows, among those that not every word allows."""

    allowed: Set[str] = frozenset()
    needed: Set[str] = frozenset()
    further: "Sequence[Combination]" = ()


@dataclass(frozen=True)
class ByWord:
    """The word of one field decides which others belong."""

    field: str
    words: Mapping[Any, Word]
    holder: str
    """What the word describes: `a course of kind`."""

    @cached_property
    def apart(self) -> Set[str]:
        """The fields that not every word allows."""
        return frozenset().union(*(word.allowed for word in self.words.values()))

    @cached_property
    def refused_fields(self) -> Mapping[Any, frozenset[str]]:
        """The fields that do not belong to each word: nearly always, none of them is written."""
        return {word: frozenset(self.apart - says.allowed) for word, says in self.words.items()}

    def stray_fields(self, model: Any) -> list[str]:
        """The fields that are given but do not belong to the current word."""
        refused = self.refused_fields[getattr(model, self.field)]
        names = sorted(refused & model.model_fields_set)
        return [name for name in names if getattr(model, name) is not None]

    def missing_fields(self, model: Any) -> list[str]:
        """The fields that the word needs and that are not given."""
        needed = self.words[getattr(model, self.field)].needed
        return [name for name in sorted(needed) if getattr(model, name) is None]


Combination = Either | SomeOf | OneAtMost | Without | ByWord | Mapping[str, Any]
"""A mapping is JSON Schema, for what cannot be declared with these classes."""
Together = Mapping[type[Any], Sequence[Combination]]
"""The combinations of a kind, by the model that has the fields."""


Json = Any
Data = Mapping[str, Any]
"""A document as the author wrote it, after the model has accepted it."""


Meanings = Mapping[type[StrEnum], Mapping[Any, str]]
"""A sentence for each word of an enum."""


class Nested(NamedTuple):
    """A short form: resources that are written inside another resource."""

    field: str
    resource: str
    owner: str
    """The field that names the outer resource in the long form."""


class BodyField(NamedTuple):
    """A mapping in which an author may write a body, and its path."""

    path: Path
    holder: dict[str, Any]


def declare_nothing(*_: object) -> tuple[()]:
    """The default for declarations that most kinds do not need."""
    return ()


def form_title(form: Form) -> str:
    """What most kinds call one: the title or the name in its form, or nothing."""
    return str(form.get("title") or form.get("name") or "")


class Authoring(NamedTuple):
    """How a manifest becomes a form."""

    normalise: Callable[[str, Data], Form]
    """Key and accepted document to form."""
    rules: Sequence[Callable[[Any], Iterator[Finding]]] = ()
    """Checks that need more than one field; each gets the model."""
    title: Callable[[Form], str] = form_title
    """What people call one, on one line and without markup; empty where they have no name."""
    title_in: Callable[[Form, Form], str] | None = None
    """The same beside the form of what it belongs to, which knows the titles of parts."""
    body_fields: Callable[[Data], Iterable[BodyField]] = declare_nothing
    body_files: Callable[[Data], Iterable[BodyField]] = declare_nothing
    """Those of them whose body is in a file."""
    tables: "Callable[[Data], Iterable[Table]]" = declare_nothing
    meanings: Meanings = MappingProxyType({})
    """What each word of its enums means."""
    together: Together = MappingProxyType({})
    """Which fields go together: its rules look there, and so do the JSON Schemas."""
    nested: Sequence[Nested] = ()
    part_lists: Mapping[str, str] = MappingProxyType({})
    """Lists whose items may come from part files, each with what such a file is: `section`."""
    free_form: frozenset[str] = frozenset()
    """Fields whose keys are the author's own."""
    rows: Mapping[str, tuple[str, str]] = MappingProxyType({})
    """Lists of things without ids, whose order means nothing, with what one of them is called, and
    several: `("person", "people")`."""
    in_copy: Mapping[str, str | None] = MappingProxyType({})
    """What a copied manifest says instead of these fields; None leaves them out."""
    parts: Callable[[Form], Mapping[str, str]] = lambda _form: {}
    """Path of each part to its type."""
    field_names: Mapping[str, str] = MappingProxyType({})
    """What people call fields otherwise than manifests do: `price`, and lists of parts: `pages`."""
    percentages: frozenset[str] = frozenset()
    """Fields whose number is a share of a hundred."""

    def title_beside(self, form: Form, whole: Form) -> str:
        """The title of a form, beside the form of what it belongs to; that may be empty."""
        return self.title_in(form, whole) if self.title_in else self.title(form)


Resources = Mapping[Address, Resource]
Groups = Mapping[Json, Sequence[Resource]]
"""Resources of a kind that have a fact in common, in the order of the catalog."""
ReferenceRule = Callable[[Resource, Reference, Resource], Iterator[Finding]]
"""A resource, a reference in it, and the resource that it names."""


class Relations(NamedTuple):
    """What a resource refers to, and the rules between resources."""

    references: Callable[[Data], Iterator[Reference]]
    names: Mapping[str, str] = MappingProxyType({})
    """By field that names something else, the kind of it; a dot leads inside: `target.item`."""
    part_names: Mapping[str, str] = MappingProxyType({})
    """By field that names a part, the field that names what it is a part of."""
    ids: Callable[[Form], Iterable[NamedId]] = declare_nothing
    """The uuids in a form, which name what is not managed here."""
    unlisted: Mapping[str, str] = MappingProxyType({})
    """By field, wherever it is in a form, the noun of what it names on the platform, of which
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
    """An identifier of a person, and where it is written."""

    text: Json
    """The node in its place if the form is concealed."""
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
