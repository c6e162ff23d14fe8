"""The way of every request: its path leads to an endpoint, which takes it to a handler and back.

On this way are the log, the fault, the body, the key, the permission, the limits, and the commit.
"""

import sqlite3
import traceback
from collections.abc import Mapping
from contextlib import nullcontext
from http import HTTPStatus
from typing import NamedTuple

from starlette.routing import Route as StarletteRoute, Router
from starlette.types import ASGIApp, Receive, Scope, Send

from ..vocabulary.routes import ROUTES, Capability, Route
from .api_keys import require_features, require_key, require_permission
from .catalog_pages import ADDRESSES, Pages, is_page
from .control.control_plane import PREFIX, Control
from .faults import Action, Fault, reset_connection, send_half
from .http_messages import (
    Answer,
    Gone,
    Refusal,
    bad_request,
    headers_of,
    json_object,
    query_of,
    read_body,
    require_modest,
    send_answer,
)
from .oauth_tokens import PATH as TOKENS, Tokens
from .request_gateway import Entry, Gateway, OriginGuard, too_many_requests
from .route_bindings import HANDLERS
from .running_sandbox import Sandbox
from .sandbox_platform import Call, Handler
from .value_checks import InvalidValue

GARBAGE = b'{"courseIds": ["<html><body>Bad gateway</body>'
STRANGER_MOST = 8 * 1024 * 1024
"""Bytes of a body that is read although only the body itself can hold the key."""
_NO_CHANGE = nullcontext()
_REFUSED_INSIDE = frozenset({HTTPStatus.BAD_REQUEST, HTTPStatus.NOT_FOUND, HTTPStatus.CONFLICT})
"""Statuses of refusals that may be inside the body of a success (O64)."""
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
            refusal = Refusal(405, f"{scope['method']} is not allowed here", headers=allow)
            await self._gateway.refuse_request(refusal, entry, scope=scope, send=send)
            return
        exchange = _Exchange(self._gateway, bound, entry, scope=scope)
        try:
            with self._gateway.throttle.under_way():
                await exchange.answer_request(receive, send)
        # The client went away: there is nobody to answer, and no bug to report.
        except Gone:
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
        refusal = Refusal(404, f"{path}: no such route", metadata=metadata)
        await self.refuse_request(refusal, scope, send)

    async def refuse_request(self, refusal: Refusal, scope: Scope, send: Send) -> None:
        """Say no to a request that gets no further."""
        entry = self._gateway.log_request(scope, None)
        await self._gateway.refuse_request(refusal, entry, scope=scope, send=send)


class _Exchange:
    """One request and its answer."""

    def __init__(self, gateway: Gateway, bound: Bound, entry: Entry, *, scope: Scope) -> None:
        self._gateway, self._platform, self._entry = gateway, gateway.platform, entry
        self._route, self._handler = bound
        self._scope, self._headers = scope, headers_of(scope)

    async def answer_request(self, receive: Receive, send: Send) -> None:
        """Answer it, with the fault that was asked for, if any."""
        scope = self._scope
        faults = self._gateway.faults
        fault = faults.pick_fault(self._route.name, method=scope["method"], path=scope["path"])
        if fault:
            self._entry.fault = fault.action
        # Nothing is read and nothing is done: the client cannot know that from a broken connection.
        if fault and fault.action is Action.DROP_BEFORE:
            await reset_connection(scope, receive)
            return
        answer = await self._by_fault(fault, before=True)
        if answer is None:
            answer = await self._run_handler(receive)
            answer = await self._by_fault(fault, before=False) or answer
        # All is done and durable: to the client this looks exactly like the case above.
        if fault and fault.action is Action.DROP_AFTER:
            await reset_connection(scope, receive)
            return
        self._entry.status = answer.status
        if fault and fault.action is Action.CUT:
            await send_half(answer, scope, receive=receive, send=send)
            return
        await send_answer(answer, send)

    async def _by_fault(self, fault: Fault | None, *, before: bool) -> Answer | None:
        """The answer that a fault puts in the place of the true one, before or after the work."""
        if fault is None:
            return None
        if before and fault.action is Action.THROTTLE:
            end = int(self._platform.clock.read_time()) + fault.retry_after
            return self._word_refusal(too_many_requests(fault.retry_after, reset=end))
        if not before and fault.action is Action.GARBAGE:
            return Answer(GARBAGE)
        if fault.before is not before:
            return None
        if fault.action is Action.STATUS:
            return self._word_refusal(Refusal(fault.status, "The server failed (ordered fault)"))
        if fault.action is Action.DELAY:
            await fault.wait_out_delay()
        return Answer(fault.body, fault.status) if fault.action is Action.ANSWER else None

    def _word_refusal(self, refusal: Refusal) -> Answer:
        """The refusal in the shape of the route; that of a user write as `userRefusals` says."""
        answer = self._gateway.word_refusal(refusal, self._route.envelope)
        switches, route = self._platform.switches, self._route
        if (
            switches.userRefusals == "status"
            or refusal.status not in _REFUSED_INSIDE
            or route.reads
            or not route.name.startswith("user.")
        ):
            return answer
        messages = [{"message": error} for error in refusal.errors]
        body = messages if switches.userRefusals == "list" else {"errors": messages}
        status = int(switches.createStatus) if route.name == "user.create" else HTTPStatus.OK
        return answer._replace(body=body, status=int(status))

    async def _run_handler(self, receive: Receive) -> Answer:
        """The handler's answer, or the refusal in the shape of the route; durable when this
        returns."""
        platform, route = self._platform, self._route
        try:
            # A read takes no body, as on the platform: one that is sent is left unread.
            raw = b"" if route.reads else await self._read_body(receive)
            self._gateway.log.receive_body(self._entry, raw)
            answer = self._decide_answer(raw)
            await platform.store.wait_until_durable()
        except Refusal as refusal:
            await platform.store.wait_until_durable()
            # A refusal can follow a change that stays, as with the switch `batchAtomic` off.
            unauthorized = refusal.status == HTTPStatus.UNAUTHORIZED
            if unauthorized and route.name in platform.switches.emptyUnauthorized:
                return Answer(None, refusal.status, self._gateway.account_headers())
            return self._word_refusal(refusal)
        except sqlite3.Error as error:
            return self._word_refusal(Refusal(503, f"The sandbox cannot write its data: {error}"))
        return answer

    async def _read_body(self, receive: Receive) -> bytes:
        """The body, where the key is known or may be in it; 401 before another is read."""
        keys, headers = self._platform.keys, self._headers
        if keys.find_request_key(
            headers, query_of(self._scope), now=self._platform.clock.read_time()
        ):
            return await read_body(headers, receive)
        if not keys.may_bring_key_in_body(headers):
            require_key(None)
        # The key may be in this body, so it has to be read before anybody knows who sends it.
        return await read_body(headers, receive, most=STRANGER_MOST)

    def _decide_answer(self, raw: bytes) -> Answer:
        platform, route, scope, headers = self._platform, self._route, self._scope, self._headers
        # Jobs that are done by now and courses that are due change what this request may see, so
        # they go first.
        platform.catch_up(reading=route.reads)
        query, now = query_of(scope), platform.clock.read_time()
        # Looked up again: while the body was read, another request may have revoked the key.
        key = platform.keys.find_request_key(headers, query, now=now)
        if key is None and not platform.keys.may_hold_key(raw, now=now):
            require_key(None)  # nothing is made of what a stranger sends
        body = _parse_body(raw, headers, known=key is not None)
        key = require_key(key or platform.keys.find_body_key(body, headers, now=now))
        # Handlers refuse fields that they do not know, and the key is no field of any route.
        body.pop("secretKey", None)
        # The order of the refusals: 401, 403, 429, and last what is wrong with the request itself.
        require_permission(key, route)
        require_features(platform.features, route)
        limits = self._gateway.count_request(route, (scope.get("client") or ("", 0))[0])
        careless = platform.switches.carelessClients == "taken"
        if careless and query.get("cursor", [""])[-1] in _NO_CURSOR:
            query.pop("cursor", None)
        call = Call(scope["path_params"], query, body, key)
        try:
            with _NO_CHANGE if route.reads else platform.store.open_change():
                answer = self._handler(platform, call)
        except (Refusal, InvalidValue) as error:
            refusal = error if isinstance(error, Refusal) else bad_request(str(error))
            refusal.headers += limits
            raise refusal from None
        return answer._replace(headers=answer.headers + limits) if limits else answer


def _parse_body(raw: bytes, headers: Mapping[bytes, bytes], *, known: bool) -> dict[str, object]:
    """The body's object; for an unknown caller, a body that cannot be read is a 401."""
    require_modest(raw)
    try:
        return json_object(raw, headers)
    except Refusal:
        if known:
            raise
        require_key(None)
        raise


class Application:
    """A path without parameters is found by one look, the others by Starlette's router.

    Nothing else of Starlette's is between the server and the endpoints: each layer costs
    some percent of a small read.
    """

    def __init__(
        self,
        endpoints: Mapping[str, ASGIApp],
        *,
        guard: OriginGuard,
        control: Control,
        not_found: NotFound,
    ) -> None:
        self._guard, self._control, self._not_found = guard, control, not_found
        self._fixed = {path: endpoint for path, endpoint in endpoints.items() if "{" not in path}
        routes = [
            StarletteRoute(path, endpoint)
            # The router takes the first route that fits: paths with fewer parameters are the more
            # exact ones.
            for path, endpoint in sorted(endpoints.items(), key=lambda item: item[0].count("{"))
            if "{" in path
        ]
        self._router = Router(routes, redirect_slashes=False, default=not_found)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            self._guard.require_origin(scope)
        except Refusal as refusal:
            # Each part refuses in its own shape: a client of the platform never sees that of the
            # control plane.
            of_control = scope["path"].startswith(f"{PREFIX}/")
            refuse = self._control.refuse_request if of_control else self._not_found.refuse_request
            await refuse(refusal, scope, send)
            return
        endpoint = self._fixed.get(scope["path"])
        if endpoint is None:
            await self._router(scope, receive, send)
        else:
            scope["path_params"] = {}
            await endpoint(scope, receive, send)


def build_application(sandbox: Sandbox, *, host: str) -> Application:
    """Every bound route of the profile, one endpoint a path; `host` is what it is served on."""
    platform, gateway = sandbox.platform, sandbox.gateway
    paths: dict[str, dict[str, Bound]] = {}
    for name, handler in HANDLERS.items():
        route = ROUTES[name]
        if route.capability is Capability.CORE or platform.profile == "extended":
            paths.setdefault(route.path, {})[route.method] = Bound(route, handler)
    endpoints: dict[str, ASGIApp] = {
        path: Endpoint(gateway, bound) for path, bound in paths.items()
    }
    endpoints[f"{PREFIX}/{{name}}"] = control = Control(sandbox)
    endpoints[TOKENS] = Tokens(gateway)
    endpoints |= dict.fromkeys(ADDRESSES, Pages(platform, gateway.log))
    guard = OriginGuard(host, is_page=is_page)
    return Application(endpoints, guard=guard, control=control, not_found=NotFound(gateway))
