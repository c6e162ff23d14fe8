"""One moment by which a whole request is over, however slowly its bytes come or go.

The time-outs of httpx are for each read and each write: a platform that sends a byte a second, or
one provisional answer after another, would never be left.
"""

import ssl
import time
from collections.abc import Iterable
from threading import local
from typing import Any

import httpcore
import httpx

_PIECE = 65_536
"""Bytes that are handed over at a time: between two pieces somebody looks at the clock."""


class _Request(local):
    """The request that a thread is at."""

    seconds = 0.0
    until: float | None = None
    """None: it has not begun yet, but waits for a connection."""


_request = _Request()


def within(seconds: float) -> None:
    """The next request of this thread has so long, from the moment that it reaches for the net."""
    _request.seconds, _request.until = seconds, None


def _left(timeout: float | None, late: type[httpcore.TimeoutException]) -> float:
    """Seconds that one step may take; raises `late` where none are left."""
    now = time.monotonic()
    if _request.until is None:
        _request.until = now + _request.seconds
    left = _request.until - now
    if left <= 0:
        raise late(f"it was not over after {_request.seconds:g} s")
    return left if timeout is None else min(timeout, left)


class Transport(httpx.HTTPTransport):
    """Connections that keep to the moment which `within` has set."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        # httpx takes no backend, and httpcore asks the pool for its own at each connection.
        plain = self._pool._network_backend  # noqa: SLF001
        self._pool._network_backend = _Backend(plain)  # noqa: SLF001


class _Backend(httpcore.NetworkBackend):
    def __init__(self, plain: httpcore.NetworkBackend) -> None:
        self._plain = plain

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.NetworkStream:
        patience = _left(timeout, httpcore.ConnectTimeout)
        return _Stream(self._plain.connect_tcp(host, port, patience, local_address, socket_options))


class _Stream(httpcore.NetworkStream):
    def __init__(self, plain: httpcore.NetworkStream) -> None:
        self._plain = plain

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._plain.read(max_bytes, _left(timeout, httpcore.ReadTimeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        for start in range(0, len(buffer), _PIECE):
            patience = _left(timeout, httpcore.WriteTimeout)
            self._plain.write(buffer[start : start + _PIECE], patience)

    def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,
    ) -> httpcore.NetworkStream:
        patience = _left(timeout, httpcore.ConnectTimeout)
        return _Stream(self._plain.start_tls(ssl_context, server_hostname, patience))

    def close(self) -> None:
        self._plain.close()

    def get_extra_info(self, info: str) -> Any:
        return self._plain.get_extra_info(info)
