"""The ids of resources as the state has them: a column of JSON in the table of records."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from typing import Any, NamedTuple

import orjson

from ..kind import Ids
from ..resource import Address
from .sealed_rows import SealedTables
from .state_records import PackedIds, UnpairedIds

_PARTS = re.compile(r', ?"parts": ?')
"""What is between the own ids of a resource and those of its parts: no text inside of the ids has
it, since quotes in a text are escaped."""
_MADE = "made"


class IdColumn(NamedTuple):
    """The column of ids of a resource."""

    own: dict[str, str]
    parts: Mapping[str, str]
    made: Mapping[str, str] | None = None
    """The batch, the id that is expected of it, and the marker, where no read has shown yet which
    ids the resource has."""

    @classmethod
    def from_text(cls, column: str) -> "IdColumn":
        """The column that was spelled; the ids of parts stay packed."""
        own, parts = _PARTS.split(column, maxsplit=1)
        if own_ids := orjson.loads(own + "}")["own"]:
            return cls(own_ids, PackedIds(parts[:-1]))
        whole = orjson.loads(column)
        return cls({}, whole["parts"], whole.get(_MADE))

    def spell_column(self) -> str:
        made = {_MADE: self.made} if self.made else {}
        return orjson.dumps({"own": self.own, "parts": dict(self.parts), **made}).decode()


def read_ids(
    address: Address, column: str, find: Callable[[UnpairedIds], Ids]
) -> Ids | UnpairedIds:
    """The ids of a resource; `find` reads those that no read has shown yet."""
    own, parts, made = IdColumn.from_text(column)
    if made:
        return UnpairedIds(address, made["batch"], made["id"], made["marker"], find)
    return Ids(own, parts)


def spell_ids(ids: Ids | UnpairedIds) -> str:
    """Ids as their column has them."""
    if isinstance(ids, Ids):
        return IdColumn(ids.own, ids.parts).spell_column()
    made = {"batch": ids.batch, "id": ids.expected, "marker": ids.marker}
    return IdColumn({}, {}, made).spell_column()


def list_own_ids(column: str) -> list[str]:
    """Every id that a resource has, or may have, by its column of ids."""
    own, _, made = IdColumn.from_text(column)
    return [made["id"]] if made else list(own.values())


class JoinedIds(Set[str]):
    """The ids in several sets, of which none is copied: a run asks about each of a hundred thousand
    resources which ids the others have."""

    def __init__(self, sets: Iterable[Set[str]], without: Set[str] = frozenset()) -> None:
        self._sets, self._without = (*sets,), without

    @classmethod
    def _from_iterable(cls, it: Iterable[Any]) -> Set[Any]:  # what `&` and `-` give
        return {*it}

    def __contains__(self, id_: object) -> bool:
        return id_ not in self._without and any(id_ in ids for ids in self._sets)

    def __iter__(self) -> Iterator[str]:
        return iter(set[str]().union(*self._sets) - self._without)

    def __len__(self) -> int:
        return sum(1 for _ in self)


class KnownIds:
    """Every id that is recorded, by kind: read once, and kept up to date while rows are written,
    since a run that writes asks for each call."""

    def __init__(self, sealed: SealedTables) -> None:
        self._sealed = sealed
        self._by_kind: defaultdict[str, set[str]] | None = None

    def list_ids(self, kinds: Iterable[str]) -> Iterator[Set[str]]:
        """Every id that something of each of these kinds has, or may have."""
        if self._by_kind is None:
            self._by_kind = defaultdict(set)
            for address, ids in self._sealed.read_all_rows("resource", "address, ids"):
                self.note_ids(address, ids)
        return map(self._by_kind.__getitem__, kinds)

    def note_ids(self, address: str, ids: str | None) -> None:
        """Takes the column of ids of a resource that is written; None for one that is gone."""
        if ids is None:
            self._by_kind = None
        elif self._by_kind is not None:
            self._by_kind[Address.parse(address).kind].update(list_own_ids(ids))
