"""Sends an order to a running sandbox; reports an error where no sandbox answers."""

import json
from http.client import HTTPException
from typing import Any
from urllib import error as failures, request

from ..errors import PlatformError, Unreachable, WrongUse

ORDER = "/_sandbox/learners"
SECONDS = 120
_MOST = 1024 * 1024
"""Most bytes read of an answer: a sandbox sends fewer, another server might never end."""
_FOREIGN = (HTTPException, ValueError, LookupError, TypeError, AttributeError, RecursionError)
"""Errors from reading the answer of a server that is not a sandbox."""


def order(base_url: str, body: dict[str, Any]) -> Any:
    """What the sandbox made; raises WrongUse, Unreachable or PlatformError."""
    if not base_url.startswith(("http://", "https://")):
        raise WrongUse(f"--base-url: {base_url!r} is not an http address")
    asked = request.Request(  # noqa: S310 - the scheme is checked above
        base_url.rstrip("/") + ORDER,
        json.dumps(body).encode(),
        {"Content-Type": "application/json"},
    )
    try:
        with request.urlopen(asked, timeout=SECONDS) as response:  # noqa: S310 - the same
            answer = json.loads(response.read(_MOST))
        return answer | {"made": {kind: int(count) for kind, count in answer["made"].items()}}
    except failures.HTTPError as refusal:
        with refusal:
            raise PlatformError(f"{base_url}: {_refused(refusal)}") from None
    except (OSError, *_FOREIGN) as failure:
        raise Unreachable(
            f"{base_url}: no sandbox answers there ({getattr(failure, 'reason', failure)})",
            "start one with: lmssync sandbox serve",
        ) from None


def _refused(refusal: failures.HTTPError) -> str:
    """The sandbox's own words, or the bare status of another server."""
    try:
        return "; ".join(json.loads(refusal.read(_MOST))["errors"])
    except (OSError, *_FOREIGN):
        return f"HTTP {refusal.code}; that is not a sandbox"
