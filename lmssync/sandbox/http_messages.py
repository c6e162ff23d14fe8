"""One HTTP exchange: how a request is read, and what an answer and a refusal are (spec 7).

A refusal is an error that a handler raises; it gets the shape of its route. Nothing here knows a
rule of the platform.
"""

from collections.abc import Iterable, Mapping
from http import HTTPStatus
from typing import Any, NamedTuple
from urllib.parse import parse_qs

import orjson
from starlette.types import Receive, Scope, Send

from ..vocabulary.routes import UNAUTHORIZED, V3, Category, Code, Envelope
from .sandbox_documents import Doc


class Refusal(Exception):
    """A request that is refused; `body_of` gives it the shape of its route.

    `kept` is true where the work done so far stays although the answer is a refusal (the
    switch `batchAtomic` off).
    """

    def __init__(
        self,
        status: int,
        *errors: str,
        code: Code | None = None,
        envelope: Envelope | None = None,
        metadata: dict[str, object] | None = None,
        headers: Iterable[tuple[str, str]] = (),
        kept: bool = False,
    ) -> None:
        super().__init__(status, *errors)
        self.status = status
        self.errors = errors
        self.code = code
        self.envelope = envelope
        self.metadata = metadata
        self.headers = tuple(headers)
        self.kept = kept


def bad_request(*errors: str) -> Refusal:
    """400: the request itself is wrong."""
    return Refusal(400, *errors)


def validation_error(*errors: str) -> Refusal:
    """400 `VALIDATION_ERROR` on a v3 route (spec 7); a plain 400 elsewhere."""
    return Refusal(400, *errors, code=Code.VALIDATION_ERROR)


def not_found(resource: str, identifier: str) -> Refusal:
    """404; envelope D names both words in its metadata (spec 7)."""
    return Refusal(
        404,
        f'{resource}: nothing has the id "{identifier[:100]}"',
        metadata={"resource": resource, "identifier": identifier[:100]},
    )


NO_KEY = "The API key is missing, invalid or expired"

_CODES = {
    400: Code.BAD_REQUEST,
    401: Code.UNAUTHENTICATED,
    403: Code.FORBIDDEN,
    404: Code.RESOURCE_NOT_FOUND,
}


def envelope_of_path(path: str) -> Envelope:
    """The envelope of a request that no route answers: D under /v3, else the general one."""
    return Envelope.D if path.startswith(V3 + "/") else Envelope.C


def body_of(refusal: Refusal, envelope: Envelope, *, timestamp: str) -> dict[str, object]:
    """The JSON body of a refusal on a route whose errors have the shape `envelope`."""
    shape = refusal.envelope or shape_of(refusal.status, envelope)
    if shape is Envelope.D:
        return _envelope_d(refusal, timestamp)
    if shape is Envelope.C:
        return _envelope_c(refusal)
    if shape is Envelope.B:
        if refusal.status == HTTPStatus.FORBIDDEN:
            return {"error": refusal.errors[0]}
        return {"valid": False, "errors": list(refusal.errors)}
    if shape is Envelope.E:
        return {"errors": [{"message": error} for error in refusal.errors]}
    return {"errors": list(refusal.errors)}


def shape_of(status: int, envelope: Envelope) -> Envelope:
    """401 speaks C on v2 and D on v3; a 429 always speaks A; B is for 400 and 403 alone."""
    if status == HTTPStatus.TOO_MANY_REQUESTS:
        return Envelope.A
    if status == HTTPStatus.UNAUTHORIZED and envelope is not Envelope.D:
        return Envelope.C
    if envelope is Envelope.B and status not in (HTTPStatus.BAD_REQUEST, HTTPStatus.FORBIDDEN):
        return Envelope.A
    return envelope


def _envelope_c(refusal: Refusal) -> dict[str, object]:
    status = HTTPStatus(refusal.status)
    word = UNAUTHORIZED if status == HTTPStatus.UNAUTHORIZED else status.name.lower()
    body: dict[str, object] = {"error": word, "message": "; ".join(refusal.errors)}
    if status in (HTTPStatus.BAD_REQUEST, HTTPStatus.UNPROCESSABLE_ENTITY):
        body["details"] = [_error_detail(error) for error in refusal.errors]
    return body


def _error_detail(error: str) -> dict[str, str]:
    field, message = error.split(": ", 1) if ": " in error else ("", error)
    return {"field": field, "code": "invalid", "message": message}


def _envelope_d(refusal: Refusal, timestamp: str) -> dict[str, object]:
    status = refusal.status
    code = refusal.code or _CODES.get(status) or HTTPStatus(status).name
    of_status = Category.NOT_FOUND if status == HTTPStatus.NOT_FOUND else Category.CLIENT_ERROR
    body: dict[str, object] = {
        "code": code,
        "message": "; ".join(refusal.errors),
        "category": Category.VALIDATION if code == Code.VALIDATION_ERROR else of_status,
        "timestamp": timestamp,
        "statusCode": status,
    }
    metadata = refusal.metadata
    if metadata is None and status == HTTPStatus.BAD_REQUEST:
        metadata = {"errors": list(refusal.errors)}
    if metadata is not None:
        body["metadata"] = metadata
    return body


Query = Mapping[str, list[str]]
"""The values of each parameter of a query."""
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
            raise bad_request("The body contains a NUL character")
        if isinstance(value, dict):
            waiting += [*value.keys(), *value.values()]
        elif isinstance(value, list):
            waiting += value


def headers_of(scope: Scope) -> dict[bytes, bytes]:
    return dict(scope["headers"])


def query_of(scope: Scope) -> dict[str, list[str]]:
    query = scope["query_string"].decode("latin-1")
    return parse_qs(query, keep_blank_values=True) if query else {}


async def send_answer(answer: Answer, send: Send) -> None:
    content = answer.encode_body()
    headers = [(b"content-length", str(len(content)).encode())]
    if content:
        headers.append((b"content-type", b"application/json"))
    headers += [(name.lower().encode(), value.encode()) for name, value in answer.headers]
    await send({"type": "http.response.start", "status": answer.status, "headers": headers})
    await send({"type": "http.response.body", "body": content})
