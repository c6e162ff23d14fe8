"""Redirects: a read follows one within its host (spec 7), because the key is for that host only."""

from typing import TYPE_CHECKING

from ..hosts import PORTS

if TYPE_CHECKING:
    import httpx

STATUSES = frozenset({301, 307, 308})
"""302 is missing: the platform answers an activity with it."""
MOST = 5


def within_the_host(response: "httpx.Response") -> "httpx.Request | None":
    """The next request, if an answer redirects to the same host, or to the same host by https."""
    following = response.next_request
    if response.status_code not in STATUSES or following is None:
        return None
    old, new = _origin(response.request.url), _origin(following.url)
    by_https = ("https", old[1], 443) if (old[0], old[2]) == ("http", 80) else old
    return following if new in {old, by_https} else None


def _origin(url: "httpx.URL") -> tuple[str, str, int]:
    return url.scheme, url.host, url.port or PORTS.get(url.scheme, 0)


def in_words(response: "httpx.Response") -> str:
    """The new address in words, for a message."""
    if response.next_request is None:
        return "says that it has moved but not where"
    return f"says that it has moved to {response.next_request.url.copy_with(query=None)}"
