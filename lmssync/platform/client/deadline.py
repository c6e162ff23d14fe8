"""A deadline for a whole request, however slowly its bytes come or go.

The time-outs of httpx apply to each read and each write: they would never end a request to a
platform that sends one byte a second, or one provisional answer after another.
"""

import ssl
import time
from threading import local
from typing import Any

import httpcore
import httpx

_PIECE = 65_536
"""Bytes that are sent at a time; the deadline is checked between two pieces."""


class _Request(local):
    """The current request of a thread."""

    seconds = 0.0
    until: float | None = None
    """None: it has not begun yet and waits for a connection."""


_request = _Request()


def set_deadline(seconds: float) -> None:
    """Give the next request of this thread so much time, from the moment it uses the network."""
    _request.seconds, _request.until = seconds, None


def _seconds_left(timeout: float | None, late: type[httpcore.TimeoutException]) -> float:
    """Seconds that one step may take; raises `late` if none are left."""
    now = time.monotonic()
    if _request.until is None:
        _request.until = now + _request.seconds
    left = _request.until - now
    if left <= 0:
        raise late(f"it was not finished after {_request.seconds:g} s")
    return left if timeout is None else min(timeout, left)


class Transport(httpx.HTTPTransport):
    """Connections that respect the deadline set by `set_deadline`."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        # httpx takes no backend, and httpcore asks the pool for its own at each connection.
        plain = self._pool._network_backend  # noqa: SLF001
        self._pool._network_backend = _Backend(plain)  # noqa: SLF001

    def hang_up(self) -> None:
        """Closes the connections that are open; the next request opens another."""
        self._pool.close()


class _Backend(httpcore.NetworkBackend):
    def __init__(self, plain: httpcore.NetworkBackend) -> None:
        self._plain = plain

    def connect_tcp(
        self, host: str, port: int, timeout: float | None = None, *others: Any, **options: Any
    ) -> httpcore.NetworkStream:
        patience = _seconds_left(timeout, httpcore.ConnectTimeout)
        return _Stream(self._plain.connect_tcp(host, port, patience, *others, **options))


class _Stream(httpcore.NetworkStream):
    def __init__(self, plain: httpcore.NetworkStream) -> None:
        self._plain = plain

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._plain.read(max_bytes, _seconds_left(timeout, httpcore.ReadTimeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        for start in range(0, len(buffer), _PIECE):
            patience = _seconds_left(timeout, httpcore.WriteTimeout)
            self._plain.write(buffer[start : start + _PIECE], patience)

    def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,
    ) -> httpcore.NetworkStream:
        patience = _seconds_left(timeout, httpcore.ConnectTimeout)
        return _Stream(self._plain.start_tls(ssl_context, server_hostname, patience))

    def close(self) -> None:
        self._plain.close()

    def get_extra_info(self, info: str) -> Any:
        return self._plain.get_extra_info(info)
