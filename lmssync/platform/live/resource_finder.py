"""Looks for one resource on the platform: it is there, it is not, or a read cannot tell.

Absence is only what a well-formed, exact list shows. An answer that is empty, missing (404), in
another shape or refused proves nothing, and neither does a read that needs an unknown id.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from typing import Any, NamedTuple

from ...errors import Refused, Unreadable
from ...kind import Ambiguity, CallPart, Ids, Mentioned, ReadRequest, Search
from ...kinds import KINDS
from ...resource import Address, Form
from ...vocabulary.routes import ROUTES
from ..client import Reader
from .binding import Binder, Unbound, list_named
from .fetch import ask_reading, request_key


class LookupQuery(NamedTuple):
    """A query for a resource on the platform."""

    address: Address
    opened: Callable[[], Form]
    """Gets the form, which few looks need."""
    marker: str | None = None
    ids: Ids | None = None
    """The ids that are known of it: those of a resource whose parts are looked for."""

    @property
    def form(self) -> Form:
        return self.opened()

    @property
    def asked_with(self) -> Form:
        """The part of the form that the requests of its kind go by; the rest is not opened."""
        return KINDS[self.address.kind].reads.asked_with(self.opened)


class LookupResult(NamedTuple):
    """The result of a look: the ids of the resource, a doubt, or that it is not there."""

    ids: Ids | None = None
    answer: Any = None
    """The answer of the read that shows it; None where no read does."""
    doubt: str = ""
    """Why a read cannot tell."""


_Request = tuple[ReadRequest, Mapping[str, str]] | Ambiguity
"""A read with its params, or why none can be made."""


class ResourceFinder:
    """Looks things up, and reads each list once."""

    def __init__(self, reader: Reader, binder: Binder, routes: Set[str]) -> None:
        """`routes` are those that the instance has."""
        self._reader = reader
        self._binder = binder
        self._routes = routes
        self._answers: dict[str, Any] = {}

    def look_for(self, wanted: LookupQuery, taken: Set[str]) -> LookupResult:
        """What an exact read shows. `taken` are ids that are recorded for other resources."""
        return self._look_at_answer(wanted, taken, self.read_resource(wanted))

    def _look_at_answer(self, wanted: LookupQuery, taken: Set[str], answer: Any) -> LookupResult:
        if isinstance(answer, Ambiguity):
            return LookupResult(doubt=answer.text)
        search = _exact_search(wanted)
        if search:
            return self._find_among(wanted, taken, search, answer)
        return self._recognise(wanted, taken, answer)

    def _recognise(self, wanted: LookupQuery, taken: Set[str], answer: Any) -> LookupResult:
        form, match = self._binder.bind_known(wanted.form), KINDS[wanted.address.kind].reads.match
        ids = match(form, wanted.marker, answer, taken, wanted.ids)
        return (
            LookupResult(doubt=ids.text)
            if isinstance(ids, Ambiguity)
            else LookupResult(ids, answer)
        )

    def search_for(
        self, wanted: Sequence[LookupQuery], ids_of: Callable[[frozenset[str]], Set[str]]
    ) -> Iterator[LookupResult]:
        """What reads show, of which several are made at a time. `ids_of` says which ids are
        recorded for some kinds."""
        for one, request in zip(wanted, self.prefetch_answers(wanted), strict=True):
            taken = ids_of(KINDS[one.address.kind].with_same_ids)
            if isinstance(request, Ambiguity):
                yield self.look_in_list(one, taken)
            else:
                yield self._look_at_answer(one, taken, self._ask_once(*request))

    def look_in_list(self, wanted: LookupQuery, taken: Set[str]) -> LookupResult:
        """What a list shows that proves presence but not absence, where there is no exact read."""
        search = KINDS[wanted.address.kind].reads.search(wanted.asked_with, wanted.marker)
        if search is None:
            return LookupResult()
        if search.request.route not in self._routes:
            return LookupResult(doubt=search.without)
        items = self.list_items(search.request)
        if isinstance(items, Ambiguity):
            return LookupResult()  # it would not have proven absence, or its parent is new
        return self._find_among(wanted, taken, search, items)

    def _find_among(
        self, wanted: LookupQuery, taken: Set[str], search: Search, items: Iterable[Any]
    ) -> LookupResult:
        """What of a list is the item that is looked for, as its own read shows it."""
        ids = [id_ for item in items if (id_ := search.fits(item)) and id_ not in taken]
        # A guess would adopt what belongs to somebody else.
        if len(ids) > 1:
            return LookupResult(doubt=f"several resources have its mark: {', '.join(ids)}")
        return self._read_identified(wanted, taken, ids[0]) if ids else LookupResult()

    def find_mention(self, wanted: LookupQuery) -> Mentioned | None:
        """What a list of other things shows of it; None if no list shows such things."""
        mention = KINDS[wanted.address.kind].reads.mention
        # Read once for all resources of the kind, since `_ask_once` remembers the answer.
        items = self.list_items(mention.request) if mention else None
        if mention is None or isinstance(items, Ambiguity):
            return None
        return mention.find(self._binder.bind_known(wanted.form), wanted.marker, items)

    def list_items(self, reading: ReadRequest) -> Any:
        """All items of a list, or why it cannot be read."""
        try:
            return self._ask_once(reading, self._binder.bind_value(reading.params))
        except Unbound as missing:
            return Ambiguity(str(missing))

    def _read_identified(self, wanted: LookupQuery, taken: Set[str], id_: str) -> LookupResult:
        """What a search has found, as its own read shows it, where it has one."""
        reads = KINDS[wanted.address.kind].reads
        reading = reads.request(wanted.address, wanted.asked_with)
        if reading is None:
            return LookupResult(Ids({reads.id_name: id_}))
        answer = self._ask_once(reading, dict.fromkeys(reading.params, id_))
        if isinstance(answer, Ambiguity):
            return LookupResult(doubt=f"a search shows it as {id_}: {answer.text}")
        look = self._recognise(wanted, taken, answer)
        other = LookupResult(doubt=f"a search shows it as {id_}, with another structure")
        return look if look.ids or look.doubt else other

    def prefetch_answers(self, wanted: Iterable[LookupQuery]) -> Sequence[_Request]:
        """Reads what is needed to look for all of these, several at a time."""
        requests = [self._request(one) for one in wanted]
        distinct = {request_key(*r): r for r in requests if not isinstance(r, Ambiguity)}
        # Several resources of one client need the same list: it is read once.
        distinct = {key: r for key, r in distinct.items() if key not in self._answers}
        answers = self._reader.ask_each(lambda request: self._ask(*request), distinct.values())
        self._answers.update(zip(distinct, answers, strict=True))
        return requests

    def read_resource(self, wanted: LookupQuery) -> Any:
        """The answer of a resource's read, or why it shows nothing."""
        request = self._request(wanted)
        return request if isinstance(request, Ambiguity) else self._ask_once(*request)

    def _request(self, wanted: LookupQuery) -> _Request:
        search = _exact_search(wanted)
        if search and search.request.route not in self._routes:
            return Ambiguity(search.without)
        reads = KINDS[wanted.address.kind].reads
        reading = search.request if search else reads.request(wanted.address, wanted.asked_with)
        if reading is None:
            return Ambiguity("no route of this platform shows it")
        try:
            return reading, self._binder.bind_value(reading.params)
        except Unbound as missing:
            return Ambiguity(f"no route shows it before its id is known: {missing}")

    def _ask_once(self, reading: ReadRequest, params: Mapping[str, str]) -> Any:
        key = request_key(reading, params)
        if key not in self._answers:
            self._answers[key] = self._ask(reading, params)
        return self._answers[key]

    def _ask(self, reading: ReadRequest, params: Mapping[str, str]) -> Any:
        route = ROUTES[reading.route]
        try:
            answer = ask_reading(self._reader, reading, params)
        # A doubt, and no failure of the run: what a read cannot show is left to a person.
        except (Refused, Unreadable) as error:
            return Ambiguity(error.message)
        if answer is None:
            return Ambiguity(
                f"{route.method} {route.path} answers 404, which does not prove that it is missing"
            )
        return answer


def is_noticed(wanted: LookupQuery, routes: Set[str]) -> bool:
    """True if nobody can make it a second time unnoticed on an instance with these routes: the
    platform refuses its mark, or a list that was read shows it."""
    kind = KINDS[wanted.address.kind]
    if not (kind.reads.unlisted or kind.calls.marker_unique):
        return True
    if wanted.marker and kind.calls.marker_unique:
        return True
    search = kind.reads.search(wanted.asked_with, wanted.marker)
    listed = search is not None and search.request.route in routes
    return bool(search and listed and (search.exact or wanted.marker))


def may_be_shown(part: CallPart, routes: Set[str], *, recorded: bool) -> bool:
    """Whether a run can find out by itself what a call has done of a part: a list or a read of an
    instance with these routes shows it without an id that only the lost answer had."""
    reads = KINDS[part.address.kind].reads
    form = reads.asked_with(lambda: part.after)
    search = reads.search(form, part.marker)
    if part.repeatable or not part.adds:  # it is repeated, or nothing is looked for
        return part.repeatable
    if search and search.request.route in routes:
        return True
    request = reads.request(part.address, form)
    return request is not None and (recorded or part.address not in list_named(request.params))


def parents_of(wanted: LookupQuery) -> Set[Address]:
    """What it stands in, where its kind has a list for each: if that is new, so is it."""
    search = KINDS[wanted.address.kind].reads.search(wanted.asked_with, wanted.marker)
    return list_named(search.request.params) if search else frozenset()


def _exact_search(wanted: LookupQuery) -> Search | None:
    """The list that shows whether it is there, if its id is not known and there is such a list."""
    reads = KINDS[wanted.address.kind].reads
    search = None if wanted.ids else reads.search(wanted.asked_with, wanted.marker)
    return search if search and search.exact else None
