"""A server on loopback that answers whatever a test wants, and remembers what it was asked."""

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock, Thread
from typing import Any, NamedTuple


class Asked(NamedTuple):
    """One request."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes


class Said(NamedTuple):
    """One answer; what is no bytes is sent as JSON."""

    body: Any = b""
    status: int = 200
    headers: Mapping[str, str] = {}

    @property
    def content(self) -> bytes:
        return self.body if isinstance(self.body, bytes) else json.dumps(self.body).encode()


@dataclass
class Answering:
    """The server; `answer` may be changed at any time."""

    base_url: str = ""
    answer: Callable[[Asked], Said] = lambda _asked: Said()
    asked: list[Asked] = field(default_factory=list)
    under_way: int = 0
    """Requests that are being answered now, each over a connection of its own."""
    most_under_way: int = 0
    lock: Lock = field(default_factory=Lock)

    @contextmanager
    def counted(self) -> Iterator[None]:
        with self.lock:
            self.under_way += 1
            self.most_under_way = max(self.most_under_way, self.under_way)
        try:
            yield
        finally:
            with self.lock:
                self.under_way -= 1


@contextmanager
def answering() -> Iterator[Answering]:
    served = Answering()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        wbufsize = -1  # one write an answer

        def handle_one_request(self) -> None:
            try:
                super().handle_one_request()
            except ConnectionError:
                self.close_connection = True

        def answer(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length") or 0))
            asked = Asked(self.command, self.path, dict(self.headers), body)
            served.asked.append(asked)
            with served.counted():
                said = served.answer(asked)
            self.send_response_only(said.status)
            own = {"content-length": str(len(said.content)), "date": self.date_time_string()}
            for name, value in {**own, **said.headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(said.content)

        do_GET = do_POST = do_PUT = answer  # noqa: N815 - names of the library
        do_PATCH = do_DELETE = answer  # noqa: N815

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    served.base_url = f"http://127.0.0.1:{server.server_port}"
    Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
    try:
        yield served
    finally:
        server.shutdown()
        server.server_close()
