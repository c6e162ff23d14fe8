"""One exchange: how a request is read and what an answer is, before any rule of the platform."""

from collections.abc import Mapping
from typing import Any, NamedTuple
from urllib.parse import parse_qsl

import orjson
from starlette.types import Receive, Scope, Send

from ..documents import Doc
from .refusals import Refusal, bad_request

BODY_MOST = 64 * 1024 * 1024
_PLAIN, _VALUES_MOST = 1024 * 1024, 2_000_000
"""Bytes in which nothing is counted, and values of any body."""
DEPTH_MOST = 250
"""Deeper JSON is refused; it is also what the writer of JSON can write again."""


class Answer(NamedTuple):
    """What a handler answers; `body` None is an empty body, bytes are sent as they are."""

    body: Any = None
    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()

    def encode_body(self) -> bytes:
        if self.body is None:
            return b""
        return self.body if isinstance(self.body, bytes) else orjson.dumps(self.body)


class Gone(Exception):
    """The client went away before its request was read."""


async def read_body(
    headers: Mapping[bytes, bytes], receive: Receive, *, most: int = BODY_MOST
) -> bytes:
    """The bytes of a request; 413 before they are read where they say they are too many."""
    length = headers.get(b"content-length", b"0")
    if length.isdigit() and (len(length) > len(str(most)) or int(length) > most):
        raise _too_large(most)
    parts, size = [], 0
    while True:
        message = await receive()
        if message["type"] != "http.request":
            raise Gone
        part = message.get("body", b"")
        size += len(part)
        if size > most:
            raise _too_large(most)
        parts.append(part)
        if not message.get("more_body"):
            return b"".join(parts)


def _too_large(most: int) -> Refusal:
    return Refusal(413, f"The body is too large; the most is {most} bytes")


def require_modest(raw: bytes) -> None:
    """413 for a body of more values than are worth making: a byte can stand for fifty in memory."""
    if len(raw) > _PLAIN and sum(raw.count(sign) for sign in (b",", b"[", b"{")) > _VALUES_MOST:
        raise Refusal(413, f"The body holds too many values; the most is {_VALUES_MOST}")


def json_object(raw: bytes, headers: Mapping[bytes, bytes]) -> Doc:
    """The object of a body; an empty body is an empty object. Raises 400 or 415."""
    if not raw:
        return {}
    kind = headers.get(b"content-type", b"").split(b";")[0].strip().lower()
    if kind != b"application/json":
        raise Refusal(415, "The content type must be application/json")
    try:
        body = orjson.loads(raw)
    except orjson.JSONDecodeError as error:
        raise bad_request(f"The body is not JSON: {error}") from None
    if not isinstance(body, dict):
        raise bad_request("The body must be a JSON object")
    _refuse_depth(raw, body)
    if b"\\u0000" in raw:
        _refuse_nul(body)
    return body


def _refuse_depth(raw: bytes, body: Doc) -> None:
    if raw.count(b"[") + raw.count(b"{") < DEPTH_MOST:
        return
    try:
        orjson.dumps(body)  # it stops at its own recursion limit, far cheaper than a walk
    except TypeError:
        raise bad_request("The body is nested too deeply") from None


def _refuse_nul(body: Doc) -> None:
    """NUL escapes: a rare path, so it may walk everything."""
    waiting: list[Any] = [body]
    while waiting:
        value = waiting.pop()
        if isinstance(value, str) and "\0" in value:
            raise bad_request("The body holds a NUL character")
        if isinstance(value, dict):
            waiting += [*value.keys(), *value.values()]
        elif isinstance(value, list):
            waiting += value


def headers_of(scope: Scope) -> dict[bytes, bytes]:
    return dict(scope["headers"])


def query_of(scope: Scope) -> dict[str, list[str]]:
    query: dict[str, list[str]] = {}
    if scope["query_string"]:
        pairs = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        for name, value in pairs:
            query.setdefault(name, []).append(value)
    return query


async def send_answer(answer: Answer, send: Send) -> None:
    content = answer.encode_body()
    headers = [(b"content-length", str(len(content)).encode())]
    if content:
        headers.append((b"content-type", b"application/json"))
    headers += [(name.lower().encode(), value.encode()) for name, value in answer.headers]
    await send({"type": "http.response.start", "status": answer.status, "headers": headers})
    await send({"type": "http.response.body", "body": content})
