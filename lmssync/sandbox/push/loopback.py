"""Which addresses are this machine and nobody else."""

import ipaddress
from collections.abc import Mapping

from starlette.types import Scope

from ..serving.refusals import Refusal


def is_loopback(host: str) -> bool:
    """True if only this machine can reach `host`."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def require_neighbour(scope: Scope, headers: Mapping[bytes, bytes]) -> None:
    """403 for other machines, and for pages of other sites in a browser of this machine."""
    peer = ipaddress.ip_address((scope.get("client") or ("0.0.0.0", 0))[0])  # noqa: S104
    mapped = getattr(peer, "ipv4_mapped", None)
    if not (mapped or peer).is_loopback:
        raise Refusal(403, "This answers to this machine only")
    origin = headers.get(b"origin")
    if origin is not None and origin != b"http://" + headers.get(b"host", b""):
        raise Refusal(403, "This does not answer to pages of other sites")
