"""Serves pages to a browser or a program, and limits who may ask, how long and how many at once."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socket import AF_INET, AF_INET6
from threading import BoundedSemaphore
from typing import Any, NamedTuple
from urllib.parse import parse_qs, unquote, urlsplit

from . import redaction

_CONNECTIONS_MOST = 32
_PATIENCE = 10
"""Seconds for which somebody who asks may be silent."""
_LOOPBACK = {"127.0.0.1", "localhost", "::1"}
_NAMES = ("127.0.0.1", "localhost", "[::1]")


class ServedPage(NamedTuple):
    """An answer."""

    text: str
    type: str = "text/html"
    status: HTTPStatus = HTTPStatus.OK


Pages = Callable[[str, Mapping[str, Sequence[str]]], ServedPage | None]
"""Answers a path without its first slash, and a query; None if there is no such page."""


class BoundedServer(ThreadingHTTPServer):
    """A thread for each connection, up to a limit; one above it is closed at once."""

    daemon_threads = True

    def __init__(self, address: tuple[str, int], handler: Callable[..., Any]) -> None:
        """Raises `OSError` if nobody can listen there."""
        self._free = BoundedSemaphore(_CONNECTIONS_MOST)
        self.address_family = AF_INET6 if ":" in address[0] else AF_INET
        super().__init__(address, handler)

    def process_request(self, request: Any, client_address: Any) -> None:
        if self._free.acquire(blocking=False):
            super().process_request(request, client_address)
        else:
            self.shutdown_request(request)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._free.release()

    def handle_error(self, *_: Any) -> None:
        """Somebody who goes away while being answered is no error."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_version, sys_version = "lmssync", ""
    timeout = _PATIENCE

    def __init__(self, pages: Pages, names: Sequence[str], *connection: Any) -> None:
        self._pages, self._names = pages, names
        super().__init__(*connection)

    def do_GET(self) -> None:
        address = urlsplit(self.path)
        # A page of the web can let its own name resolve to 127.0.0.1 (DNS rebinding). Its browser
        # then says that name as the host.
        host = self.headers.get("Host", "").rpartition(":")[0]
        if self._names and host not in self._names:
            page = ServedPage(
                "Only this machine can open this page.", "text/plain", HTTPStatus.FORBIDDEN
            )
        else:
            name = unquote(address.path).removeprefix("/")
            nothing = ServedPage("There is no such page.", "text/plain", HTTPStatus.NOT_FOUND)
            page = self._pages(name, parse_qs(address.query)) or nothing
        self._answer(page)

    def _answer(self, page: ServedPage) -> None:
        body = redaction.redact_secrets(page.text).encode("utf-8", "replace")
        self.send_response(page.status)
        self.send_header("Content-Type", f"{page.type}; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "no-store")
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("X-Frame-Options", "DENY")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Says nothing: people want the pages, not a list of requests."""


def page_server(pages: Pages, port: int, host: str = "127.0.0.1") -> BoundedServer:
    """A server of pages; raises `OSError` if the port is taken.

    On this machine alone it answers only to this machine's names, since a page elsewhere could
    otherwise read it through a browser here.
    """
    names = _NAMES if host in _LOOPBACK else ()
    return BoundedServer((host, port), partial(_Handler, pages, names))
