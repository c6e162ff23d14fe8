"""Every way to bend one answer of the platform, each with a name by which it can be run again."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import orjson

from tests.platform.client.answering import Said

OTHER_ID = "7d1c0000-0000-4000-8000-000000000000"
_GONE = object()
"""In the place of a value: its key or item is left out."""
_OTHER_TYPE = {dict: [], list: {}, str: 7, bool: "true", int: "1", float: "1"}


class Bend(NamedTuple):
    """One change to one answer."""

    number: int
    """Of all answers of the command, the first is 0."""
    route: str
    path: tuple[str | int, ...]
    """Where in the answer; empty for the answer itself."""
    change: str

    def __str__(self) -> str:
        place = "".join(f"[{n}]" if isinstance(n, int) else f".{n}" for n in self.path)
        return f"{self.number}:{self.route}{place}:{self.change.replace(' ', '-')}"

    @property
    def pattern(self) -> tuple[str, ...]:
        """The same for bends of the same field of further answers and items."""
        return self.route, *(n if isinstance(n, str) else "[]" for n in self.path), self.change

    def apply_to(self, said: Said) -> Said:
        """The answer bent; as it is where it lacks the place."""
        if self.change in _WHOLE:
            return _WHOLE[self.change](said)
        if isinstance(said.body, bytes):
            return said
        holder: Any = [orjson.loads(orjson.dumps(said.body))]
        top, last = holder, (0, *self.path)[-1]
        try:
            for step in (0, *self.path)[:-1]:
                holder = holder[step]
            new = _INSIDE[self.change](holder[last])
        except (KeyError, IndexError, TypeError):
            return said
        if new is _GONE:
            del holder[last]
        else:
            holder[last] = new
        return said._replace(body=top[0])


def list_bends(number: int, route: str, said: Said) -> Iterator[Bend]:
    """All bends of one answer."""
    yield from (Bend(number, route, (), change) for change in _WHOLE)
    if not isinstance(said.body, bytes):
        for path, value in _find_places(said.body):
            yield from (Bend(number, route, path, change) for change in _find_changes(value, path))


def _find_places(value: Any, above: tuple[str | int, ...] = ()) -> Iterator[tuple[Any, Any]]:
    """Every place in a value with what stands there; of a list, the first and the last item."""
    yield above, value
    if isinstance(value, dict):
        for key in value:
            yield from _find_places(value[key], (*above, key))
    elif isinstance(value, list) and value:
        for number in sorted({0, len(value) - 1}):
            yield from _find_places(value[number], (*above, number))


def _find_changes(value: Any, path: tuple[str | int, ...]) -> Iterator[str]:
    yield "other type"
    if path:
        yield "missing"
    if value is not None:
        yield "null"
    if isinstance(value, str):
        yield "empty"
        yield "other id" if _is_id(value) else "unknown word"
    elif isinstance(value, dict):
        yield from ("empty", "list around it")
    elif isinstance(value, list) and value:
        yield from ("empty", "twice", "without its last", "its first alone", "reversed")
    elif isinstance(value, bool):
        yield "not"
    elif isinstance(value, int):
        yield "negative"


def _is_id(value: str) -> bool:
    return len(value) == len(OTHER_ID) and value.count("-") == OTHER_ID.count("-")


_INSIDE: Mapping[str, Callable[[Any], Any]] = {
    "other type": lambda found: _OTHER_TYPE.get(type(found), "text"),
    "missing": lambda _found: _GONE,
    "null": lambda _found: None,
    "empty": lambda found: type(found)(),
    "other id": lambda _found: OTHER_ID,
    "unknown word": lambda _found: "unheard-of",
    "list around it": lambda found: [found],
    "twice": lambda found: found * 2,
    "without its last": lambda found: found[:-1],
    "its first alone": lambda found: found[0],
    "reversed": lambda found: found[::-1],
    "not": lambda found: not found,
    "negative": lambda found: -1 - found,
}


def _put_body(body: bytes) -> Callable[[Said], Said]:
    return lambda said: said._replace(body=body)


def _cut(said: Said) -> Said:
    """It breaks off, which its length shows."""
    length = str(len(said.content))
    headers = {**said.headers, "content-length": length, "connection": "close"}
    return said._replace(body=said.content[: len(said.content) // 2], headers=headers)


_WHOLE: Mapping[str, Callable[[Said], Said]] = {
    "cut": _cut,
    "half": lambda said: said._replace(body=said.content[: len(said.content) // 2]),
    "no body": _put_body(b""),
    "null alone": _put_body(b"null"),
    "a page": _put_body(b"<html>Welcome</html>"),
    "as HTML": lambda said: said._replace(headers={**said.headers, "content-type": "text/html"}),
    "no content": lambda said: Said(b"", 204, said.headers),
    "with errors": lambda said: said._replace(body={"errors": ["not today"]}),
    "failed": lambda said: Said({"errors": ["not today"]}, 500, said.headers),
}
