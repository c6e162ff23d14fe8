"""Plain requests to a host that is not the platform: a code host, where tokens come from, or where
the files are that the platform will fetch."""

import io
from collections.abc import Mapping
from contextlib import closing
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, NamedTuple, Self
from urllib.parse import urlencode, urlsplit

import orjson

from ...support.hosts import NoHost, parse_site
from .answer_bodies import describe_refusal, read_body
from .request_outcomes import retry_after

if TYPE_CHECKING:
    import ssl

    import httpx

    from .http_connections import Transport


class NoAnswer(Exception):
    """No answer that can be used. The request may have been carried out all the same."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


class HttpAnswer(NamedTuple):
    """An answer of any status."""

    status: int
    headers: Mapping[str, str]
    """By their names in small letters."""
    body: Any
    """The JSON of it, without secrets; nothing if it has none."""

    @property
    def wait(self) -> float:
        """Seconds that the host asks to wait."""
        return retry_after(self.headers)

    @property
    def words(self) -> str:
        """The error for an answer of another host that is wrong."""
        return describe_refusal(self.body) or f"HTTP {self.status}"


class OtherHost:
    """Connections to one host, with headers that go to no other; raises `WrongUse` for a proxy."""

    def __init__(self, base_url: str, headers: Mapping[str, str], timeout: float) -> None:
        # Most runs ask no other host, and do without httpx here.
        from .http_connections import ENCODINGS, Connection
        from .network_settings import choose_way

        self._base, self._timeout, self._way = base_url.rstrip("/"), timeout, choose_way(base_url)
        accepted = {"Accept": "application/json", "Accept-Encoding": ENCODINGS}
        # A write on a connection that has gone stale may or may not have happened.
        sent = accepted | dict(headers)
        self._connection = Connection(self._way, sent, timeout, keep=False)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._connection.close()

    def send(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, Any] | None = None,
        body: Any = None,
        form: Mapping[str, str] | None = None,
    ) -> HttpAnswer:
        """Sends one request, with a body of JSON or a form; raises `NoAnswer`, with words for a
        person."""
        import httpx

        from .http_connections import BadContent, set_deadline
        from .network_settings import describe_network_error

        set_deadline(self._timeout)
        try:
            request = self._connection.request(
                method, self._base + path, query=query, **_content_arguments(body, form)
            )
            with closing(self._connection.send(request)) as response:
                return HttpAnswer(response.status_code, response.headers, _read_json(response))
        except (httpx.HTTPError, httpx.InvalidURL, UnicodeError, BadContent) as error:
            raise NoAnswer(
                *describe_network_error(error, parse_site(self._base), self._way)
            ) from None


def find_trusted_context(address: str) -> "ssl.SSLContext":
    """The authorities that encrypted connections to an address trust; raises `WrongUse`."""
    from .network_settings import choose_way

    return choose_way(address).trusted


def _content_arguments(body: Any, form: Mapping[str, str] | None) -> dict[str, Any]:
    """The body of a request, and what it is."""
    if form is not None:
        kind, content = "application/x-www-form-urlencoded", urlencode(form).encode()
    elif body is not None:
        kind, content = "application/json", orjson.dumps(body)
    else:
        return {}
    return {"content": content, "headers": {"Content-Type": kind}}


def _read_json(response: "httpx.Response") -> Any:
    from .http_connections import read_content

    whole = read_content(response)
    try:
        return read_body(whole)
    except ValueError:
        return None


class FileTrouble(OSError):
    """Nothing can be had from an address; the message says why, in words for a person."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


class PartUnread(OSError):
    """A part of a file stays unread: the server gives no parts, or enough was read of it."""


_BLOCK = 65_536
"""Bytes that are asked for at once."""
READ_MOST = 16 * _BLOCK
"""Bytes that are read of one file: 1 MiB."""
_HOPS = 5
"""Redirects that are followed; the platform's own number is not known."""
_SECONDS = 20.0
"""For one request."""


class RangedFile(io.RawIOBase):
    """A file of the web that is read in ranges, as far as somebody asks for them.

    Opening it asks for its first bytes; `status`, `media_type`, `size` and `tag` come from that
    answer. Raises `FileTrouble` where there is no answer, or where the host is one that only its
    own network can reach, unless `private_hosts` allows that.
    """

    def __init__(self, url: str, *, tag: str = "", private_hosts: bool = False) -> None:
        super().__init__()
        self.url, self.unread = url, ""
        """The address after redirects; and why a part was not read, if one was not."""
        self._private_hosts = private_hosts
        self._transports: dict[str, Transport] = {}
        self._blocks: dict[int, bytes] = {}
        self._position, self._left = 0, READ_MOST
        known = {"If-None-Match": tag} if tag else {}
        with closing(self._send_request(0, known)) as response:
            self.status: int = response.status_code
            headers = response.headers
            self.media_type = headers.get("content-type", "").partition(";")[0].strip().lower()
            self.tag, self._ranged = (
                headers.get("etag", ""),
                self.status == HTTPStatus.PARTIAL_CONTENT,
            )
            length = headers.get("content-length", "")
            # The length of a part says nothing about the file.
            total = headers.get("content-range", "").rpartition("/")[2] if self._ranged else length
            self.size = int(total) if total.isdecimal() else None
            if self.status == HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE:  # there is no first byte
                self.status, self.size = HTTPStatus.OK, 0
            elif self.is_there:
                self._keep_first_blocks(self._read_body(response, self._first_bytes()))

    @property
    def is_there(self) -> bool:
        """True if the server has given the file, or a part of it."""
        return self.status in {HTTPStatus.OK, HTTPStatus.PARTIAL_CONTENT}

    def close(self) -> None:
        for transport in self._transports.values():
            transport.close()
        super().close()

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._position

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        start = {io.SEEK_SET: 0, io.SEEK_CUR: self._position}.get(whence)
        if start is None:
            start = self._known_size()
        if start + offset < 0:
            raise ValueError(f"there is no byte {start + offset}")
        self._position = start + offset
        return self._position

    def readinto(self, buffer: Any) -> int:
        """Fills the buffer, but for the end of the file: `zipfile` takes less for damage."""
        view, filled = memoryview(buffer), 0
        while filled < len(view):
            number, within = divmod(self._position, _BLOCK)
            piece = self._find_block(number)[within : within + len(view) - filled]
            if not piece:
                break
            view[filled : filled + len(piece)] = piece
            filled += len(piece)
            self._position += len(piece)
        return filled

    def _known_size(self) -> int:
        if self.size is None:
            raise self._leave_unread("the server does not say how large the file is")
        return self.size

    def _leave_unread(self, why: str) -> PartUnread:
        self.unread = why
        return PartUnread(why)

    def _first_bytes(self) -> int:
        """How much of the first answer is read: all of a small file whose server gives no parts."""
        small = not self._ranged and (self.size is None or self.size <= READ_MOST)
        return READ_MOST if small else _BLOCK

    def _keep_first_blocks(self, content: bytes) -> None:
        for start in range(0, len(content), _BLOCK):
            self._blocks[start // _BLOCK] = content[start : start + _BLOCK]
        if not self._ranged and len(content) < READ_MOST and self.size is None:
            self.size = len(content)

    def _find_block(self, number: int) -> bytes:
        start = number * _BLOCK
        if self.size is not None and start >= self.size:
            return b""
        if number not in self._blocks:
            if not self._ranged:
                raise self._leave_unread("the server gives no parts of files")
            if self._left <= 0:
                raise self._leave_unread(f"more than {READ_MOST:,} bytes of it would be read")
            with closing(self._send_request(start, {})) as response:
                if response.status_code != HTTPStatus.PARTIAL_CONTENT:
                    raise self._leave_unread(f"a part of it was answered {response.status_code}")
                self._blocks[number] = self._read_body(response, _BLOCK)
        return self._blocks[number]

    def _read_body(self, response: "httpx.Response", most: int) -> bytes:
        import httpx

        body = bytearray()
        try:
            for piece in response.iter_raw():
                body += piece
                if len(body) >= most:
                    break
        except httpx.HTTPError as error:
            raise FileTrouble(f"its answer breaks off ({type(error).__name__})") from None
        self._left -= len(body)
        return bytes(body[:most])

    def _send_request(self, start: int, headers: Mapping[str, str]) -> "httpx.Response":
        """The answer to a request for a block, with its body unread; redirects are followed."""
        import httpx

        from .http_connections import AGENT, PrivateHost, redirect_address, set_deadline

        # Packed bytes have other positions than those that are asked for.
        ranged = {"Range": f"bytes={start}-{start + _BLOCK - 1}", "Accept-Encoding": "identity"}
        timeout = {"timeout": httpx.Timeout(_SECONDS).as_dict()}
        try:
            for _ in range(_HOPS):
                transport, sent = self._open_transport(self.url), {**AGENT, **ranged, **headers}
                request = httpx.Request("GET", self.url, headers=sent, extensions=timeout)
                set_deadline(_SECONDS)
                response = transport.handle_request(request)
                response.request = request
                further = redirect_address(response) if response.has_redirect_location else None
                if further is None:
                    return response
                response.close()
                self.url = str(further)
        except PrivateHost as error:
            raise _private_trouble(str(error)) from None
        except (httpx.HTTPError, httpx.InvalidURL, UnicodeError) as error:
            late = isinstance(error, httpx.TimeoutException)
            raise FileTrouble("no answer in time" if late else str(error)) from None
        raise FileTrouble(f"it redirects more than {_HOPS} times")

    def _open_transport(self, url: str) -> "Transport":
        """The way to the host of an address, which the requests to it share."""
        from ...texts.values import is_public_host
        from .http_connections import Transport
        from .network_settings import choose_way

        parts = urlsplit(url)
        origin = f"{parts.scheme}://{parts.netloc}"
        if origin not in self._transports:
            try:
                site = parse_site(origin)
            except NoHost as error:
                raise FileTrouble(f"`{parts.hostname}` {error}") from None
            if not (self._private_hosts or is_public_host(site.host)):
                raise _private_trouble(site.host)
            way = choose_way(origin)
            # A proxy looks the name up itself, and may be on a private host.
            guarded = not (self._private_hosts or way.proxy)
            self._transports[origin] = Transport(
                verify=way.trusted, proxy=way.proxy, public_only=guarded
            )
        return self._transports[origin]


class PrivateTrouble(FileTrouble):
    """The host is one that only its own network can reach; nothing was sent there."""


def _private_trouble(host: str) -> PrivateTrouble:
    return PrivateTrouble(f"only its own network can reach {host}")
