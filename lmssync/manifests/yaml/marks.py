"""Where each key and item of a file stands: by libyaml where it counts as ruamel.yaml does."""

from typing import Any

from ...source import Path
from . import fast

try:
    from _ruamel_yaml_clibz import (
        CParser,
        DocumentStartEvent,
        MappingEndEvent,
        MappingStartEvent,
        ScalarEvent,
        SequenceEndEvent,
        SequenceStartEvent,
        YAMLError,
    )
except ImportError:  # a platform without wheels: `fast` says so, and nothing here is reached
    CParser = None

Spot = tuple[int, int]
"""Line and column, from 1."""
Places = dict[Path, Spot]


def places(data: bytes) -> list[Places]:
    """The places in each document; empty where the file has no structure."""
    try:
        return _fast(data)
    except fast.Exotic:
        from . import slow

        return slow.places(data)


def _fast(data: bytes) -> list[Places]:
    if not fast.HAS_C_PARSER or fast.differ(data):
        raise fast.Exotic
    try:
        parser = CParser(data)
        found: list[Places] = []
        while parser.check_event():
            if parser.get_event().__class__ is DocumentStartEvent:
                found.append(_document(parser))
    except (YAMLError, UnicodeDecodeError) as error:
        raise fast.Exotic from error
    return found


def _document(parser: Any) -> Places:
    """The places of one document; a stack of open collections in place of recursion."""
    found: Places = {}
    stack: list[tuple[Path, Any]] = []
    path: Path = ()
    waiting: Any = _Once()
    while True:
        event = parser.get_event()
        kind = event.__class__
        if kind is MappingEndEvent or kind is SequenceEndEvent:
            path, waiting = stack.pop()
            if not stack:
                return found
            continue
        step, key_spot = waiting.take(event)
        if step is _KEY:
            continue
        mark = key_spot or event.start_mark
        where = path if step is None else (*path, step)
        found[where] = (mark.line + 1, mark.column + 1)
        if kind is MappingStartEvent or kind is SequenceStartEvent:
            stack.append((path, waiting))
            path = where
            waiting = _Mapping() if kind is MappingStartEvent else _Sequence()
        elif not stack:
            return found


_KEY = object()


class _Once:
    """The top of a document."""

    def take(self, _event: Any) -> tuple[Any, Any]:
        return None, None


class _Sequence:
    """Counts the items."""

    def __init__(self) -> None:
        self._next = -1

    def take(self, _event: Any) -> tuple[Any, Any]:
        self._next += 1
        return self._next, None


class _Mapping:
    """Every second event is a key; a value stands where its key does."""

    def __init__(self) -> None:
        self._key: Any = None

    def take(self, event: Any) -> tuple[Any, Any]:
        if self._key is None:
            if event.__class__ is not ScalarEvent:
                raise fast.Exotic
            self._key = event
            return _KEY, None
        key, self._key = self._key, None
        return key.value, key.start_mark
