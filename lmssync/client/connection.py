"""Opens connections to one host, with the proxies, certificates and deadlines of the run."""

from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.cookiejar import CookieJar, DefaultCookiePolicy
from threading import Condition

import httpx

from . import deadline, moved
from .way import Way

_CONNECT = 10.0
"""Seconds to connect; after that the host counts as unreachable."""


def connection(
    way: Way, headers: Mapping[str, str], timeout: float, limits: httpx.Limits
) -> httpx.Client:
    """It takes only proxies and certificates from the environment, and keeps no cookies."""
    proxy, trusted = way
    return httpx.Client(
        headers=headers,
        transport=deadline.Transport(verify=trusted, proxy=proxy, limits=limits),
        # For its connection it waits as long as the requests before it take.
        timeout=httpx.Timeout(timeout, connect=min(timeout, _CONNECT), pool=None),
        cookies=CookieJar(DefaultCookiePolicy(allowed_domains=())),
        follow_redirects=False,
        trust_env=False,
    )


class _Connection:
    """One connection to the host, which may be open or not."""

    def __init__(self, way: Way, headers: Mapping[str, str], timeout: float) -> None:
        self._how = way, headers, timeout
        self._opened: httpx.Client | None = None

    def client(self, *, fresh: bool) -> httpx.Client:
        if self._opened is None:
            self._opened = connection(*self._how, httpx.Limits(max_connections=1))
        elif fresh:
            transport = self._opened._transport  # noqa: SLF001 - it is the one that we gave it
            assert isinstance(transport, deadline.Transport)
            transport.hang_up()
        return self._opened

    def close(self) -> None:
        if self._opened is not None:
            self._opened.close()


class Connections:
    """The connections to one host that threads may use at once; others wait until one is free."""

    def __init__(self, way: Way, headers: Mapping[str, str], timeout: float, *, most: int) -> None:
        self._all = [_Connection(way, headers, timeout) for _ in range(most)]
        self._free = deque(self._all)
        self._freed = Condition()

    @contextmanager
    def one(self, *, fresh: bool) -> Iterator[httpx.Client]:
        """A connection for one request; `fresh` for one that nothing was sent on before."""
        with self._freed:
            self._freed.wait_for(lambda: self._free)
            chosen = self._free.popleft() if fresh else self._free.pop()  # the last one is open
        try:
            yield chosen.client(fresh=fresh)
        finally:
            with self._freed:
                self._free.append(chosen)
                self._freed.notify()

    def close(self) -> None:
        for chosen in self._all:
            chosen.close()


def sent(client: httpx.Client, request: httpx.Request) -> httpx.Response:
    """The answer to a request, with its body unread; a read follows redirects within the same
    host."""
    response = client.send(request, stream=True)
    for _ in range(moved.MOST):
        following = moved.within_the_host(response) if request.method == "GET" else None
        if following is None:
            break
        response.close()
        response = client.send(following, stream=True)
    return response
