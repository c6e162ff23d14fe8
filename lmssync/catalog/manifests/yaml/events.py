"""Events of a parser, and what they say of the values that they begin."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from ruamel.yaml import events as types

from ....resource import Path

T = TypeVar("T")
ValueOf = Callable[[Any, Any], T | None]
"""Gets the mark of a key, or that of the value itself in a list, and the event it begins with."""
_STARTS = frozenset({types.MappingStartEvent, types.SequenceStartEvent})
_ENDS = frozenset({types.MappingEndEvent, types.SequenceEndEvent})
_PIECES = frozenset({types.ScalarEvent, types.AliasEvent})


def map_events(events: Iterable[Any], value_of: ValueOf[T]) -> list[dict[Path, T]]:
    """What `value_of` says of the values that events begin.

    What stands in a key that is no text, or belongs to one, has a path that leads nowhere.
    """
    documents: list[dict[Path, T]] = []
    holders: list[_Holder] = []
    names: dict[str, str] = {}
    for event in events:
        kind = event.__class__
        if kind in _ENDS:
            holders.pop()
        elif kind is types.DocumentStartEvent:
            documents.append({})
        elif kind in _PIECES or kind in _STARTS:
            if kind is types.ScalarEvent and event.anchor:
                names[event.anchor] = event.value
            path, mark = (
                holders[-1].place_event(event, names) if holders else ((), event.start_mark)
            )
            if path is None:
                continue
            value = value_of(mark, event)
            if value is not None:
                documents[-1][path] = value
            if kind in _STARTS:
                holders.append(_Holder(path, is_mapping=kind is types.MappingStartEvent))
    return documents


def is_plain(event: Any) -> bool:
    """Whether it is a text without quotes."""
    return event.__class__ is types.ScalarEvent and not event.style


class _Holder:
    """A collection whose end is to come."""

    __slots__ = ("_count", "_is_mapping", "_key", "_path")

    def __init__(self, path: Path, *, is_mapping: bool) -> None:
        self._path, self._is_mapping = path, is_mapping
        self._key: Any = None
        self._count = -1

    def place_event(self, event: Any, names: Mapping[str, str]) -> tuple[Path | None, Any]:
        """Path and mark of what an event begins; no path for a key of one piece."""
        key, mark = self._key, event.start_mark
        if not self._is_mapping:
            self._count += 1
            return (*self._path, self._count), mark
        if key is None:
            self._key = event
            return None if event.__class__ in _PIECES else (*self._path, -1), mark
        self._key = None
        name = key.value if key.__class__ is types.ScalarEvent else names.get(key.anchor, "")
        return (*self._path, name), key.start_mark
