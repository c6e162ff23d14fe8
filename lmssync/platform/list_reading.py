"""A list as somebody asks for it: checked before anything is sent, then read page by page.

A person names things by uuid, by address, by slug or by label; the ids are looked up.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ..errors import Refused, WrongUse
from ..kind import Ids
from ..kinds import KINDS, LOOKUPS, is_uuid
from ..problems import suggest_near
from ..resource import Address
from .client import Reader
from .list_declarations import LISTS, Filter, Named, PlatformList
from .live import IdsByName


class IdFinder(NamedTuple):
    """Where names are looked up."""

    recorded: Callable[[Address], Ids]
    """Raises `WrongUse` for an address that the state does not know."""
    names: IdsByName

    @classmethod
    def by(cls, reader: Reader, recorded: Callable[[Address], Ids]) -> "IdFinder":
        return cls(recorded, IdsByName(reader))

    def id_of(self, kind: str, word: str) -> str:
        """The id of a thing that is looked up by name; raises `WrongUse`."""
        if is_uuid(word):
            return word
        ids = self.names.ids_of_name(kind, word)
        if len(ids) == 1:
            return ids[0]
        if ids:
            hint = f"name one by its uuid: {', '.join(ids)}"
            raise WrongUse(f"there are {len(ids)} {kind}s named `{word}` on the platform", hint)
        hint = suggest_near(word, self.names.other_names(kind))
        field = LOOKUPS[kind].field
        raise WrongUse(
            f"there is no {kind} `{word}` on the platform",
            hint or f"`lmssync get {kind}s` lists them: give a {field} or a uuid",
        )


class NamedIds(NamedTuple):
    """The ids of the things that the words after the name of a list name."""

    ids: Sequence[str]
    """Each once: single items of the list, or what it is a list of."""
    about: Sequence[tuple[str, frozenset[str]]]
    """As in `ListQuery`."""


def find_named(
    name: str, words: Sequence[str], declared: PlatformList, finder: IdFinder
) -> NamedIds:
    """Raises `WrongUse` for a word that names nothing."""
    about = [word for word in words if _kind_of(word) in declared.about]
    others = [word for word in words if word not in about]
    if others and not declared.takes.noun:
        takes = f"it takes {' or '.join(declared.addresses)}; " if declared.about else ""
        raise WrongUse(
            f"`get {name}` takes no ids", f"{takes}filters narrow a list: see `lmssync get`"
        )
    return NamedIds(
        list(dict.fromkeys(_id(word, declared, finder) for word in others)),
        [(declared.about[_kind_of(word)], _own_ids(word, finder)) for word in about],
    )


def _kind_of(word: str) -> str:
    """The kind of an address; empty for an e-mail address, which may begin like one."""
    kind, dot, _ = word.partition(".")
    return kind if dot and "@" not in word else ""


def _own_ids(word: str, finder: IdFinder) -> frozenset[str]:
    """All ids of a recorded resource: a list may name a course by that of its course group."""
    # All of them, since lists differ in which one they name.
    return frozenset(finder.recorded(_whole_address(word)).own.values())


def _id(word: str, declared: PlatformList, finder: IdFinder) -> str:
    named = declared.takes
    if _kind_of(word) in named.kinds:
        return _recorded_id(word, named, finder)
    if is_uuid(word) or (named.anything and word.strip() and _kind_of(word) not in KINDS):
        return word
    if named.lookup:
        return finder.id_of(named.lookup, word)
    raise WrongUse(f"`{word}` names no {named.noun}", f"give {_forms(declared)}")


def _recorded_id(word: str, named: Named, finder: IdFinder) -> str:
    """The id of a recorded resource, or of a part of one."""
    if named.part:
        return _part_id(word, named, finder)
    address = _whole_address(word)
    return finder.recorded(address).own[named.kinds[address.kind]]


def _whole_address(word: str) -> Address:
    name, slash, _ = word.partition("/")
    if slash:
        raise WrongUse(f"{word} is a part of {name}", f"give {name} alone")
    return Address.parse(name)


def _part_id(word: str, named: Named, finder: IdFinder) -> str:
    name, _, part = word.partition("/")
    parts = finder.recorded(Address.parse(name)).parts
    if part in parts:
        return parts[part]
    known = sorted(path for path in parts if path.count("/") == 1)
    there = f"there are: {', '.join(f'{name}/{path}' for path in known[:8])}"
    if not known:  # the lesson of a microCourse stands in no manifest
        there = f"give its uuid, which `lmssync get {named.noun}s {name}` shows"
    if not part:
        kind = Address.parse(name).kind
        raise WrongUse(f"{name} is a {kind}, not a {named.noun} of one", there)
    raise WrongUse(f"{name} has no {named.noun} `{part}`", suggest_near(part, known) or there)


def _forms(declared: PlatformList) -> str:
    """`a uuid, or an address such as course.KEY or license.KEY`."""
    first = "an id or an e-mail address" if declared.takes.anything else "a uuid"
    names = " or ".join(declared.addresses)
    return f"{first}, or an address such as {names}" if names else first


IdOf = Callable[[str, str], str]
"""The id of a kind of thing, by its name or its id."""


class ListQuery(NamedTuple):
    """A request for a list."""

    name: str
    list: PlatformList
    given: Mapping[str, Any] = {}
    """The filters and the order, as parameters of the query."""
    narrow: Sequence[tuple[str, str]] = ()
    """Fields, and the text that each must contain."""
    about: Sequence[tuple[str, frozenset[str]]] = ()
    """Fields and ids: an item must name one of these there; empty: whatever it names."""
    limit: int | None = None
    """The most items; None: all of them."""

    @property
    def query(self) -> dict[str, Any]:
        """All parameters of the first page."""
        parameter, most = self.list.page or ("", 0)
        # No page is larger than what was asked for: five items are one small request.
        size = {parameter: min(self.limit or most, most)} if parameter else {}
        return {**dict(self.list.fixed), **size, **self.given}

    def fits(self, item: Mapping[str, Any]) -> bool:
        """Whether an item of the list is asked for."""
        if self.about and not any(ids & _ids_at(item, field) for field, ids in self.about):
            return False
        return all(
            text.casefold() in str(item.get(field, "")).casefold() for field, text in self.narrow
        )

    def with_filters(self, filters: Sequence[tuple[str, str]], id_of: IdOf) -> "ListQuery":
        """Raises `WrongUse` for a filter, or a value of one, that the route does not have."""
        given: dict[str, Any] = {}
        narrow: list[tuple[str, str]] = []
        for name, text in filters:
            filter_ = _known_filter(self, name)
            _refuse_value(filter_, text)
            value = id_of(filter_.lookup, text) if filter_.lookup else text
            if filter_.parameter in given and not filter_.many:
                raise WrongUse(f"`get {self.name}` takes the filter `{name}` once")
            earlier = given.get(filter_.parameter, [])
            given[filter_.parameter] = [*earlier, value] if filter_.many else value
            narrow += [(filter_.field, text)] if filter_.field else []
        return self._replace(given={**self.given, **given}, narrow=narrow)

    def with_order(self, order: str | None) -> "ListQuery":
        """Raises `WrongUse` where the route takes no order."""
        if order is None:
            return self
        if not self.list.sort:
            others = ", ".join(name for name, one in LISTS.items() if one.sort)
            raise WrongUse(
                f"`get {self.name}` cannot be sorted: its route takes no order",
                f"these lists can be sorted: {others}",
            )
        return self._replace(given={**self.given, self.list.sort: order})


def choose_list(name: str) -> PlatformList:
    """The list of that name; raises `WrongUse`."""
    if name not in LISTS:
        raise WrongUse(
            f"there is no list `{name}`",
            suggest_near(name, LISTS) or f"there are: {', '.join(LISTS)}",
        )
    return LISTS[name]


def refuse_missing(name: str, route: str, routes: frozenset[str], instead: str = "") -> None:
    """Raises `WrongUse` where the instance does not have the route."""
    if route not in routes:
        raise WrongUse(
            f"lmssync.yaml does not say that this instance shows its {name} (`{route}`)",
            f"{instead}if it does, say so: `platform: {{capabilities: {{{route}: true}}}}`; "
            "`lmssync doctor --probe` finds out",
        )


def value_at(value: Any, field: str) -> Any:
    """The values of an item at a place such as `user.email`, or all its `tags.label`."""
    for step in field.split("."):
        if isinstance(value, list):
            value = [one.get(step) for one in value if isinstance(one, Mapping)]
        elif isinstance(value, Mapping):
            value = value.get(step)
        else:
            return None
    return value


def _ids_at(item: Mapping[str, Any], field: str) -> set[str]:
    value = value_at(item, field)
    return {one for one in (value if isinstance(value, list) else [value]) if isinstance(one, str)}


def _known_filter(query: ListQuery, name: str) -> Filter:
    by_name = {one.name: one for one in query.list.filters}
    if name not in by_name:
        there = ", ".join(f"{one.name} ({one.meaning})" for one in query.list.filters)
        hint = suggest_near(name, by_name) or (
            f"it has: {there}" if there else "its route has no filters"
        )
        raise WrongUse(f"`get {query.name}` has no filter `{name}`", hint)
    return by_name[name]


def _refuse_value(filter_: Filter, value: str) -> None:
    if not value:
        raise WrongUse(f"the filter `{filter_.name}` has no value", filter_.meaning)
    if filter_.words and value not in filter_.words:
        words = ", ".join(filter_.words)
        raise WrongUse(
            f"the filter `{filter_.name}` does not take `{value}`",
            suggest_near(value, filter_.words) or f"it takes: {words}",
        )
    if filter_.most and len(value) > filter_.most:
        raise WrongUse(
            f"the filter `{filter_.name}` has {len(value):,} characters",
            f"the platform allows {filter_.most:,}",
        )


Item = Mapping[str, Any]
Tell = Callable[[str], None]
_OK = 200


class _Part(NamedTuple):
    """Items that came together, and whether others follow."""

    items: Sequence[Item]
    more: bool


class Items:
    """Items one after the other, as many as were asked for.

    Afterwards `more` says whether others were left out, `missing` which ids name nothing, and
    `names` what manifests call the items, where they are of a kind that is named (`LOOKUPS`).
    """

    def __init__(self, parts: Iterator[_Part], wanted: ListQuery, missing: Sequence[str]) -> None:
        self._parts, self._wanted = parts, wanted
        self.missing = missing
        self.more = False
        found = (one for one in LOOKUPS.values() if one.route == wanted.list.route)
        self.lookup = next(found, None)
        self.names = set[str]()

    def __iter__(self) -> Iterator[Item]:
        count, most = 0, self._wanted.limit
        for items, more in self._parts:
            for item in filter(self._wanted.fits, items):
                if count == most:
                    self.more = True
                    return
                count += 1
                if self.lookup:
                    self.names.add(str(item[self.lookup.field]))
                yield item
            # Before the loop asks for the next part: that would be another request.
            if more and count == most:
                self.more = True
                return


def read_list(
    reader: Reader, wanted: ListQuery, ids: Sequence[str], routes: frozenset[str], tell: Tell
) -> Items:
    """What is asked of a list: of all, of those of some owners, or single things by their ids.

    Raises `WrongUse` where the instance has no such route; iterating raises `PlatformError`.
    `tell` is told after each page how many items have come.
    """
    declared, missing = wanted.list, list[str]()
    if declared.owner:
        refuse_missing(wanted.name, declared.route, routes)
        parts = _of_owners(reader, wanted, declared.owner, ids)
    elif ids:
        if wanted.given or wanted.about:
            raise WrongUse(
                f"`get {wanted.name}` takes either ids or filters",
                "leave out one of them",
            )
        refuse_missing(wanted.name, declared.single, routes)
        parts = _single(reader, wanted, ids, missing)
    elif not declared.route:
        raise WrongUse(f"no route lists all {wanted.name}", declared.named.hint)
    else:
        some = f"`lmssync get {wanted.name} {_example_of(declared)}`"
        instead = f"name some: {some}; " if declared.single in routes else ""
        refuse_missing(wanted.name, declared.route, routes, instead)
        parts = _pages(reader, wanted)
    return Items(_count_parts(parts, tell), wanted, missing)


def _count_parts(parts: Iterator[_Part], tell: Tell) -> Iterator[_Part]:
    count = 0
    for part in parts:
        count += len(part.items)
        tell(f"{count:,} read")
        yield part


def _pages(reader: Reader, wanted: ListQuery) -> Iterator[_Part]:
    for page in reader.each_page(wanted.list.route, wanted.list.key, wanted.query):
        yield _Part(page.items, page.more)


def _of_owners(
    reader: Reader, wanted: ListQuery, owner: Named, ids: Sequence[str]
) -> Iterator[_Part]:
    """The lists of some owners in their order, several read at once; each item says whose it is."""
    # Nothing named: the lists of all owners, one after the other.
    ids = ids or _all_owners(reader, wanted, owner)
    lists = reader.ask_each(lambda id_: _of_owner(reader, wanted, owner, id_), ids)
    for number, (id_, items) in enumerate(zip(ids, lists, strict=True), 1):
        yield _Part([{owner.field: id_, **item} for item in items], number < len(ids))


def _of_owner(reader: Reader, wanted: ListQuery, owner: Named, id_: str) -> list[Item]:
    """The whole list of one; raises `WrongUse` where the platform has no such list of it."""
    params = {owner.param: id_}
    items = reader.find_list(wanted.list.route, wanted.list.key, wanted.query, params)
    if items is None:
        text = f"the platform has no {wanted.name} of {owner.noun} {id_}, or does not know it"
        raise WrongUse(text, owner.hint)
    return items


def _all_owners(reader: Reader, wanted: ListQuery, owner: Named) -> list[str]:
    if not owner.lookup:
        raise WrongUse(
            f"`get {wanted.name}` needs a {owner.noun}",
            f"name one or more: `lmssync get {wanted.name} {_example_of(wanted.list)}`",
        )
    lookup = LOOKUPS[owner.lookup]
    return [item["id"] for item in reader.read_pages(lookup.route, lookup.list)]


def _example_of(declared: PlatformList) -> str:
    """`course.KEY`, where the list takes addresses in place of ids; else `ID`."""
    return declared.addresses[0] if declared.takes.kinds else "ID"


def _single(
    reader: Reader, wanted: ListQuery, ids: Sequence[str], missing: list[str]
) -> Iterator[_Part]:
    """Things by their ids; a user who is not there may be a 200 with errors (O35)."""
    for number, id_ in enumerate(ids, 1):
        try:
            item = reader.read_route(wanted.list.single, {wanted.list.named.param: id_})
        except Refused as refused:
            # A refusal inside a success means that there is no such thing; any other one is an
            # error.
            if refused.status != _OK:
                raise
            item = None
        if item is None:
            missing.append(id_)
        yield _Part([] if item is None else [item], number < len(ids))
