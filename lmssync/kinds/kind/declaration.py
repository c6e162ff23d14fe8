"""A kind: one value that says everything about the resources of its sort."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ...address import Address
from ...problems import Finding
from ...resource import Form, Reference, Resource
from .authoring import Data, Json, Nested, Slot, Spec, Table, named
from .calls import Change, Departure, Described, Manual, Piece, Settled, _no_failures, as_meant
from .impact import Effect, Loss
from .people import Concealed
from .reads import Ids, Match, Reading, Reconcile, Search, without_parts
from .relations import Families, Resources


def nothing(*_: object) -> tuple[()]:
    """The default of declarations that most kinds do without."""
    return ()


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
    create: Callable[[Address, Form, str | None], Piece]
    """Address, form and marker to the piece that makes it. One without entries means that there
    is nothing to make yet; after one that does not reach the form, `update` does the rest."""
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
    """Its pieces never share a call: something beside the entries is said for all of them."""
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
