"""The way of every request: log, fault, body, key, permission, throttle, handler, commit."""

import sqlite3
import traceback
from collections.abc import Mapping
from contextlib import nullcontext
from http import HTTPStatus
from typing import NamedTuple

from starlette.types import Receive, Scope, Send

from lmssync.vocabulary.routes import Route

from .. import http
from ..auth import access
from ..call import Call, Handler
from ..checks import Wrong
from ..faults import Action, Fault
from .gateway import Gateway
from .request_log import Entry
from .throttle import too_many_requests

GARBAGE = b'{"courseIds": ["<html><body>Bad gateway</body>'
STRANGER_MOST = 8 * 1024 * 1024
"""Bytes of a body that is read although its key can only stand in it."""
_NO_CHANGE = nullcontext()
_NO_CURSOR = ("undefined", "null", "None")
"""What careless clients send for a missing cursor (O56)."""


class Bound(NamedTuple):
    """A route and the handler that answers it."""

    route: Route
    handler: Handler


class Endpoint:
    """The ASGI endpoint of one path: the routes that share it, by method."""

    def __init__(self, gateway: Gateway, bound: Mapping[str, Bound]) -> None:
        self._gateway, self._bound = gateway, bound

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        bound = self._bound.get(scope["method"])
        entry = self._gateway.log_request(scope, bound.route.name if bound else None)
        if bound is None:
            allow = (("Allow", ", ".join(sorted(self._bound))),)
            refusal = http.Refusal(405, f"{scope['method']} is not allowed here", headers=allow)
            await self._gateway.refuse_request(refusal, entry, scope=scope, send=send)
            return
        try:
            with self._gateway.throttle.under_way():
                await _Exchange(self._gateway, bound, entry, scope=scope).answer_request(
                    receive, send
                )
        except http.Gone:
            return
        except Exception:
            entry.failure = traceback.format_exc()
            raise


class NotFound:
    """The endpoint of every path that no route has."""

    def __init__(self, gateway: Gateway) -> None:
        self._gateway = gateway

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002
        path = scope["path"][:200]
        metadata: dict[str, object] = {"resource": "route", "identifier": path}
        refusal = http.Refusal(404, f"{path}: no such route", metadata=metadata)
        await self.refuse_request(refusal, scope, send)

    async def refuse_request(self, refusal: http.Refusal, scope: Scope, send: Send) -> None:
        """Say no to a request that gets no further."""
        entry = self._gateway.log_request(scope, None)
        await self._gateway.refuse_request(refusal, entry, scope=scope, send=send)


class _Exchange:
    """One request and its answer."""

    def __init__(self, gateway: Gateway, bound: Bound, entry: Entry, *, scope: Scope) -> None:
        self._gateway, self._platform, self._entry = gateway, gateway.platform, entry
        self._route, self._handler = bound
        self._scope, self._headers = scope, http.headers_of(scope)

    async def answer_request(self, receive: Receive, send: Send) -> None:
        """Answer it, with the fault that was asked for, if any."""
        scope = self._scope
        faults = self._gateway.faults
        fault = faults.pick_fault(self._route.name, method=scope["method"], path=scope["path"])
        if fault:
            self._entry.fault = fault.action
        if fault and fault.action is Action.DROP_BEFORE:
            await http.reset_connection(scope, receive)
            return
        answer = await self._by_fault(fault, before=True)
        if answer is None:
            answer = await self._run_handler(receive)
            answer = await self._by_fault(fault, before=False) or answer
        if fault and fault.action is Action.DROP_AFTER:
            await http.reset_connection(scope, receive)
            return
        self._entry.status = answer.status
        if fault and fault.action is Action.CUT:
            await http.send_half(answer, scope, receive=receive, send=send)
            return
        await http.send_answer(answer, send)

    async def _by_fault(self, fault: Fault | None, *, before: bool) -> http.Answer | None:
        """The answer that a fault puts in the place of the true one, before or after the work."""
        if fault is None:
            return None
        if before and fault.action is Action.THROTTLE:
            end = int(self._platform.clock.read_time()) + fault.retry_after
            return self._word_refusal(too_many_requests(fault.retry_after, reset=end))
        if not before and fault.action is Action.GARBAGE:
            return http.Answer(GARBAGE)
        if fault.before is not before:
            return None
        if fault.action is Action.STATUS:
            return self._word_refusal(
                http.Refusal(fault.status, "The server failed (ordered fault)")
            )
        if fault.action is Action.DELAY:
            await fault.wait_out_delay()
        return http.Answer(fault.body, fault.status) if fault.action is Action.ANSWER else None

    def _word_refusal(self, refusal: http.Refusal) -> http.Answer:
        return self._gateway.word_refusal(refusal, self._route.envelope)

    async def _run_handler(self, receive: Receive) -> http.Answer:
        """The handler's answer, or the refusal in the shape of the route; durable when this
        returns."""
        platform, route = self._platform, self._route
        try:
            raw = b"" if route.reads else await self._read_body(receive)
            self._gateway.log.receive_body(self._entry, raw)
            answer = self._decide_answer(raw)
            await platform.store.wait_until_durable()
        except http.Refusal as refusal:
            await platform.store.wait_until_durable()
            unauthorized = refusal.status == HTTPStatus.UNAUTHORIZED
            if unauthorized and route.name in platform.switches.emptyUnauthorized:
                return http.Answer(None, refusal.status, self._gateway.account_headers())
            return self._word_refusal(refusal)
        except sqlite3.Error as error:
            return self._word_refusal(
                http.Refusal(503, f"The sandbox cannot write its data: {error}")
            )
        return answer

    async def _read_body(self, receive: Receive) -> bytes:
        """The body, where the key is known or may stand in it; 401 before another is read."""
        keys, headers = self._platform.keys, self._headers
        if keys.find_request_key(
            headers, http.query_of(self._scope), now=self._platform.clock.read_time()
        ):
            return await http.read_body(headers, receive)
        if not keys.may_follow(headers):
            access.require_key(None)
        return await http.read_body(headers, receive, most=STRANGER_MOST)

    def _decide_answer(self, raw: bytes) -> http.Answer:
        platform, route, scope, headers = self._platform, self._route, self._scope, self._headers
        platform.catch_up(reading=route.reads)
        query, now = http.query_of(scope), platform.clock.read_time()
        key = platform.keys.find_request_key(headers, query, now=now)
        if key is None and not platform.keys.stands_in(raw, now=now):
            access.require_key(None)  # nothing is made of what a stranger sends
        body = _parse_body(raw, headers, known=key is not None)
        key = access.require_key(key or platform.keys.in_body(body, headers, now=now))
        body.pop("secretKey", None)
        access.require_permission(key, route)
        access.require_features(platform.features, route)
        limits = self._gateway.count_request(route, (scope.get("client") or ("", 0))[0])
        careless = platform.switches.carelessClients == "taken"
        if careless and query.get("cursor", [""])[-1] in _NO_CURSOR:
            query.pop("cursor", None)
        call = Call(scope["path_params"], query, body, key)
        try:
            with _NO_CHANGE if route.reads else platform.store.open_change():
                answer = self._handler(platform, call)
        except (http.Refusal, Wrong) as error:
            refusal = error if isinstance(error, http.Refusal) else http.bad_request(str(error))
            refusal.headers += limits
            raise refusal from None
        return answer._replace(headers=answer.headers + limits) if limits else answer


def _parse_body(raw: bytes, headers: Mapping[bytes, bytes], *, known: bool) -> dict[str, object]:
    """The body's object; for an unknown caller, a body that cannot be read is a 401."""
    http.require_modest(raw)
    try:
        return http.json_object(raw, headers)
    except http.Refusal:
        if known:
            raise
        access.require_key(None)
        raise
