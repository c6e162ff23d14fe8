"""Checks who may send requests: by the host name used, and by the page that asks.

A page of another site, in a browser on this machine, can send requests here. Where its own name
was made to lead here (DNS rebinding) it could read the answers too, and the key is well known.
Clients that are no browsers send neither `Origin` nor `Sec-Fetch-Site` and notice nothing.
"""

import ipaddress
from collections.abc import Callable, Mapping

from starlette.types import Scope

from .http_messages import Refusal, headers_of

_REMEMBERED = 100
"""Ways to call the sandbox that need no second look."""
_BROWSER = frozenset({b"origin", b"sec-fetch-site"})
_OWN_PAGE = frozenset({b"same-origin", b"none"})
"""`none` is an address that somebody typed."""


class OriginGuard:
    """Refuses what a browser sends for somebody else, before anything is looked up."""

    def __init__(self, served: str, *, is_page: Callable[[str], bool]) -> None:
        """`served` is the host on which the sandbox was asked to serve. A link from elsewhere may
        lead to a path that `is_page`."""
        self._served, self._is_page = served.lower(), is_page
        address = _host_address(served)
        self._everywhere = address is not None and address.is_unspecified
        self._known: set[bytes] = set()

    def require_origin(self, scope: Scope) -> None:
        """Raises 403 for another name than ours, and for pages of other sites."""
        from_browser = False
        for name, value in scope["headers"]:
            if name == b"host":
                self._require_name(value)
            elif name in _BROWSER:
                from_browser = True
        if from_browser:
            self._require_own_page(scope, headers_of(scope))

    def _require_name(self, host: bytes) -> None:
        if host in self._known:
            return
        name = _host_name(host)
        if not self._is_ours(name):
            raise Refusal(
                403,
                f'"{name[:100]}" is not a name of this sandbox: use localhost or 127.0.0.1,'
                " or serve it on another host with --host",
            )
        if len(self._known) < _REMEMBERED:
            self._known.add(host)

    def _is_ours(self, name: str) -> bool:
        if is_loopback(name) or name.endswith(".localhost") or name in ("", self._served):
            return True
        # On every interface it has addresses that it does not know; only a name can be rebound.
        return self._everywhere and _host_address(name) is not None

    def _require_own_page(self, scope: Scope, headers: Mapping[bytes, bytes]) -> None:
        origin = headers.get(b"origin")
        own = origin is None or origin == b"http://" + headers.get(b"host", b"")
        site = headers.get(b"sec-fetch-site", b"none")
        if not own or (site not in _OWN_PAGE and not self._is_link(scope, headers)):
            raise Refusal(403, "This does not answer requests from pages of other sites")

    def _is_link(self, scope: Scope, headers: Mapping[bytes, bytes]) -> bool:
        """Whether somebody has followed a link to one of the pages: its site sees nothing of it."""
        return (
            headers.get(b"sec-fetch-mode") == b"navigate"
            and headers.get(b"sec-fetch-dest") == b"document"
            and scope["method"] == "GET"
            and self._is_page(scope["path"])
        )


def is_loopback(host: str) -> bool:
    """True if only this machine can reach `host`."""
    address = _host_address(host)
    mapped = getattr(address, "ipv4_mapped", None) or address
    return host == "localhost" or (mapped is not None and mapped.is_loopback)


def require_neighbour(scope: Scope) -> None:
    """403 for other machines."""
    peer = (scope.get("client") or ("", 0))[0]
    if not is_loopback(peer):
        raise Refusal(403, "This answers requests from this machine only")


def _host_name(host: bytes) -> str:
    """The host of a Host header, without its port."""
    text = host.decode("latin-1").strip().lower()
    if text.startswith("["):
        return text[1:].partition("]")[0]
    return text.partition(":")[0].rstrip(".") if text.count(":") == 1 else text.rstrip(".")


def _host_address(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None
