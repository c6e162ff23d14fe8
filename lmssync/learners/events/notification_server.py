"""The HTTP server that notifications are posted to; loaded only where somebody listens."""

import hmac
from collections.abc import Callable, Collection
from contextlib import suppress
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler
from typing import Any, ClassVar

import orjson

from ...support.page_server import BoundedServer
from .feed_events import KINDS

SIZE_MOST = 256 * 1024
"""Bytes of a notification; what is larger is refused unread."""
_PATIENCE = 10
"""Seconds for which a sender may be silent; the platform waits 15 for the answer (spec 6)."""


class Receiver(BoundedServer):
    """Takes `POST /SECRET`, and nothing else."""

    def __init__(
        self, address: tuple[str, int], on_kinds: Callable[[Collection[str]], None], secret: str
    ) -> None:
        self.on_kinds = on_kinds
        self.path = f"/{secret}".encode()
        super().__init__(address, _Notified)


class _Notified(BaseHTTPRequestHandler):
    """One connection. Nothing of it is logged: a path may hold the secret, a body a person."""

    server: Receiver
    server_version, sys_version = "lmssync", ""
    timeout = _PATIENCE
    _KNOWN: ClassVar = frozenset(KINDS)

    def do_POST(self) -> None:
        if not hmac.compare_digest(self.path.encode(), self.server.path):
            self._send_status(HTTPStatus.NOT_FOUND)
            return
        length = self.headers.get("content-length", "")
        if not (length.isascii() and length.isdigit()):
            self._send_status(HTTPStatus.LENGTH_REQUIRED)
        elif len(length) > len(str(SIZE_MOST)) or int(length) > SIZE_MOST:
            self._send_status(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
        else:
            body = self.rfile.read(int(length))
            self.server.on_kinds(self._notified_kinds(body))
            self._send_status(HTTPStatus.OK)

    def _notified_kinds(self, body: bytes) -> Collection[str]:
        """The feed that a notification is about; all of them where it does not say."""
        kind: Any = None
        with suppress(ValueError):
            told = orjson.loads(body)
            kind = told.get("kind") if isinstance(told, dict) else None
        return {kind} if isinstance(kind, str) and kind in self._KNOWN else KINDS

    def _send_status(self, status: HTTPStatus) -> None:
        self.close_connection = True
        self.send_response_only(status)
        self.send_header("Content-Length", "0")
        self.send_header("Connection", "close")
        self.end_headers()

    def send_error(self, code: int, *_: Any) -> None:
        """For what is no HTTP, or another method."""
        self._send_status(HTTPStatus(code))

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - as it is named above
        """Says nothing."""
