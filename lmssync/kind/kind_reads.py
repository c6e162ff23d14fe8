"""How a resource is read and recognised again, and how one of the platform becomes a manifest."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol

from ..resource import Address, Form
from .authoring import Json
from .call_part import CallPart


class Ids(NamedTuple):
    """The platform's ids of one resource."""

    own: dict[str, str]
    """Ids by name: `{"course": ..., "courseGroup": ...}`; `id` if there is only one."""
    parts: Mapping[str, str] = MappingProxyType({})
    """Ids by path of the part: `{"start/welcome": ...}`."""


class ReadRequest(NamedTuple):
    """One read that shows a resource."""

    route: str
    params: dict[str, Json]
    query: Mapping[str, Json] = MappingProxyType({})
    list: str = ""
    """Key of the list in the answer, if the answer has pages: then every item is read."""


class RosterEntry(NamedTuple):
    """A person in a recorded list."""

    codes: Sequence[str]
    """Bare codes of what the list calls them, in the order in which the platform tries these."""
    holds: Sequence[Json]
    """Nodes or uuids of what they got."""


class Roster(NamedTuple):
    """Where the platform lists all accounts, with the licenses of each."""

    route: str
    list: str
    """Key of the list in the answer."""
    identifiers: Callable[[Json], Iterable[str]]
    """An account to everything that a manifest may call it."""
    holds: Callable[[Json], Iterable[str]]
    """An account to the uuids of what it holds."""
    entries: Callable[[Form], Iterable[RosterEntry]]
    """A recorded form to the people in it."""
    proves: Set[str]
    """Fields of which the accounts show whether people still have what these gave them."""
    single: str
    """The route that reads one account by its id; where there is the list, by an e-mail address as
    well (O35)."""
    missed: str
    """Key of the people in a recorded form whom the platform did not know when it was applied."""


class InList(NamedTuple):
    """How a resource is found in a list, which shows others as well."""

    id: str
    """Which of its ids the items carry."""
    whole: ReadRequest | None = None
    """The list of all, if `Reading.request` asks for one alone: for many it takes fewer calls."""
    query: Callable[[Sequence[str]], Mapping[str, Json]] | None = None
    """The query that finds several ids at once, if the list takes one."""
    exact: bool = False
    """What it does not show is not there."""


class Reading(NamedTuple):
    """One way to read what a resource has on the platform, and what that proves."""

    route: str
    """The route by which one alone is read."""
    request: Callable[[Address, Form], ReadRequest]
    """How to read it; the params hold `$ref` nodes."""
    shows: Callable[[Form, Ids, Json], Form | None]
    """Recorded form, ids and answer, to what the platform has: under the names of the form, with
    values as they are on the wire; what the answer says nothing about is left out. Nothing if it
    shows that the resource is not there any more. Of the nodes in the form, only those that are
    fields of it are bound."""
    proves: Set[str]
    """Fields that it shows, named as in `Impact.effects`; `field.inner` in a mapping."""
    listed: InList | None = None
    """Set if it reads a list: the answer is then the item. A list that is not exact proves nothing
    where the item is missing."""
    apart: Set[str] = frozenset()
    """Those of them that stand in another object than where other readings find them: they are
    proven only together."""
    shared: bool = False
    """It reads what the resource belongs to, which shows several: a course with its criteria."""
    holder: str = ""
    """What people call the object that it shows, where a field is kept in several: `session`."""
    lags: bool = False
    """It may show what was before the latest writes (O27)."""
    dated: bool = False
    """Its items say when the resource or a part of it was last changed, if the instance has
    `LIST_TIMES`."""
    notices: Set[str] = frozenset()
    """Fields that it does not show, but of whose change it gives a sign: see `marks`."""
    nodes: Callable[[Json], Mapping[str, Json]] = lambda _answer: {}
    """Nodes of a form for ids that the answer names, by id: a tag with its label."""
    marks: Callable[[Form, Ids, Json], Mapping[str, str]] = lambda *_: {}
    """When each part was last changed, by its path as in `FieldChange.path`."""
    shape: Callable[[Json], Json] | None = lambda answer: answer
    """The answer as `match` and `reconcile` take it, if it shows as much."""

    def is_available(self, routes: Set[str]) -> bool:
        """Whether an instance with these routes can be asked."""
        whole = self.listed.whole if self.listed else None
        return self.route in routes or bool(whole and whole.route in routes)


class Search(NamedTuple):
    """A list in which something may be found without its id."""

    request: ReadRequest
    fits: Callable[[Json], str | None]
    """The id of an item of the list, if it is the item that is looked for."""
    exact: bool = False
    """What it does not show is not there; otherwise it proves presence, not absence."""
    without: str = ""
    """Why nothing is made where the instance lacks the list; empty if it is made all the same."""


class Mentioned(NamedTuple):
    """What a list of other things shows of one resource."""

    marked: Sequence[str] = ()
    """Ids of those that carry its mark."""
    alike: bool = False
    """Whether it names one that may be it."""


class Mention(NamedTuple):
    """A list of other things that may name one in passing."""

    where: str
    """The list, in words."""
    request: ReadRequest
    find: Callable[[Form, str | None, Json], Mentioned | None]
    """Form with its ids, mark and the whole list, to what it shows of it; None if it does not show
    such things at all."""


class Ambiguity(NamedTuple):
    """The result of a read that neither shows a resource nor proves that it does not exist."""

    text: str
    """The reason, for people: what the read shows, or what is missing from it."""
    candidates: Sequence[str] = ()
    """Ids that it may have: a person can say which is right."""


class Reconciled(NamedTuple):
    """What a read shows of a recorded resource, besides what the record says."""

    ids: Ids
    """With those of parts that were found; without those of parts that are gone for good."""
    form: Form
    """The form on the platform, as far as it is known: parts that were found have only the
    fields that the read proves. Parts that are gone stand in it while they are wanted and nobody
    has said that they are to be made again."""
    found: Sequence[str] = ()
    """Paths of parts that are wanted and exist on the platform, but are not recorded."""
    gone: Sequence[str] = ()
    """Paths of parts that are recorded but no longer exist."""
    ambiguity: str = ""
    """Why it is not clear which part is which."""


class LivePart(NamedTuple):
    """A part that is on the platform at a place where no record has it."""

    path: str
    """Its path there: `sections[start].lessons[welcome].topics[extra]`."""
    noun: str
    """What people call it: `topic`."""
    title: str
    ahead: Sequence[str]
    """The ids of the parts in front of it, in the terms of the manifest, the nearest first."""
    data: Json
    """What an author would write of it and of the parts in it."""
    ids: Mapping[str, str]
    """Ids by path, as in `Ids.parts`, of it and of the parts in it."""
    was: str = ""
    """The path under which it is recorded, if it was moved to another parent."""
    whole: bool = True
    """False if parts of another parent were moved into it: `data` does not have them."""

    @property
    def name(self) -> str:
        """The path of the part as in `Ids.parts`: `start/welcome/extra`."""
        return part_name(self.path)


def part_name(path: str) -> str:
    """`sections[start].lessons[welcome]` as in `Ids.parts`: `start/welcome`."""
    return "/".join(_IN_BRACKETS.findall(path))


_IN_BRACKETS = re.compile(r"\[([^\]]*)\]")


class PartDrift(NamedTuple):
    """How the parts of a resource differ from what is recorded."""

    came: Sequence[LivePart] = ()
    """Added, or moved to another parent; not those that stand in one of these."""
    gone: Sequence[str] = ()
    """Paths of recorded parts that are not there any more; not those that stand in one of these."""
    unsure: Sequence[str] = ()
    """Those of them whose parent does not show its list: that proves nothing."""
    ambiguity: str = ""
    """Why it is not clear whether a part was added by hand or is in the manifest already."""
    beyond: Sequence[str] = ()
    """Parts that no manifest of the kind can describe, in words: `topic “Summary”`."""


NO_PART_DRIFT = PartDrift()


class Match(Protocol):
    """Form, marker, what the read brought, ids that are taken, and those that the resource has
    already: the ids of the form, or nothing if the read is exact and does not show it."""

    def __call__(
        self,
        form: Form,
        marker: str | None,
        live: Json,
        taken: Set[str],
        known: Ids | None = None,
        /,
    ) -> Ids | Ambiguity | None: ...


class Reconcile(Protocol):
    """Form before, form after, recorded ids and a read, to what of its parts is there.

    With `again`, parts that are gone are to be made again.
    """

    def __call__(
        self, before: Form, after: Form, ids: Ids, live: Json, /, *, again: bool = False
    ) -> Reconciled | None: ...


class Reads(NamedTuple):
    """How a resource is read, looked for and recognised."""

    match: Match
    request: Callable[[Address, Form], ReadRequest | None] = lambda _address, _form: None
    """How to read it; the params hold `$ref` nodes."""
    id_name: str = "id"
    """Which of its ids `created` returns and a plain reference means."""
    readings: Sequence[Reading] = ()
    """The ways to read one for a comparison, the one that proves most first."""
    on_wire: Mapping[str, Callable[[Json], Json]] = MappingProxyType({})
    """What the platform makes of a value before it keeps it, by field as in `Reading.proves`: two
    values that come to the same are equal. Such a field is compared as a whole."""
    observed: Callable[[Form, Ids, Json], Form | None] = lambda _form, _ids, _live: {}
    """The part of the form that a read can prove, as it is on the platform now; nothing if the
    read shows that it is not there any more."""
    reconcile: Reconcile = lambda *_, **_again: None
    part_drift: Callable[[Form, Form, Ids, Json], PartDrift] = lambda *_: NO_PART_DRIFT
    """Form before, form after, recorded ids and a read, to the parts that people have added, taken
    away or moved to another parent. Those that git has added as well are left to `reconcile`."""
    search: Callable[[Form, str | None], Search | None] = lambda _form, _marker: None
    """How it is looked for where its id is not known, if any route can show it."""
    mention: Mention | None = None
    """Where one may be seen that no route lists."""
    by_mark: bool = False
    """Address and mark are all that `request` and `search` go by: for a look, no form is opened."""
    pair: Callable[[Form, Ids, Json | None], Ids | Ambiguity] | None = None
    """Form, own id and a read (None where it is not there), to all ids; a part that the read does
    not show for certain gets an empty one. Without it, ids are read back right after a create."""
    adopted: Callable[[Form, Ids, Json], Form] = lambda form, _ids, _live: form
    """Desired form, ids and a read, to the form that is recorded when it is taken over: the rest
    is sent by the next update."""
    appearance: Callable[[Form], str] = lambda _form: ""
    """What reads show of a new one beside its mark: two that look the same never share a call, for
    nothing would tell their ids apart. Empty where that does not matter."""
    place: Callable[[Form], str] = lambda _form: ""
    """Where people find one in the admin interface; empty for the list of all of this kind."""
    roster: Roster | None = None
    """The list that shows who has the licenses that one gives."""
    same_ids: Set[str] = frozenset()
    """Other kinds that stand for things of the same sort: an id belongs to one of them."""
    unlisted: bool = False
    """No read of the specification shows one, and the platform takes a second one like it."""

    def asked_with(self, opened: Callable[[], Form]) -> Form:
        """The part of a form that `request` and `search` go by; the rest is not opened."""
        return {} if self.by_mark else opened()

    def lookup_request(self, part: CallPart, *, known: bool) -> ReadRequest | None:
        """The read that shows whether what a call adds is there: unless the id is `known`, an exact
        list of those that it would stand among."""
        form = self.asked_with(lambda: part.after)
        search = None if known else self.search(form, part.marker)
        return search.request if search and search.exact else self.request(part.address, form)

    def roster_on(self, routes: Set[str]) -> Roster | None:
        """The list of accounts, if an instance with these routes has it."""
        return self.roster if self.roster and self.roster.route in routes else None


class NameOf(Protocol):
    """What a manifest writes for an id: the key of a resource, the label of a tag, the slug of a
    client; else the id itself. `main` is for fields that take several ids of one thing, of which
    a key means the main one: another id is written as it is."""

    def __call__(self, kind: str, id_: str, /, *, main: bool = False) -> str: ...


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
    may_have: Callable[[Json], bool] = lambda _owner: True
    """Whether an owner may have any, as the list of owners shows it: else its list is not read."""
    by: int = 0
    """By which of the `ids` of its owner the list is asked for: its place among them, and among
    those that are recorded."""
    beside: Mapping[str, ReadRequest] = MappingProxyType({})
    """Further lists of all, by name: their items are found by the id of the item."""
    details: Mapping[str, Callable[[Json], ReadRequest | str]] = MappingProxyType({})
    """Further reads of one item, by their routes; or why an item has nothing to read."""

    @property
    def routes(self) -> Set[str]:
        """All that an instance must have to show what a manifest needs."""
        return {self.listed.route, *(read.route for read in self.beside.values()), *self.details}
