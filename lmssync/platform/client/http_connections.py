"""Opens connections to one host, and limits what goes over them.

Redirects: a read follows one within its host (spec 7), because the key is for that host only.
Deadlines: the time-outs of httpx apply to each read and each write, so they would never end a
request to a platform that sends one byte a second, or one provisional answer after another.
Sizes: the body of an answer is unpacked up to a limit.
"""

import socket
import ssl
import time
import zlib
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from ipaddress import ip_address
from threading import Condition, local
from types import MappingProxyType
from typing import Any

import httpcore
import httpx

from ... import __version__
from ...support.hosts import PORTS
from .network_settings import NetworkSettings
from .request_outcomes import REDIRECTS

ANSWER_BYTES_MOST = 128 * 1024 * 1024
"""Bytes of one answer, packed or unpacked. A whole course comes as one: it may be as large as the
request that can make it (64 MB), and an answer may spell each letter in twice as many bytes."""
ENCODINGS = "gzip, deflate"
"""The requested encodings: both can be decompressed up to a limit."""
_EITHER, _BARE = zlib.MAX_WBITS | 32, -zlib.MAX_WBITS
"""Some servers leave out the envelope of `deflate` (RFC 9110, 8.4.1.2)."""


class BadContent(ValueError):
    """Too many bytes, or a compression that was not requested; the message says which."""


class Oversized(BadContent):
    """Too many bytes, and as many the next time."""


def read_content(response: httpx.Response) -> bytes | bytearray:
    """The body of an answer that is still to be read; raises `BadContent`."""
    packing = response.headers.get("content-encoding", "").strip().lower()
    body = _read_whole(response)
    if packing in {"", "identity"} or not body:
        return body
    if packing not in {"gzip", "x-gzip", "deflate"}:
        raise BadContent("an answer that is compressed in a way that was not asked for")
    return _unpack_body(body)


def _read_whole(response: httpx.Response) -> bytearray:
    """In one piece from the beginning: a list of pieces would have to be copied."""
    body = bytearray()
    for piece in response.iter_raw():
        body += piece
        if len(body) > ANSWER_BYTES_MOST:
            raise _too_large()
    return body


def _unpack_body(body: bytearray) -> bytes:
    # `_EITHER` reads gzip and zlib by their heads. What has no head is tried as bare deflate.
    for form in (_EITHER, _BARE):
        unpacker = zlib.decompressobj(form)
        try:
            plain = unpacker.decompress(body, ANSWER_BYTES_MOST + 1)
        except zlib.error:
            continue
        if len(plain) > ANSWER_BYTES_MOST:
            raise _too_large()
        # Without the end of the stream half of an answer would pass for the whole, and a list that
        # was cut off could prove that something is missing.
        if unpacker.eof:
            return plain
    raise BadContent("an answer that cannot be decompressed")


def _too_large() -> Oversized:
    return Oversized(
        f"an answer of more than {ANSWER_BYTES_MOST // 1024 // 1024} MB, the most that is read"
    )


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

    def __init__(self, *, public_only: bool = False, **settings: Any) -> None:
        super().__init__(**settings)
        # httpx takes no backend, and httpcore asks the pool for its own at each connection.
        plain = self._pool._network_backend  # noqa: SLF001
        wrapped = _PublicBackend(plain) if public_only else _Backend(plain)
        self._pool._network_backend = wrapped  # noqa: SLF001

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


class PrivateHost(Exception):
    """A host has an address that only its own network can reach; nothing was sent there."""


class _PublicBackend(_Backend):
    """Connects to public addresses only, whatever the name of the host leads to."""

    def connect_tcp(self, host: str, port: int, *others: Any, **options: Any) -> Any:
        try:
            found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except OSError as error:
            raise httpcore.ConnectError(str(error)) from error
        addresses = [str(info[4][0]) for info in found]
        if not all(ip_address(address.partition("%")[0]).is_global for address in addresses):
            raise PrivateHost(host)
        # The address that was judged, not the name: a second look-up may have another answer.
        return super().connect_tcp(addresses[0], port, *others, **options)


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


_REDIRECTS_MOST = 5


def redirect_within_host(response: httpx.Response) -> httpx.Request | None:
    """The next request, if an answer redirects to the same host, or to the same host by https."""
    url, request = redirect_address(response), response.request
    if response.status_code not in REDIRECTS or url is None:
        return None
    old, new = _origin_of(request.url), _origin_of(url)
    by_https = ("https", old[1], 443) if (old[0], old[2]) == ("http", 80) else old
    if new not in {old, by_https}:
        return None
    # The Host header names the old address; httpx writes the one that belongs to the new.
    headers = [(name, value) for name, value in request.headers.items() if name != "host"]
    return httpx.Request(request.method, url, headers=headers, extensions=request.extensions)


def redirect_address(response: httpx.Response) -> httpx.URL | None:
    """Where a redirect leads; raises `httpx.RemoteProtocolError` for what is no address."""
    location = response.headers.get("location")
    try:
        return response.request.url.join(location) if location else None
    except (httpx.InvalidURL, ValueError) as error:  # a `ValueError` by `urllib`, which joins them
        raise httpx.RemoteProtocolError(f"its redirect names no address: {error}") from None


def _origin_of(url: httpx.URL) -> tuple[str, str, int]:
    return url.scheme, url.host, url.port or PORTS.get(url.scheme, 0)


def describe_redirect(response: httpx.Response) -> str:
    """The new address in words, for a message."""
    url = redirect_address(response)
    if url is None:
        return "says that it has moved but not where"
    return f"says that it has moved to {url.copy_with(query=None)}"


CONNECT_SECONDS = 10.0
"""Seconds to connect; after that the host counts as unreachable."""
AGENT = {"User-Agent": f"lmssync/{__version__}"}


class Connection:
    """One connection to a host, which may be open or not.

    It takes only proxies and certificates from the environment and keeps no cookies, so it sends by
    the transport of httpx: a client would look for cookies in every answer.
    """

    def __init__(
        self, way: NetworkSettings, headers: Mapping[str, str], timeout: float, *, keep: bool = True
    ) -> None:
        """Without `keep`, each request gets a connection that nothing was sent on before."""
        self._way, self._headers = way, {**AGENT, **headers}
        # For its connection it waits as long as the requests before it take.
        limit = httpx.Timeout(timeout, connect=min(timeout, CONNECT_SECONDS), pool=None)
        self._extensions = {"timeout": limit.as_dict()}
        self._limits = httpx.Limits(max_connections=1, max_keepalive_connections=int(keep))
        self._opened: Transport | None = None

    def request(
        self,
        method: str,
        url: str | httpx.URL,
        *,
        query: Mapping[str, Any] | None = None,
        content: bytes | None = None,
        headers: Mapping[str, str] = MappingProxyType({}),
        trace: Callable[[str, Any], None] | None = None,
    ) -> httpx.Request:
        """A request that is still to be sent; raises `httpx.InvalidURL`."""
        return httpx.Request(
            method,
            url,
            params=dict(query) if query else None,
            headers={**self._headers, **headers},
            content=content,
            extensions=self._extensions | ({"trace": trace} if trace else {}),
        )

    def send(self, request: httpx.Request) -> httpx.Response:
        """The answer, with its body unread; a read follows redirects within the same host."""
        response = self._send_once(request)
        try:
            for _ in range(_REDIRECTS_MOST):
                following = redirect_within_host(response) if request.method == "GET" else None
                if following is None:
                    break
                response.close()
                response = self._send_once(following)
        except BaseException:
            response.close()  # else nobody could use the connection any more
            raise
        return response

    def _send_once(self, request: httpx.Request) -> httpx.Response:
        if self._opened is None:
            self._opened = Transport(
                verify=self._way.trusted, proxy=self._way.proxy, limits=self._limits
            )
        response = self._opened.handle_request(request)
        response.request = request
        return response

    def hang_up(self) -> None:
        """Closes the connection if it is open; the next request opens another."""
        if self._opened is not None:
            self._opened.hang_up()

    def close(self) -> None:
        if self._opened is not None:
            self._opened.close()


class Connections:
    """The connections to one host that threads may use at once; others wait until one is free."""

    def __init__(
        self, way: NetworkSettings, headers: Mapping[str, str], timeout: float, *, most: int
    ) -> None:
        self._all = [Connection(way, headers, timeout) for _ in range(most)]
        self._free = deque(self._all)
        self._freed = Condition()

    @contextmanager
    def open_one(self, *, fresh: bool) -> Iterator[Connection]:
        """A connection for one request; `fresh` for one that nothing was sent on before."""
        with self._freed:
            # A deque used from both ends: reads take what was used last, which is most likely still
            # open, and writes what has rested longest, which they close anyway.
            self._freed.wait_for(lambda: self._free)
            chosen = self._free.popleft() if fresh else self._free.pop()  # the last one is open
        try:
            if fresh:
                chosen.hang_up()
            yield chosen
        finally:
            with self._freed:
                self._free.append(chosen)
                self._freed.notify()

    def close(self) -> None:
        for chosen in self._all:
            chosen.close()
