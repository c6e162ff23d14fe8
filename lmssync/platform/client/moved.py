"""Redirects: a read follows one within its host (spec 7), because the key is for that host only."""

import httpx

from ...support.hosts import PORTS
from .outcome import REDIRECTS

MOST = 5


def within_the_host(response: httpx.Response) -> httpx.Request | None:
    """The next request, if an answer redirects to the same host, or to the same host by https."""
    url, request = _redirect_address(response), response.request
    if response.status_code not in REDIRECTS or url is None:
        return None
    old, new = _origin_of(request.url), _origin_of(url)
    by_https = ("https", old[1], 443) if (old[0], old[2]) == ("http", 80) else old
    if new not in {old, by_https}:
        return None
    headers = [(name, value) for name, value in request.headers.items() if name != "host"]
    return httpx.Request(request.method, url, headers=headers, extensions=request.extensions)


def _redirect_address(response: httpx.Response) -> httpx.URL | None:
    """Where a redirect leads; raises `httpx.RemoteProtocolError` for what is no address."""
    location = response.headers.get("location")
    try:
        return response.request.url.join(location) if location else None
    except (httpx.InvalidURL, ValueError) as error:  # a `ValueError` by `urllib`, which joins them
        raise httpx.RemoteProtocolError(f"its redirect names no address: {error}") from None


def _origin_of(url: httpx.URL) -> tuple[str, str, int]:
    return url.scheme, url.host, url.port or PORTS.get(url.scheme, 0)


def in_words(response: httpx.Response) -> str:
    """The new address in words, for a message."""
    url = _redirect_address(response)
    if url is None:
        return "says that it has moved but not where"
    return f"says that it has moved to {url.copy_with(query=None)}"
