"""Signed `jwt` query parameters (spec 5): HS256 with the API key as the secret."""

import base64
import hmac
import math
from typing import Any

import orjson


def claims_of(token: str, secret: str, *, now: float) -> dict[str, Any] | None:
    """What a token says, or None if it is malformed, not signed by `secret`, or expired."""
    signed, _, signature = token.rpartition(".")
    try:
        header, claims = (orjson.loads(_decode_part(part)) for part in signed.split("."))
        digest = hmac.digest(secret.encode(), signed.encode(), "sha256")
        is_signed = hmac.compare_digest(digest, _decode_part(signature))
    except ValueError:
        return None
    if not isinstance(header, dict) or header.get("alg") != "HS256":
        return None
    if not is_signed or not isinstance(claims, dict) or not _in_time(claims, now):
        return None
    return claims


def _in_time(claims: dict[str, Any], now: float) -> bool:
    """True between `nbf` and `exp`, as far as they are there; what is no number is no moment."""
    moments = {name: claims[name] for name in ("nbf", "exp") if claims.get(name) is not None}
    if not all(type(moment) in (int, float) for moment in moments.values()):
        return False
    return bool(moments.get("nbf", now) <= now < moments.get("exp", math.inf))


def _decode_part(part: str) -> bytes:
    return base64.b64decode(part.encode() + b"=" * (-len(part) % 4), altchars=b"-_", validate=True)
