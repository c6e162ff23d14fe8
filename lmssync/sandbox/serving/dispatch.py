"""The way of every request: log, fault, body, key, permission, throttle, handler, commit."""

import asyncio
import sqlite3
import traceback
from collections.abc import Callable, Mapping
from typing import NamedTuple

from starlette.types import Receive, Scope, Send

from lmssync.vocabulary.enums import Feature
from lmssync.vocabulary.envelopes import Envelope
from lmssync.vocabulary.routes import Route

from ..auth import access
from ..faults import Action, Fault
from ..platform import Platform
from . import careless, envelopes, protocol
from .exchange import (
    STRANGER_MOST,
    Answer,
    Call,
    Gone,
    headers_of,
    json_object,
    query_of,
    read_body,
    require_modest,
)
from .refusals import Refusal
from .request_log import Entry
from .throttle import Headers, account_limits, exceeded, limits_of, require_connection

Handler = Callable[[Platform, Call], Answer]
"""One handler's answer to one route. It runs to its end before any other request is looked at,
inside a change of the store unless the route only reads; it raises Refusal to say no."""

GARBAGE = b'{"courseIds": ["<html><body>Bad gateway</body>'


class Bound(NamedTuple):
    """A route and the handler that answers it."""

    route: Route
    handler: Handler


class Path:
    """The ASGI endpoint of one path: the routes that share it, by method."""

    def __init__(self, platform: Platform, bound: Mapping[str, Bound]) -> None:
        self._platform, self._bound = platform, bound

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        found = self._bound.get(scope["method"])
        entry = _logged(self._platform, scope, found.route.name if found else None)
        if found is None:
            allow = ", ".join(sorted(self._bound))
            refusal = Refusal(
                405, f"{scope['method']} is not allowed here", headers=(("Allow", allow),)
            )
            await _refuse(self._platform, refusal, entry, scope=scope, send=send)
            return
        try:
            with self._platform.throttle.under_way():
                await _answer(self._platform, found, entry, scope=scope, receive=receive, send=send)
        except Gone:
            return
        except Exception:
            entry.failure = traceback.format_exc()
            raise


class NotFound:
    """The endpoint of every path that no route has."""

    def __init__(self, platform: Platform) -> None:
        self._platform = platform

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002
        refusal = Refusal(
            404,
            f"{scope['path'][:200]}: no such route",
            metadata={"resource": "route", "identifier": scope["path"][:200]},
        )
        await self.refuse(refusal, scope, send)

    async def refuse(self, refusal: Refusal, scope: Scope, send: Send) -> None:
        """Say no to a request that gets no further."""
        entry = _logged(self._platform, scope, None)
        await _refuse(self._platform, refusal, entry, scope=scope, send=send)


async def _refuse(
    platform: Platform, refusal: Refusal, entry: Entry, *, scope: Scope, send: Send
) -> None:
    answer = _worded(refusal, envelopes.of_path(scope["path"]), platform)
    entry.status = answer.status
    await send_answer(answer, send)


async def _answer(
    platform: Platform, bound: Bound, entry: Entry, *, scope: Scope, receive: Receive, send: Send
) -> None:
    """Answer one request, with the fault that was ordered for it, if any."""
    route = bound.route
    fault = platform.faults.pick(route.name, method=scope["method"], path=scope["path"])
    if fault:
        entry.fault = fault.action
    if fault and fault.action is Action.DROP_BEFORE:
        await protocol.reset(scope, receive)
        return
    answer = await _fault_before(platform, route, fault)
    if answer is None:
        answer = await _worked(platform, bound, entry, scope=scope, receive=receive)
        if fault:
            answer = await _fault_after(platform, route, fault, answer=answer)
    if fault and fault.action is Action.DROP_AFTER:
        await protocol.reset(scope, receive)
        return
    entry.status = answer.status
    if fault and fault.action is Action.CUT:
        await protocol.cut(answer, scope, receive=receive, send=send)
        return
    await send_answer(answer, send)


async def _fault_before(platform: Platform, route: Route, fault: Fault | None) -> Answer | None:
    """The answer of a fault that prevents the work, or None."""
    if fault is None:
        return None
    if fault.action is Action.THROTTLE:
        reset = int(platform.clock.now()) + fault.retry_after
        return _worded(exceeded(fault.retry_after, reset=reset), route.envelope, platform)
    if fault.before and fault.action is Action.STATUS:
        return _broken(fault, route, platform)
    if fault.before and fault.action is Action.ANSWER:
        return Answer(fault.body, fault.status)
    if fault.before and fault.action is Action.DELAY:
        await asyncio.sleep(fault.seconds)
    return None


async def _fault_after(platform: Platform, route: Route, fault: Fault, *, answer: Answer) -> Answer:
    """The answer after the work is done, as the fault changes it."""
    if not fault.before and fault.action is Action.STATUS:
        return _broken(fault, route, platform)
    if not fault.before and fault.action is Action.DELAY:
        await asyncio.sleep(fault.seconds)
    if fault.action is Action.GARBAGE:
        return Answer(GARBAGE)
    if fault.action is Action.ANSWER:
        return Answer(fault.body, fault.status)
    return answer


def _broken(fault: Fault, route: Route, platform: Platform) -> Answer:
    return _worded(
        Refusal(fault.status, "The server failed (ordered fault)"), route.envelope, platform
    )


async def _worked(
    platform: Platform, bound: Bound, entry: Entry, *, scope: Scope, receive: Receive
) -> Answer:
    """The handler's answer, or the refusal in the shape of the route; durable when this returns."""
    headers = headers_of(scope)
    route = bound.route
    try:
        raw = b"" if route.reads else await _read(platform, scope, headers, receive)
        platform.log.received(entry, raw)
        answer = _decided(platform, bound, raw, scope=scope, headers=headers)
        await platform.store.durable()
    except Refusal as refusal:
        await platform.store.durable()
        if refusal.status == 401 and route.name in platform.switches.emptyUnauthorized:  # noqa: PLR2004
            return Answer(None, 401, _account_headers(platform))
        return _worded(refusal, route.envelope, platform)
    except sqlite3.Error as error:
        unwritten = Refusal(503, f"The sandbox cannot write its data: {error}")
        return _worded(unwritten, route.envelope, platform)
    return answer


async def _read(
    platform: Platform, scope: Scope, headers: Mapping[bytes, bytes], receive: Receive
) -> bytes:
    """The body of a request whose key is known or may stand in it; 401 before another is read."""
    if platform.keys.find(headers, query_of(scope), now=platform.clock.now()):
        return await read_body(headers, receive)
    if not platform.keys.may_follow(headers):
        access.require_key(None)
    return await read_body(headers, receive, most=STRANGER_MOST)


def _decided(
    platform: Platform, bound: Bound, raw: bytes, *, scope: Scope, headers: Mapping[bytes, bytes]
) -> Answer:
    route, peer = bound.route, (scope.get("client") or ("", 0))[0]
    platform.turn(reading=route.reads)
    query = query_of(scope)
    key = platform.keys.find(headers, query, now=platform.clock.now())
    if key is None and not platform.keys.stands_in(raw, now=platform.clock.now()):
        access.require_key(None)  # nothing is made of what a stranger sends
    body = _body(raw, headers, known=key is not None)
    key = access.require_key(key or platform.keys.in_body(body, headers, now=platform.clock.now()))
    body.pop("secretKey", None)
    access.require_permission(key, route)
    access.require_features(platform.features, route)
    told = _counted(platform, route, peer)
    if platform.switches.carelessClients == "taken":
        query = careless.query(query)
    call = Call(route, scope["path_params"], query, body, key, peer)
    try:
        if route.reads:
            answer = bound.handler(platform, call)
        else:
            with platform.store.change():
                answer = bound.handler(platform, call)
    except Refusal as refusal:
        refusal.headers += told
        raise
    return answer._replace(headers=answer.headers + told) if told else answer


def _body(raw: bytes, headers: Mapping[bytes, bytes], *, known: bool) -> dict[str, object]:
    """The body's object; for an unknown caller, a body that cannot be read is a 401."""
    require_modest(raw)
    try:
        return json_object(raw, headers)
    except Refusal:
        if known:
            raise
        access.require_key(None)
        raise


def _counted(platform: Platform, route: Route, peer: str) -> Headers:
    """The headers that tell the tightest limit of the request; raises 429."""
    account, now = platform.switches.accountFigures, platform.clock.now()
    require_connection(account, answering=platform.throttle.answering, now=now)
    own = limits_of(
        route,
        increased=Feature.INCREASED_API_RATE_LIMITS in platform.features,
        overrides=platform.limits,
        user_tier_on_reads=platform.switches.userTierOnReads,
    )
    counted = [*own, *account_limits(account)]
    return platform.throttle.take(counted, peer=peer, now=now) if counted else ()


def _account_headers(platform: Platform) -> Headers:
    """What every answer carries that counts against nothing, once the account figures are on."""
    counted = list(account_limits(platform.switches.accountFigures))
    return platform.throttle.standing(counted, peer="", now=platform.clock.now())


def _worded(refusal: Refusal, envelope: Envelope, platform: Platform) -> Answer:
    body = envelopes.body_of(refusal, envelope, timestamp=platform.clock.stamp())
    told = any(name.startswith("X-RateLimit") for name, _ in refusal.headers)
    headers = refusal.headers if told else refusal.headers + _account_headers(platform)
    return Answer(body, refusal.status, headers)


def _logged(platform: Platform, scope: Scope, route: str | None) -> Entry:
    return platform.log.begin(
        moment=platform.clock.now(),
        method=scope["method"],
        path=scope["path"],
        query=scope["query_string"].decode("latin-1"),
        route=route,
    )


async def send_answer(answer: Answer, send: Send) -> None:
    content = answer.content()
    headers = [(b"content-length", str(len(content)).encode())]
    if content:
        headers.append((b"content-type", b"application/json"))
    headers += [(name.lower().encode(), value.encode()) for name, value in answer.headers]
    await send({"type": "http.response.start", "status": answer.status, "headers": headers})
    await send({"type": "http.response.body", "body": content})
