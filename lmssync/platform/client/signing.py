"""Signed `jwt` query parameters (spec 5): HS256, with the API key as the secret."""

import base64
import hmac
from collections.abc import Mapping
from typing import Any

import orjson

LIFETIME = 300
"""Seconds: proxies and servers log addresses, so what stands in one must not open for long."""
_HEADER = {"alg": "HS256", "typ": "JWT"}


def sign_token(claims: Mapping[str, Any], secret: str, *, now: float) -> str:
    """The token that says `claims` until `LIFETIME` seconds after `now`, in Unix seconds."""
    timed = {**claims, "exp": int(now) + LIFETIME}
    text = b".".join(_encode_part(orjson.dumps(part)) for part in (_HEADER, timed))
    signature = hmac.digest(secret.encode(), text, "sha256")
    return b".".join((text, _encode_part(signature))).decode()


def _encode_part(part: bytes) -> bytes:
    return base64.urlsafe_b64encode(part).rstrip(b"=")
