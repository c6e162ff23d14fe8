"""A list as somebody asks for it: the query, checked before anything is sent."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from ...errors import WrongUse
from ...problems import suggest_near
from .declaration import Filter, PlatformList
from .declared import LISTS

IdOf = Callable[[str, str], str]
"""The id of a kind of thing, by its name or its id."""


class ListQuery(NamedTuple):
    """What is asked of a list."""

    name: str
    list: PlatformList
    given: Mapping[str, Any] = {}
    """What the query says of filters and order."""
    narrow: Sequence[tuple[str, str]] = ()
    """Fields, and the text that each must hold."""
    about: Sequence[tuple[str, frozenset[str]]] = ()
    """Fields and ids: an item must name one of these there; empty: whatever it names."""
    limit: int | None = None
    """The most items; None: all of them."""

    @property
    def query(self) -> dict[str, Any]:
        """All parameters of the first page."""
        parameter, most = self.list.page or ("", 0)
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
                f"`get {self.name}` comes in the order of the platform: its route takes no other",
                f"lists with an order: {others}",
            )
        return self._replace(given={**self.given, self.list.sort: order})


def listable(name: str) -> PlatformList:
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
    """What an item has at a place such as `user.email`, or all its `tags.label`."""
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
            f"it has: {there}" if there else "its route has none"
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
