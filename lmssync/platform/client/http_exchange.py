"""Sends one HTTP request to the platform and reports its outcome."""

from collections.abc import Mapping
from contextlib import closing
from functools import partial
from typing import TYPE_CHECKING, Any

import httpx
import orjson

from ...errors import PlatformError, Stopped, Unreachable
from ...support.hosts import parse_site
from .answer_bodies import describe_refusal, platform_words, read_body
from .http_connections import (
    ENCODINGS,
    BadContent,
    Connections,
    Oversized,
    describe_redirect,
    read_content,
    set_deadline,
)
from .network_settings import choose_way, describe_network_error
from .request_outcomes import (
    REDIRECTS,
    DeliveryStatus,
    Outcome,
    answered_at,
    read_standing,
    retry_after,
)

if TYPE_CHECKING:
    from .access_tokens import Tokens
    from .send_deadline import SendDeadline

_PROXY_WANTS_A_USER = 407
_CLIENT_ERRORS = frozenset({400, 401, 403, 404, 405, 409, 413, 415, 422})


class Wire:
    """Connections to one instance: kept alive for reads, a fresh one for each write.

    A stale kept-alive connection is the commonest source of a write that may or may not have
    happened, so writes never use one; and a redirect is never followed by a second write. A read
    follows one to the same host only: the key is for no other. Never more `connections` are open.
    """

    def __init__(
        self, base_url: str, key: "str | Tokens", timeout: float, *, connections: int = 1
    ) -> None:
        """`key` is an API key, or the tokens of a client that are sent in its place."""
        self._base, self._timeout, self._way = base_url.rstrip("/"), timeout, choose_way(base_url)
        self._key = key
        headers = {"Accept": "application/json", "Accept-Encoding": ENCODINGS}
        self._connections = Connections(self._way, headers, timeout, most=connections)

    def close(self) -> None:
        self._connections.close()

    def exchange(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, Any] | None = None,
        body: Any = None,
        announced: "SendDeadline | None" = None,
    ) -> Outcome:
        """Sends one request and says how it ended; raises nothing that the network can cause.

        A token that is refused is renewed once: a 401 has done nothing.
        """
        send = partial(self._send_request, method, path, query, body, announced)
        if isinstance(self._key, str):
            return send(self._key)
        try:
            token = self._key.current_token()
            outcome = send(token)
            if outcome.status == httpx.codes.UNAUTHORIZED:
                outcome = send(self._key.instead_of(token))
        except Stopped as error:
            return Outcome(DeliveryStatus.REJECTED, message=error.message, retry_after=0.0)
        except PlatformError as error:  # of the host of the tokens: the platform has done nothing
            fate = (
                DeliveryStatus.UNSENT if isinstance(error, Unreachable) else DeliveryStatus.REJECTED
            )
            return Outcome(fate, message=error.message, cause=error)
        return outcome._replace(by_token=True)

    def _send_request(
        self,
        method: str,
        path: str,
        query: Mapping[str, Any] | None,
        body: Any,
        announced: "SendDeadline | None",
        bearer: str,
    ) -> Outcome:
        started: list[str] = []

        def trace(event: str, info: Any) -> None:
            # The events of httpcore are the only sign of what went over the wire. An exception of
            # httpx does not say whether a byte was sent: a time-out in the pool and one in the
            # middle of the body look alike.
            if event.endswith("send_request_headers.started") and _is_ours(info):
                # Checked here and not before: connecting, with a proxy and TLS, can itself take
                # longer than the announcement is good for.
                if announced and announced.is_late:
                    raise _LateError
                started.append(event)

        try:
            # The body of the answer is read inside this block: the connection is free only after
            # its last byte.
            with self._connections.open_one(fresh=method != "GET") as connection:
                set_deadline(self._timeout)
                request = connection.request(
                    method,
                    self._base + path,
                    query=query,
                    content=None if body is None else orjson.dumps(body),
                    headers={"Authorization": f"Bearer {bearer}"}
                    | ({} if body is None else {"Content-Type": "application/json"}),
                    trace=trace,
                )
                with closing(connection.send(request)) as response:
                    if self._way.proxy and response.status_code == _PROXY_WANTS_A_USER:
                        started.clear()  # the proxy has sent nothing on
                        raise httpx.ProxyError(f"{_PROXY_WANTS_A_USER} {response.reason_phrase}")
                    return _read_outcome(response)
        except _LateError:
            words = "too much time has passed since the journal recorded it, so it was not sent"
            return Outcome(DeliveryStatus.UNSENT, message=words, late=True)
        except (httpx.HTTPError, httpx.InvalidURL, UnicodeError) as error:
            # A `UnicodeError` comes from a host that cannot be spelled for the name server.
            fate = DeliveryStatus.UNKNOWN if started else DeliveryStatus.UNSENT
            words, hint = describe_network_error(error, parse_site(self._base), self._way)
            return Outcome(fate, message=words, hint=hint)


class _LateError(Exception):
    """Stops a request before its first byte."""


def _is_ours(info: Any) -> bool:
    """False for the CONNECT that a proxy gets before the request."""
    return bool(info["request"].method != b"CONNECT")


def _read_outcome(response: httpx.Response) -> Outcome:
    status = response.status_code
    if response.request.method == "GET" and status in REDIRECTS:
        return Outcome(DeliveryStatus.REJECTED, status, message=describe_redirect(response))
    try:
        body = read_content(response)
        headers = response.headers
        judged = judge_answer(response, body)._replace(size=len(body), date=answered_at(headers))
        return judged._replace(standing=read_standing(headers))
    except BadContent as bad:
        again = not isinstance(bad, Oversized)
        return Outcome(
            DeliveryStatus.UNKNOWN, status, message=f"{bad} (HTTP {status})", again=again
        )


def judge_answer(response: httpx.Response, body: bytes | bytearray) -> Outcome:
    """The fate of a request that was answered (design: the create protocol)."""
    status = response.status_code
    wait = retry_after(response.headers) if _asks_to_wait(response) else None
    try:
        answer = read_body(body)
    except ValueError:
        fate = (
            DeliveryStatus.REJECTED
            if status == httpx.codes.TOO_MANY_REQUESTS
            else DeliveryStatus.UNKNOWN
        )
        text = f"an answer that is not JSON (HTTP {status})"
        return Outcome(fate, status, message=text, retry_after=wait)
    if response.is_success:
        return Outcome(DeliveryStatus.ACKNOWLEDGED, status, answer)
    # A 400 or 409 in no envelope of the platform may come from something in between, a firewall
    # perhaps: it proves nothing about what the platform has done.
    complaint = describe_refusal(answer)
    reason = platform_words(response.reason_phrase) or f"HTTP {status}"
    if status == httpx.codes.TOO_MANY_REQUESTS:
        return Outcome(
            DeliveryStatus.REJECTED, status, answer, complaint or "too many requests", wait
        )
    if status in _CLIENT_ERRORS:
        # A 401 may have an empty body (spec 5); the rest must be in a known envelope.
        known = complaint is not None or status in {401, 403, 404, 405}
        fate = DeliveryStatus.REJECTED if known else DeliveryStatus.UNKNOWN
        return Outcome(fate, status, answer, complaint or reason)
    leads = response.headers.get("location", "") if status == httpx.codes.FOUND else ""
    return Outcome(
        DeliveryStatus.UNKNOWN, status, answer, complaint or reason, wait, location=leads
    )


def _asks_to_wait(response: httpx.Response) -> bool:
    """A 429 always asks for a wait; a 503 may (spec 7)."""
    busy = response.status_code == httpx.codes.SERVICE_UNAVAILABLE
    return response.status_code == httpx.codes.TOO_MANY_REQUESTS or (
        busy and "retry-after" in response.headers
    )
