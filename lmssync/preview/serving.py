"""A preview in the browser while the author types: on this machine only."""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from .site import INDEX, PreviewSite

PATIENCE = 20.0
"""Seconds that a browser waits for a change before it asks again."""
_PAUSE = 0.3
_NAMES = ("127.0.0.1", "localhost", "[::1]")


class Preview:
    """The newest pages. The server asks in many threads, but one alone reads the catalog."""

    def __init__(self, version: Callable[[], str], site: Callable[[str], PreviewSite]) -> None:
        """`version` changes whenever a page may; `site` makes the pages of a version."""
        self._version, self._make = version, site
        self._reader = ThreadPoolExecutor(max_workers=1)
        self._made: tuple[str, PreviewSite] | None = None

    def page(self, name: str) -> str | None:
        """A page as the catalog is now."""
        return self._reader.submit(self._page, name).result()

    def _page(self, name: str) -> str | None:
        version = self._version()
        if self._made is None or self._made[0] != version:
            self._made = version, self._make(version)
        return self._made[1].page(name)

    def changed(self, known: str) -> str:
        """The version of the catalog, as soon as it is not `known`, or after a while."""
        end = time.monotonic() + PATIENCE
        while True:
            version = self._reader.submit(self._version).result()
            if version != known or time.monotonic() > end:
                return version
            time.sleep(_PAUSE)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_version, sys_version = "lmssync", ""

    def __init__(self, preview: Preview, *connection: Any) -> None:
        self._preview = preview
        super().__init__(*connection)

    def do_GET(self) -> None:
        address = urlsplit(self.path)
        name = unquote(address.path).removeprefix("/") or INDEX
        host = self.headers.get("Host", "").rpartition(":")[0]
        if host not in _NAMES:
            self._answer(HTTPStatus.FORBIDDEN, "Only this machine may ask.")
        elif name == "version":
            known = parse_qs(address.query).get("not", [""])[0]
            self._answer(HTTPStatus.OK, self._preview.changed(known))
        elif (page := self._preview.page(name)) is None:
            self._answer(HTTPStatus.NOT_FOUND, "There is no such page.")
        else:
            self._answer(HTTPStatus.OK, page, "text/html")

    def _answer(self, status: HTTPStatus, text: str, type_: str = "text/plain") -> None:
        body = text.encode("utf-8", "replace")
        self.send_response(status)
        self.send_header("Content-Type", f"{type_}; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "no-store")
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("X-Frame-Options", "DENY")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Says nothing: an author wants the pages, not a list of requests."""


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_: Any) -> None:
        """A browser that goes away while it is answered is no error."""


def server(preview: Preview, port: int) -> ThreadingHTTPServer:
    """A server of the pages on this machine; raises `OSError` if the port is taken."""
    return _Server(("127.0.0.1", port), partial(_Handler, preview))
