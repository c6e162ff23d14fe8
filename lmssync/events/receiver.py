"""The HTTP server that notifications are posted to; loaded only where somebody listens."""

import hmac
from collections.abc import Collection
from contextlib import suppress
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socket import socket
from threading import BoundedSemaphore
from typing import Any, ClassVar

import orjson

from .happenings import KINDS
from .hints import Hints

SIZE_MOST = 256 * 1024
"""Bytes of a notification; what is larger is refused unread."""
_CONNECTIONS_MOST = 32
_PATIENCE = 10
"""Seconds for which a sender may be silent; the platform waits 15 for the answer (spec 6)."""


class Receiver(ThreadingHTTPServer):
    """Takes `POST /SECRET`, and nothing else."""

    daemon_threads = True

    def __init__(self, address: tuple[str, int], hints: Hints, secret: str) -> None:
        self.hints = hints
        self.path = f"/{secret}".encode()
        self._free = BoundedSemaphore(_CONNECTIONS_MOST)
        super().__init__(address, _Notified)

    def process_request(self, request: Any, client_address: Any) -> None:
        """Closes a connection at once where there are too many: the platform tries again."""
        if self._free.acquire(blocking=False):
            super().process_request(request, client_address)
        else:
            self.shutdown_request(request)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._free.release()

    def handle_error(self, request: socket | tuple[bytes, socket], client_address: Any) -> None:
        """A sender that goes away is of no interest, and its address is not to be printed."""


class _Notified(BaseHTTPRequestHandler):
    """One connection. Nothing of it is logged: a path may hold the secret, a body a person."""

    server: Receiver
    server_version, sys_version = "lmssync", ""
    timeout = _PATIENCE
    _KNOWN: ClassVar = frozenset(KINDS)

    def do_POST(self) -> None:
        if not hmac.compare_digest(self.path.encode(), self.server.path):
            self._answer(HTTPStatus.NOT_FOUND)
            return
        length = self.headers.get("content-length", "")
        if not (length.isascii() and length.isdigit()):
            self._answer(HTTPStatus.LENGTH_REQUIRED)
        elif int(length) > SIZE_MOST:
            self._answer(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
        else:
            body = self.rfile.read(int(length))
            self.server.hints.add(self._kinds(body))
            self._answer(HTTPStatus.OK)

    def _kinds(self, body: bytes) -> Collection[str]:
        """The feed that a notification is about; all of them where it does not say."""
        kind: Any = None
        with suppress(ValueError):
            told = orjson.loads(body)
            kind = told.get("kind") if isinstance(told, dict) else None
        return {kind} if isinstance(kind, str) and kind in self._KNOWN else KINDS

    def _answer(self, status: HTTPStatus) -> None:
        self.close_connection = True
        self.send_response_only(status)
        self.send_header("Content-Length", "0")
        self.send_header("Connection", "close")
        self.end_headers()

    def send_error(self, code: int, *_: Any) -> None:
        """For what is no HTTP, or another method."""
        self._answer(HTTPStatus(code))

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - as it is named above
        """Says nothing."""
