"""What a kind declares: data and pure functions, never I/O.

Stages ask a kind through these fields and never by its name. A new field here needs two
kinds that use it, or a name that would read well in the manual.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple, Protocol

from pydantic import BaseModel, ConfigDict

from ..address import Address
from ..persons import Swap
from ..problems import Finding
from ..resource import Form, Reference, Resource
from ..source import Path, Place
from ..vocabulary.routes import Capability
from .call_part import CallPart

Json = Any
Data = Mapping[str, Any]
"""A document as the author wrote it, after the model has accepted it."""

Resources = Mapping[Address, Resource]
Families = Mapping[Json, Sequence[Resource]]
"""Resources of a kind by a fact that they have in common, in the order of the catalog."""


class Spec(BaseModel):
    """What an author may write; unknown fields are mistakes and types are never bent."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, defer_build=True)
    personal: ClassVar[bool] = False
    """What it says identifies people: messages do not quote it."""


class Effect(StrEnum):
    """What a change of a field does to the people behind it, mildest first."""

    COSMETIC = "cosmetic"
    EDITORIAL = "editorial"
    STRUCTURAL = "structural"
    PROGRESS = "progress"
    ACCESS = "access"
    COMMERCE = "commerce"

    @classmethod
    def strictest(cls, effects: Iterable["Effect"]) -> "Effect":
        order = list(cls)
        return max(effects, key=order.index, default=cls.COSMETIC)


class Nested(NamedTuple):
    """A short form: resources of their own, written inside another."""

    field: str
    resource: str
    owner: str
    """The field that names the outer resource in the long form."""


class Slot(NamedTuple):
    """A mapping in which an author may write a body, and where it stands."""

    path: Path
    holder: dict[str, Any]


class Table(NamedTuple):
    """A file of rows that an author may name in the place of a list, and where it is named."""

    path: Path
    holder: dict[str, Any]
    field: str
    """Names the file."""
    into: str
    """Where the rows go, as if they had been written there."""
    row: type[Spec]
    """What a row may say; its fields are the columns."""
    rules: Sequence[Callable[[Sequence[Any]], Iterator[Finding]]] = ()
    """Checks of all rows together; the path of a finding begins with the position of a row."""
    lines: str = ""
    """Where the file and the lines of the rows go: `("people/staff.csv", [2, 3])`."""


class Ids(NamedTuple):
    """The platform's ids of one resource."""

    own: dict[str, str]
    """By name: `{"course": ..., "courseGroup": ...}`; `id` where there is only one."""
    parts: Mapping[str, str] = MappingProxyType({})
    """By path of the part: `{"start/welcome": ...}`."""


class Manual(NamedTuple):
    """Something no route can do: worded for the person who will do it."""

    field: str
    text: str


class Departure(NamedTuple):
    """What is still true of something that has left the catalog, since the platform keeps it."""

    effect: Effect
    stays: str
    """What it goes on doing to people, as half a sentence: `learners still have to meet it`."""
    manual: Sequence[Manual] = ()
    """What a person has to do about it: it stays in every plan until they say that it is done."""
    whole: Address | None = None
    """What it is a part of: nobody is asked about a part once the whole has left as well."""


class Described(NamedTuple):
    """How a change is made: calls for the platform, steps for a person."""

    calls: Sequence[CallPart] = ()
    """One after the other, with a read-back between."""
    manual: Sequence[Manual] = ()
    reasons: Sequence[str] = ()
    """What a reviewer should know of it, beside the fields."""
    effect: Effect | None = None
    """What it does to people, where the fields alone do not say it."""
    undecided: str = ""
    """What the author must decide first; until then nothing is done."""
    clears: Set[str] = frozenset()
    """Fields that left the manifest and that the platform clears with this change."""


class Loss(NamedTuple):
    """Something that a resource takes away for good, and what that does to people."""

    reason: str
    effect: Effect


class Settled(NamedTuple):
    """What a call has come to, by its answer."""

    form: Form
    """What holds now."""
    left: str = ""
    """What was meant and not done, and why."""
    note: str = ""
    """What else is worth a word."""


class Reading(NamedTuple):
    """One read that shows a resource."""

    route: str
    params: dict[str, Json]
    query: Mapping[str, Json] = MappingProxyType({})
    list: str = ""
    """Key of the list in the answer, where that comes in pages: then every item is read."""


class Search(NamedTuple):
    """A list in which something may be found without its id. It proves presence, not absence."""

    reading: Reading
    fits: Callable[[Json], str | None]
    """The id of an item of the list, if the item is what is looked for."""
    capability: Capability = Capability.CORE
    """What the instance must have."""


class Change(NamedTuple):
    """What a kind is given when one of its resources differs."""

    address: Address
    before: Form
    after: Form


class Doubt(NamedTuple):
    """A read that neither shows a resource nor proves that it is not there."""

    text: str
    """Why, for people: what the read shows, or what it lacks."""
    candidates: Sequence[str] = ()
    """Ids of what it may be: a person can say which."""


class Reconciled(NamedTuple):
    """What a read shows of a resource that is recorded, beside what the record says."""

    ids: Ids
    """With those of parts that were found; without those of parts that are gone for good."""
    form: Form
    """What holds on the platform, as far as it is known: parts that were found have only the
    fields that the read proves. Parts that are gone stand in it while they are wanted and nobody
    has said that they are to be made again."""
    found: Sequence[str] = ()
    """Paths of parts that are wanted and exist on the platform, but are not recorded."""
    gone: Sequence[str] = ()
    """Paths of parts that are recorded, and are not there any more."""
    doubt: str = ""
    """Why it cannot be said which part is which."""


class Listed(NamedTuple):
    """An identifier of somebody, and where it stands."""

    text: Json
    """The node that stands for it, where the form is concealed."""
    spot: Place | Path
    """A line of a table, or a path in the document."""


class Concealed(NamedTuple):
    """How what identifies people is taken out of a kind's forms, and put in again."""

    form: Callable[[Form, Swap], Form]
    """The form with each identifier swapped, in its canonical order."""
    answer: Callable[[Json, Swap], Json]
    """The answer of a call with each identifier in it swapped."""
    listed: Callable[[Form, Mapping[str, Json]], Iterator[Listed]]
    """Of a form and its facts: every identifier that it names, nodes too."""
    remedy: str
    """What to do where a call is about somebody whom no list names any more."""


class Match(Protocol):
    """Form, marker, what `reading` brought, ids that are taken, and those that the resource has
    already: the ids of the form, or nothing if the read is exact and does not show it."""

    def __call__(
        self,
        form: Form,
        marker: str | None,
        live: Json,
        taken: Set[str],
        known: Ids | None = None,
        /,
    ) -> Ids | Doubt | None: ...


class Reconcile(Protocol):
    """Form before, form after, recorded ids and a read, to what of its parts is there.

    With `again`, parts that are gone are to be made again.
    """

    def __call__(
        self, before: Form, after: Form, ids: Ids, live: Json, /, *, again: bool = False
    ) -> Reconciled | None: ...


def nothing(*_: object) -> tuple[()]:
    """The default of declarations that most kinds do without."""
    return ()


def without_parts(
    _before: Form, _after: Form, _ids: Ids, _live: Json, /, *, again: bool = False
) -> Reconciled | None:
    """The default of `reconcile`: a resource without parts."""
    del again
    return None


def named(form: Form) -> str:
    """The default of `title`: what a form says itself."""
    return str(form.get("title") or form.get("name") or "")


def _no_failures(_answer: Json, _bodies: Sequence[Json]) -> dict[int, str]:
    return {}


def as_meant(_before: Form, after: Form, _answer: Json) -> Settled:
    """The default of `settled`: what was sent has been done."""
    return Settled(after)


@dataclass(frozen=True, kw_only=True)
class Kind:
    """Everything the stages need to know about one kind of resource."""

    name: str
    """First word of its addresses."""
    resource: str
    """Its word in `resource:`."""
    noun: str
    """What people call one."""
    spec: type[Spec]
    normalise: Callable[[str, Data], Form]
    """Key and accepted document to form."""
    references: Callable[[Data], Iterator[Reference]]
    rules: Sequence[Callable[[Any], Iterator[Finding]]] = ()
    """Checks that need more than one field; each gets the model."""
    title: Callable[[Form], str] = named
    """What people call one, on one line and without markup; empty where they do not."""
    facts: Callable[[Data, Form], Mapping[str, Json]] = lambda _data, _form: {}
    """A few plain values for the rules of other resources; no structure, no prose."""
    between: Sequence[Callable[[Resource, Reference, Resource], Iterator[Finding]]] = ()
    """Rules about a resource of this kind and another that it names: itself, the reference, the
    other. They ask for `facts` and open a form only where they must."""
    family: str = ""
    """The fact that siblings have in common, such as the course of a criterion."""
    among: Sequence[Callable[[Families, Resources], Iterator[tuple[Resource, Finding]]]] = ()
    """Rules about siblings together: the families of this kind by that fact, and the catalog, in
    which others are looked up. They ask for `facts` only."""
    unique: Sequence[str] = ()
    """Facts that no two resources of this kind may share."""
    slots: Callable[[Data], Iterable[Slot]] = nothing
    tables: Callable[[Data], Iterable[Table]] = nothing
    nested: Sequence[Nested] = ()
    parts: Callable[[Form], Mapping[str, str]] = lambda _form: {}
    """Path of each part to its type."""
    effects: Mapping[str, Effect] = field(default_factory=dict)
    """By top-level field, and `*.field` inside parts; what is not named is editorial."""
    creation: Effect = Effect.STRUCTURAL
    create: Callable[[Address, Form, str | None], CallPart]
    """Address, form and marker to the call that makes it. One without entries means that there
    is nothing to make yet; after one that says what it makes instead, `update` does the rest."""
    losses: Callable[[Form, Form], Iterable[Loss]] = nothing
    """Form before (empty for what is new) and after to what that takes away and can never be
    brought back."""
    afterwards: Sequence[Manual] = ()
    """What is left for a person to do once one has been made: it stays in every plan until they
    say that it is done."""
    departure: Callable[[Form], Departure]
    """What it means that one has left the catalog."""
    deferrable: frozenset[str] = frozenset()
    """Fields that may be set by an update after creation."""
    update: Callable[[Change], Described]
    mark_setting: str = ""
    """The setting under `platform:` that names the field which carries the mark."""
    alone: bool = False
    """It never shares a call: something beside the entries is said for all of them."""
    created: Callable[[Json], Sequence[str]] = nothing
    """Ids in the answer of a create, one per entry, in no promised order."""
    jobs: Callable[[Json], Sequence[str]] = nothing
    """Ids, in the answer of a call, of the jobs that do the work: nothing is done before they end,
    and nothing was done where one fails."""
    queues: frozenset[str] = frozenset()
    """Fields of a body for which a call leaves a job behind (O6, O15): an apply follows it."""
    settled: Callable[[Form, Form, Json], Settled] = as_meant
    """Form before (empty for what is new), form after and answer to what the call came to."""
    hidden: bool = False
    """No read of the specification shows one, and the platform takes a second one like it."""
    concealed: Concealed | None = None
    """Of a kind whose forms name people: outside the catalog codes stand for them."""
    readback: bool = False
    """The answer of a create does not say which id belongs to which entry: only a read does."""
    failures: Callable[[Json, Sequence[Json]], Mapping[int, str]] = _no_failures
    """Entries that the platform refused inside a successful answer, by position."""
    reading: Callable[[Address, Form], Reading | None] = lambda _address, _form: None
    """How to read it; the params hold `$ref` nodes."""
    id_name: str = "id"
    """Which of its ids `created` returns and a plain reference means."""
    match: Match
    seen: Callable[[Form, Ids, Json], Form | None] = lambda _form, _ids, _live: {}
    """The part of the form that a read can prove, as it is on the platform now; nothing if the
    read shows that it is not there any more."""
    reconcile: Reconcile = without_parts
    search: Callable[[Form, str | None], Search | None] = lambda _form, _marker: None
    """How it is looked for where its id is not known, if any route can show it."""
    adopted: Callable[[Form, Ids, Json], Form] = lambda form, _ids, _live: form
    """Desired form, ids and a read, to the form that is recorded when it is taken over: the rest
    is sent by the next update."""
    look: Callable[[Form], str] = lambda _form: ""
    """What reads show of a new one beside its mark: two of a look never share a call, for nothing
    would tell their ids apart. Empty where that does not matter."""
