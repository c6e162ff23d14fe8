"""Plain requests to a host that is not the platform: a code host, or where tokens come from."""

from collections.abc import Mapping
from contextlib import closing
from typing import TYPE_CHECKING, Any, NamedTuple, Self
from urllib.parse import urlencode

import orjson

from ...support.hosts import parse_site
from .answer_bodies import describe_refusal, read_body
from .request_outcomes import retry_after

if TYPE_CHECKING:
    import httpx


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
        from .network_errors import describe_network_error

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
