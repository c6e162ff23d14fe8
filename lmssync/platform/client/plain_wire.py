"""Connections to a host that is not the platform; `OtherHost` is how they are opened."""

from collections.abc import Mapping
from contextlib import closing
from typing import Any
from urllib.parse import urlencode

import httpx
import orjson

from ...support.hosts import parse_site
from . import answers, deadline
from .broken import describe_network_error
from .connection import Connection
from .content import ENCODINGS, BadContent, read_content
from .http_answer import HttpAnswer, NoAnswer
from .way import choose_way


class PlainWire:
    """Connections to one host, with headers that go to no other; raises `WrongUse` for a proxy."""

    def __init__(self, base_url: str, headers: Mapping[str, str], timeout: float) -> None:
        self._base, self._timeout, self._way = base_url.rstrip("/"), timeout, choose_way(base_url)
        accepted = {"Accept": "application/json", "Accept-Encoding": ENCODINGS}
        # A write on a connection that has gone stale may or may not have happened.
        sent = accepted | dict(headers)
        self._connection = Connection(self._way, sent, timeout, keep=False)

    def close(self) -> None:
        self._connection.close()

    def send(
        self,
        method: str,
        path: str,
        query: Mapping[str, Any] | None,
        body: Any,
        form: Mapping[str, str] | None,
    ) -> HttpAnswer:
        """Sends one request; raises `NoAnswer`."""
        deadline.set_deadline(self._timeout)
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


def _read_json(response: httpx.Response) -> Any:
    whole = read_content(response)
    try:
        return answers.read_body(whole)
    except ValueError:
        return None
