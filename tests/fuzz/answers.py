"""A platform that answers as it should, but for what a fuzzer has bent."""

import math
from collections.abc import Callable
from random import Random
from typing import Any

import orjson

from tests.platform.client.answering import Asked, Said

ORDER = "\n::set-output name=a::b\r##[add-mask]\x1b[2J\x1b]0;x\x07\x9b\u202e\u2066\u200b\x00"
"""Text that terminals and build servers would obey."""
_UUID = "7d1c0000-0000-4000-8000-00000000000"
_ODD: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 1, 2**63, 1e300, -1e-300, "", " ", ORDER, "x" * 5_000),
    *([], {}, [None], [[]], {"": ""}, {"id": None}, {"errors": []}, {"errors": [ORDER]}),
    *({"error": ORDER}, {"message": ORDER}, {"hasMore": True}, {"data": {}}, {"data": []}),
    *(f"{_UUID}{n}" for n in range(3)),
    *("complete", "failed", "queued", "published", "2028-02-30T25:61:61Z", "é" * 40),
)
_RAW = (
    *(
        b"",
        b"null",
        b"{",
        b"<html>",
        b"\xff\xfe{}",
        b"[" * 5_000,
        b'{"a":' * 300 + b"1" + b"}" * 300,
    ),
    *(b"1" + b"0" * 5_000, b'{"a": 1e999}', b'"\\ud800"', b'{"id": "\xc3\x28"}', b"NaN"),
)
_STATUS = (200, 201, 202, 204, 206, 300, 302, 304, 400, 401, 403, 404, 409, 410, 422, 500, 502, 599)
_HEADERS = (
    {"Retry-After": "0"},
    {"Content-Encoding": "gzip"},
    {"Content-Type": "text/html; charset=\x1b[2J"},
    {"Location": "http://127.0.0.1:1/"},
    {"Location": "//["},
    {"X-RateLimit-Reset": "99999999999999999999"},
    {"Content-Length": "3"},
)


def bent(said: Said, random: Random) -> Said:
    """The answer with one thing wrong, or several."""
    way = random.randrange(12)
    if way == 0:
        return said._replace(body=random.choice(_RAW))
    if way == 1:
        return said._replace(status=random.choice(_STATUS))
    if way == 2:
        return said._replace(headers=random.choice(_HEADERS))
    if way == 3:
        told = {random.choice(["error", "message", "errors"]): random.choice([ORDER, [ORDER]])}
        return Said(told, random.choice(_STATUS))
    body = said.body
    for _ in range(random.choice([1, 1, 1, 2, 5])):
        body = _changed(body, random)
    return said._replace(body=body)


def _changed(value: Any, random: Random) -> Any:
    """A copy with something else in one place."""
    places = list(_places(value, lambda _new: None))
    if not places or random.random() < 0.05:
        return random.choice(_ODD)
    whole = [orjson.loads(orjson.dumps(value))]

    def at_top(new: Any) -> None:
        whole[0] = new

    found, put = random.choice(list(_places(whole[0], at_top)))
    put(_other(found, random))
    return whole[0]


def _other(found: Any, random: Random) -> Any:
    if isinstance(found, str) and random.random() < 0.4:
        return random.choice([ORDER + found, found + ORDER, found.upper(), found[:-1], f"{found} "])
    if isinstance(found, list) and found and random.random() < 0.5:
        return random.choice([found * 2, found[1:], found[::-1], found * 100, [found]])
    if isinstance(found, dict) and found and random.random() < 0.6:
        gone = random.choice(list(found))
        return {key: item for key, item in found.items() if key != gone}
    if isinstance(found, int | float) and math.isfinite(found) and random.random() < 0.5:
        return random.choice([-found, found * 1_000_000, str(found), found + 0.5])
    return random.choice(_ODD)


def _places(value: Any, put: Callable[[Any], None]) -> Any:
    """Every value in a value, and what puts another in its place."""
    yield value, put
    if isinstance(value, dict):
        for key in value:
            yield from _places(value[key], lambda new, key=key: value.__setitem__(key, new))
    elif isinstance(value, list):
        for number in range(len(value)):
            yield from _places(value[number], lambda new, n=number: value.__setitem__(n, new))


class Bending:
    """Bends some answers; which, and how, is settled by the seed and the order of requests."""

    def __init__(self, through: Callable[[Asked], Said], random: Random, most: int) -> None:
        self._through = through
        self._random = random
        self._left = most
        self._often = random.choice([0.1, 0.3, 1.0])
        self.bends = True

    def __call__(self, asked: Asked) -> Said:
        said = self._through(asked)
        if not self.bends or self._left <= 0 or self._random.random() > self._often:
            return said
        self._left -= 1
        return bent(said, self._random)
