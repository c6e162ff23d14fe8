"""Opens connections to one host, with the proxies, certificates and deadlines of the run."""

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from threading import Condition
from types import MappingProxyType
from typing import Any

import httpx

from ... import __version__
from . import deadline, moved
from .way import Way

_CONNECT = 10.0
"""Seconds to connect; after that the host counts as unreachable."""
_AGENT = {"User-Agent": f"lmssync/{__version__}"}


class Connection:
    """One connection to a host, which may be open or not.

    It takes only proxies and certificates from the environment and keeps no cookies, so it sends by
    the transport of httpx: a client would look for cookies in every answer.
    """

    def __init__(
        self, way: Way, headers: Mapping[str, str], timeout: float, *, keep: bool = True
    ) -> None:
        """Without `keep`, each request gets a connection that nothing was sent on before."""
        self._way, self._headers = way, {**_AGENT, **headers}
        # For its connection it waits as long as the requests before it take.
        limit = httpx.Timeout(timeout, connect=min(timeout, _CONNECT), pool=None)
        self._extensions = {"timeout": limit.as_dict()}
        self._limits = httpx.Limits(max_connections=1, max_keepalive_connections=int(keep))
        self._opened: deadline.Transport | None = None

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
            for _ in range(moved.MOST):
                following = moved.within_the_host(response) if request.method == "GET" else None
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
            self._opened = deadline.Transport(
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

    def __init__(self, way: Way, headers: Mapping[str, str], timeout: float, *, most: int) -> None:
        self._all = [Connection(way, headers, timeout) for _ in range(most)]
        self._free = deque(self._all)
        self._freed = Condition()

    @contextmanager
    def open_one(self, *, fresh: bool) -> Iterator[Connection]:
        """A connection for one request; `fresh` for one that nothing was sent on before."""
        with self._freed:
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
