"""Signed `jwt` query parameters (spec 5): HS256 with the API key as the secret."""

import base64
import binascii
import hashlib
import hmac
from typing import Any

import orjson

_PARTS = 3


def claims_of(token: str, secret: str, *, now: float) -> dict[str, Any] | None:
    """What a token says, or None if it is malformed, not signed by `secret`, or expired."""
    parts = token.split(".")
    if len(parts) != _PARTS:
        return None
    try:
        header, claims = (orjson.loads(_decoded(part)) for part in parts[:2])
        signature = _decoded(parts[2])
    except (ValueError, binascii.Error):
        return None
    signed = f"{parts[0]}.{parts[1]}".encode()
    right = hmac.new(secret.encode(), signed, hashlib.sha256).digest()
    if not isinstance(header, dict) or header.get("alg") != "HS256":
        return None
    if not hmac.compare_digest(right, signature) or not isinstance(claims, dict):
        return None
    return claims if _in_time(claims, now) else None


def _in_time(claims: dict[str, Any], now: float) -> bool:
    """True between `nbf` and `exp`, as far as they are there; what is no number is no moment."""
    for name in ("exp", "nbf"):
        moment = claims.get(name)
        if moment is None:
            continue
        if isinstance(moment, bool) or not isinstance(moment, int | float):
            return False
        if (moment <= now) if name == "exp" else (moment > now):
            return False
    return True


def _decoded(part: str) -> bytes:
    return base64.b64decode(part.encode() + b"=" * (-len(part) % 4), altchars=b"-_", validate=True)
