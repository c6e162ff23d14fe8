"""Faults on request: which request fails, how, and how a connection is broken on purpose.

`request_dispatch` carries them out.
"""

import asyncio
import contextlib
import socket
import struct
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from random import Random
from typing import Any

import orjson
from pydantic_core import SchemaError, SchemaValidator, core_schema
from starlette.types import Receive, Scope, Send
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from ..vocabulary.routes import ROUTES, Envelope
from . import value_checks
from .http_messages import Answer, bad_request, body_of
from .value_checks import InvalidValue, Rule, error_path, new_fields, quote_value

FAULTS_MOST = 1_000
_EXPRESSION = value_checks.text_up_to(200)


class Action(StrEnum):
    """What goes wrong."""

    DROP_BEFORE = "drop-before"
    """The connection is reset before any work is done."""
    DROP_AFTER = "drop-after"
    """The connection is reset after the work is committed, before a byte of the answer."""
    CUT = "cut"
    """The work is committed; the answer ends in its middle."""
    STATUS = "status"
    """`status` (500, 502, 503, 504), `when` it is decided: before or after the work."""
    THROTTLE = "throttle"
    """429 with `retryAfter` seconds, nothing done."""
    DELAY = "delay"
    """`seconds` of real time, before or after the work (`when`), or until the faults are removed;
    then the true answer."""
    GARBAGE = "garbage"
    """The work is committed; the answer is 200 with a body that is not JSON."""
    ANSWER = "answer"
    """The answer is `status` with any JSON `body`, empty without one; `when` as for `status`."""


@dataclass
class Fault:
    """One fault; all parts of the match that are given must hold."""

    number: int
    action: Action
    route: str | None = None
    method: str | None = None
    path: SchemaValidator | None = None
    """A regular expression."""
    nth: int = 1
    """The first matching request that fails, counted from 1."""
    probability: float = 1.0
    times: int | None = 1
    """How often it happens; None: without end."""
    status: int = 500
    body: Any = None
    before: bool = True
    seconds: float = 1.0
    retry_after: int = 1
    seen: int = 0
    happened: int = 0
    wire: dict[str, Any] = field(default_factory=dict)
    removed: asyncio.Event = field(default_factory=asyncio.Event)

    async def wait_out_delay(self) -> None:
        """Return after its seconds, or once it is removed."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(self.seconds):
                await self.removed.wait()

    def matches_request(self, route: str, *, method: str, path: str) -> bool:
        return (
            (self.route is None or self.route == route)
            and (self.method is None or self.method == method)
            and (self.path is None or self.path.isinstance_python(path))
        )

    def as_wire(self) -> dict[str, Any]:
        return {"id": self.number, **self.wire, "seen": self.seen, "happened": self.happened}


class Faults:
    """The faults in force; the random numbers repeat from `reset` on."""

    def __init__(self) -> None:
        self.active: list[Fault] = []
        self.remove_faults()

    def remove_faults(self, seed: int = 0) -> None:
        """Remove all of them; what they delay goes on."""
        for fault in self.active:
            fault.removed.set()
        self.active = []
        self._random = Random(seed)  # noqa: S311 - it must repeat, not surprise

    def add_fault(self, wire: Mapping[str, Any]) -> Fault:
        """Put a fault in force; raises InvalidValue that says what is allowed."""
        with error_path("fault"):
            fault = fault_of(wire, number=len(self.active) + 1)
        self.active.append(fault)
        return fault

    def pick_fault(self, route: str, *, method: str, path: str) -> Fault | None:
        """The fault that this request meets, if any."""
        picked = None
        for fault in self.active:
            if not fault.matches_request(route, method=method, path=path):
                continue
            fault.seen += 1
            spent = fault.times is not None and fault.happened >= fault.times
            if picked or spent or fault.seen < fault.nth:
                continue
            if fault.probability >= 1 or self._random.random() < fault.probability:
                fault.happened += 1
                picked = fault
        return picked


def check_pattern(value: Any) -> SchemaValidator:
    """A rule: a regular expression, which is searched in linear time, whatever it is.

    The `re` of the standard library tries every way that an expression can fit, and `(a+)+$` has
    more of them than a day has seconds.
    """
    text = _EXPRESSION(value)
    try:
        return SchemaValidator(core_schema.str_schema(pattern=text))
    except SchemaError as error:
        reason = str(error).strip().rpartition("\n")[2].partition(": ")[2]
        raise InvalidValue(f"{quote_value(text)} cannot be used as a pattern: {reason}") from None


_STATUSES = (500, 502, 503, 504)
_RULES: Mapping[str, Rule] = {
    "action": value_checks.one_of(Action),
    "route": value_checks.one_of(ROUTES),
    "method": value_checks.one_of(sorted({route.method for route in ROUTES.values()})),
    "path": check_pattern,
    "nth": value_checks.whole_number_between(1),
    "probability": value_checks.number_between(0, 1),
    "times": value_checks.whole_number_between(1),
    "status": value_checks.whole_number_between(200, 599),
    "body": lambda value: value,
    "when": value_checks.one_of(("before", "after")),
    "seconds": value_checks.number_between(0, 600),
    "retryAfter": value_checks.number_between(0, 86_400),
}


def fault_of(wire: Mapping[str, Any], *, number: int) -> Fault:
    """A fault as the control plane takes it; raises InvalidValue."""
    fields = new_fields(dict(wire), _RULES, ("action",))
    answers = fields["action"] == Action.ANSWER
    _check_answer(wire, fields.get("status", 500), answers=answers)
    names = ("route", "method", "path", "nth", "probability", "seconds")
    return Fault(
        number=number,
        action=Action(fields["action"]),
        **{name: fields[name] for name in names if name in fields},
        times=fields.get("times", None if "probability" in fields else 1),
        status=fields.get("status", 200 if answers else 500),
        # None is an empty body, so a body that is null must be given as bytes.
        body=b"null" if "body" in wire and wire["body"] is None else wire.get("body"),
        before=fields.get("when", "before") == "before",
        retry_after=fields.get("retryAfter", 1),
        wire=dict(wire),
    )


def _check_answer(wire: Mapping[str, Any], status: int, *, answers: bool) -> None:
    """Any final status can be answered; a failure of the server is one of four."""
    if not answers and status not in _STATUSES:
        allowed = ", ".join(map(str, _STATUSES))
        raise InvalidValue(f"is {status}; it must be one of {allowed}", "status")
    if "body" in wire and not answers:
        raise InvalidValue(f"only the action {Action.ANSWER} takes it", "body")


_TRANSPORT = "lmssync.transport"


class Protocol(HttpToolsProtocol):
    """uvicorn's own, which hands its transport to the application: faults need it."""

    def send_400_response(self, msg: str) -> None:
        """A request that is no HTTP is answered in the general shape and the connection closed."""
        body = orjson.dumps(body_of(bad_request(msg), Envelope.C, timestamp=""))
        head = (
            "HTTP/1.1 400 Bad Request\r\ncontent-type: application/json\r\n"
            f"content-length: {len(body)}\r\nconnection: close\r\n\r\n"
        )
        self.transport.write(head.encode("ascii") + body)
        self.transport.close()

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self.scope["extensions"] = {_TRANSPORT: {"is": self.transport}}


async def reset_connection(scope: Scope, receive: Receive) -> None:
    """Break the connection so that the client sees a reset and no byte of an answer."""
    transport = scope["extensions"][_TRANSPORT]["is"]
    peer = transport.get_extra_info("socket")
    # A socket that may not linger closes with a reset in the place of an orderly end.
    peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    transport.abort()
    await _wait_for_close(receive)


async def send_half(answer: Answer, scope: Scope, *, receive: Receive, send: Send) -> None:
    """Send the headers and the first half of an answer, then close."""
    content = answer.encode_body() or b"{}"
    # The length of the whole body, so that a client can notice that half of it is missing.
    length = (b"content-length", str(len(content)).encode())
    headers = [(b"content-type", b"application/json"), length]
    await send({"type": "http.response.start", "status": answer.status, "headers": headers})
    half = content[: len(content) // 2]
    await send({"type": "http.response.body", "body": half, "more_body": True})
    scope["extensions"][_TRANSPORT]["is"].close()
    await _wait_for_close(receive)


async def _wait_for_close(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
