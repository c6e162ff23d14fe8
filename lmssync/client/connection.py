"""Opens connections to one host, with the proxies, certificates and deadlines of the run."""

from collections.abc import Mapping
from http.cookiejar import CookieJar, DefaultCookiePolicy

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
        # For a connection of our own it waits as long as the requests before it take.
        timeout=httpx.Timeout(timeout, connect=min(timeout, _CONNECT), pool=None),
        cookies=CookieJar(DefaultCookiePolicy(allowed_domains=())),
        follow_redirects=False,
        trust_env=False,
    )


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
