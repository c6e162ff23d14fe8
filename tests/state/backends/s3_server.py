"""A small object store on the loopback interface: objects, lists in pages, conditions on puts.

It speaks as S3 does, and as Google's store does, which names versions by a number.

The suite has also been run over other implementations, by `BACKEND_URLS` (see conftest).
"""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import md5
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock, Thread
from urllib.parse import parse_qs, unquote, urlsplit
from xml.sax.saxutils import escape

ACCESS_KEY, SECRET_KEY = "tester", "not-a-real-secret"
PAGE = 5
"""Objects to a page of a list, so that every test of many has several."""
STAMP = "2026-03-02T10:04:00.000Z"
CODES = {403: "AccessDenied", 404: "NoSuchKey", 412: "PreconditionFailed", 503: "SlowDown"}


class S3(ThreadingHTTPServer):
    """What it keeps, and how it misbehaves."""

    daemon_threads = True
    request_queue_size = 50

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.objects: dict[str, bytes] = {}
        self.generations: Counter[str] = Counter()
        self.alone = Lock()
        self.ignores_conditions = False
        self.failing: list[int] = []
        """Statuses of the next answers; what was asked for is not done."""
        self.is_up = self.takes_puts = True
        self.losing = 0
        """So many of the next puts are done, and their connection closed without an answer."""

    @property
    def port(self) -> int:
        return self.server_address[1]

    def env(self, port: int | None = None) -> dict[str, str]:
        """The variables of a client, which may come by another port."""
        return {
            "AWS_ENDPOINT_URL": f"http://127.0.0.1:{port or self.port}",
            "AWS_ACCESS_KEY_ID": ACCESS_KEY,
            "AWS_SECRET_ACCESS_KEY": SECRET_KEY,
            "AWS_REGION": "eu-central-1",
        }

    def stop(self) -> None:
        """From now on each connection ends without an answer."""
        self.is_up = False

    def start(self) -> None:
        self.is_up = True

    def google_env(self) -> dict[str, str]:
        return {
            "GOOGLE_BASE_URL": f"http://127.0.0.1:{self.port}",
            "GOOGLE_BEARER_TOKEN": f"Credential={ACCESS_KEY}/",
        }

    def handle_error(self, *_: object) -> None:
        """A client that went away in the middle is what tests are about."""


class Handler(BaseHTTPRequestHandler):
    """One connection; the path of a request is `/BUCKET/KEY`."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # else a body waits until its head was acknowledged
    server: S3

    def log_message(self, *_: object) -> None:
        """Nobody reads along."""

    def do_GET(self) -> None:
        if self._is_refused():
            return
        key = self._key()
        if not key:
            self._list()
        elif (content := self.server.objects.get(key)) is None:
            self._answer(404)
        else:
            self._object(content)

    def do_HEAD(self) -> None:
        self.do_GET()

    def do_PUT(self) -> None:
        size = int(self.headers["Content-Length"])
        content = self.rfile.read(size)
        if len(content) < size or self._is_refused():
            return
        if not self.server.takes_puts:
            self._answer(403)
            return
        with self.server.alone:
            there = self.server.objects.get(self._key())
            if not self._may_put(there):
                self._answer(412)
                return
            self.server.objects[self._key()] = content
            self.server.generations[self._key()] += 1
            headers = self._version(content)
        if self.server.losing:
            self.server.losing -= 1
            self.close_connection = True
        else:
            self._answer(200, headers=headers)

    def _may_put(self, there: bytes | None) -> bool:
        if self.server.ignores_conditions:
            return True
        if generation := self.headers["x-goog-if-generation-match"]:
            return int(generation) == self.server.generations[self._key()]
        if self.headers["If-None-Match"] == "*":
            return there is None
        wanted = self.headers["If-Match"]
        return wanted is None or (there is not None and wanted == _tag(there))

    def _is_refused(self) -> bool:
        if not self.server.is_up:
            self.close_connection = True
            return True
        if f"Credential={ACCESS_KEY}/" not in self.headers.get("Authorization", ""):
            self._answer(403)
            return True
        if self.server.failing:
            self._answer(self.server.failing.pop(0))
            return True
        return False

    def _object(self, content: bytes) -> None:
        headers = {**self._version(content), "Last-Modified": "Mon, 02 Mar 2026 10:04:00 GMT"}
        wanted = self.headers["Range"]
        if wanted is None:
            self._answer(200, content, headers)
            return
        first, last = map(int, wanted.removeprefix("bytes=").split("-"))
        piece = content[first : last + 1]
        span = f"bytes {first}-{first + len(piece) - 1}/{len(content)}"
        self._answer(206, piece, {**headers, "Content-Range": span})

    def _list(self) -> None:
        query = {name: values[0] for name, values in parse_qs(urlsplit(self.path).query).items()}
        start = max(query.get("start-after", ""), query.get("continuation-token", ""))
        prefix = query.get("prefix", "")
        keys = sorted(k for k in self.server.objects if k.startswith(prefix) and k > start)
        rows = "".join(map(self._row, keys[:PAGE]))
        more = (
            keys[PAGE:]
            and f"<NextContinuationToken>{escape(keys[PAGE - 1])}</NextContinuationToken>"
        )
        is_more = str(bool(more)).lower()
        text = f"<ListBucketResult><IsTruncated>{is_more}</IsTruncated>{more or ''}{rows}"
        self._answer(200, f"{text}</ListBucketResult>".encode())

    def _row(self, key: str) -> str:
        content = self.server.objects[key]
        about = f"<LastModified>{STAMP}</LastModified><ETag>{escape(_tag(content))}</ETag>"
        return f"<Contents><Key>{escape(key)}</Key>{about}<Size>{len(content)}</Size></Contents>"

    def _version(self, content: bytes) -> dict[str, str]:
        generation = self.server.generations[self._key()]
        return {"ETag": _tag(content), "x-goog-generation": str(generation)}

    def _key(self) -> str:
        return unquote(urlsplit(self.path).path).removeprefix("/").partition("/")[2]

    def _answer(
        self, status: int, content: bytes = b"", headers: dict[str, str] | None = None
    ) -> None:
        if status >= 400:
            content = f"<Error><Code>{CODES[status]}</Code></Error>".encode()
        self.send_response(status)
        for name, value in {**(headers or {}), "Content-Length": str(len(content))}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)


def _tag(content: bytes) -> str:
    return f'"{md5(content).hexdigest()}"'


@contextmanager
def served() -> Iterator[S3]:
    with S3() as server:
        thread = Thread(target=server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        yield server
        server.shutdown()
        thread.join()
