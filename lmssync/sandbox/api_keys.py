"""API keys: how they are issued and end, which key a request brings, and what it may do (spec 5).

A signed `jwt` query parameter stands for the company key (HS256, with the key as its secret). OAuth
clients are those that the account team enabled to ask for access tokens, which are keys too.
"""

import base64
import hmac
import math
import re
import secrets
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal, NamedTuple, get_args

import orjson

from ..vocabulary.enums import Feature
from ..vocabulary.iso_dates import format_timestamp
from ..vocabulary.routes import Route
from .http_messages import NO_KEY, Refusal
from .sandbox_documents import seconds_of


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


COMPANY_KEY = "sandbox-demo-key"
Kind = Literal["company", "api", "token"]
Use = Literal["sandbox", "production"]
USES: tuple[Use, ...] = get_args(Use)
"""What a key is for, which its prefix says; the real prefixes are left out of the specification."""
_BEARER_WORDS = 2
_SECRET = re.compile(rb'"secretKey"\s*:\s*"([^"\\]{1,200})"')


class Key(NamedTuple):
    """An API key; `permissions` None may do everything, as the company secret key may."""

    key: str
    permissions: frozenset[str] | None = None
    scope: str = "company"
    client_ids: frozenset[str] = frozenset()
    kind: Kind = "api"
    expires_at: float | None = None
    """Seconds since 1970 by the sandbox's clock."""
    revoked: bool = False

    def may_see_client(self, client_id: str) -> bool:
        """A key of scope `client` sees its own clients only."""
        return self.scope != "client" or client_id in self.client_ids

    def is_valid_at(self, now: float) -> bool:
        return not self.revoked and (self.expires_at is None or now < self.expires_at)


class Keys:
    """The keys of this sandbox, those that open nothing any more among them."""

    def __init__(self, stored: Iterable[Mapping[str, Any]] = ()) -> None:
        self._keys = {COMPANY_KEY: Key(COMPANY_KEY, kind="company")}
        for wire in stored:
            self._keys[wire["key"]] = key_of(wire)

    @property
    def company_key(self) -> str:
        """The company secret key: the newest where it was rotated."""
        return [key.key for key in self if key.kind == "company"][-1]

    def __iter__(self) -> Iterator[Key]:
        return iter(self._keys.values())

    def issue_key(self, like: Key, *, use: Use = "sandbox") -> Key:
        """A new key with the rights of `like`."""
        text = f"{use}-{secrets.token_hex(16)}"
        self._keys[text] = like._replace(key=text)
        return self._keys[text]

    def expire_key(self, text: str, *, at: float | None = None) -> Key | None:
        """Revoke a key now, or let it expire at a moment; None if it was never issued."""
        key = self._keys.get(text)
        if key is None:
            return None
        ended = key._replace(revoked=True) if at is None else key._replace(expires_at=at)
        self._keys[text] = ended
        return ended

    def rotate_key(self, text: str, *, now: float, overlap: float) -> Key | None:
        """A new key in the place of another, which opens for `overlap` seconds more."""
        old = self._keys.get(text)
        if old is None or not old.is_valid_at(now):
            return None
        use: Use = "production" if text.startswith("production-") else "sandbox"
        new = self.issue_key(old, use=use)
        self.expire_key(text, at=now + overlap if overlap else None)
        return new

    def forget_old_tokens(self, now: float) -> None:
        """Access tokens that have expired would only pile up."""
        kept = (key for key in self if key.kind != "token" or key.is_valid_at(now))
        self._keys = {key.key: key for key in kept}

    def as_wire(self) -> list[dict[str, Any]]:
        return [wire_of(key) for key in self]

    def find_request_key(
        self, headers: Mapping[bytes, bytes], query: Mapping[str, list[str]], *, now: float
    ) -> Key | None:
        """The key of a request: second word of the header, `secretKey`, or a signed `jwt`."""
        if (bearer := _in_header(headers)) is not None:
            return self._find_valid_key(bearer, now)
        for secret in query.get("secretKey", ())[:1]:
            return self._find_valid_key(secret, now)
        for token in query.get("jwt", ())[:1]:
            company = self._find_valid_key(self.company_key, now)
            if company and claims_of(token, company.key, now=now) is not None:
                return company
        return None

    def may_bring_key_in_body(self, headers: Mapping[bytes, bytes]) -> bool:
        """Whether a request that is not known yet may bring its key in its body."""
        return _in_header(headers) is None

    def may_hold_key(self, raw: bytes, *, now: float) -> bool:
        """Whether a body may hold a valid key, as far as can be seen without parsing it."""
        words = (word.decode("latin-1") for word in _SECRET.findall(raw))
        return any(self._find_valid_key(word, now) for word in words)

    def find_body_key(
        self, body: Mapping[str, Any], headers: Mapping[bytes, bytes], *, now: float
    ) -> Key | None:
        """The key that `secretKey` of a body names, where the header brings none: a key that
        is revoked there is not excused here."""
        secret = body.get("secretKey")
        if not isinstance(secret, str) or _in_header(headers) is not None:
            return None
        return self._find_valid_key(secret, now)

    def _find_valid_key(self, text: str, now: float) -> Key | None:
        key = self._keys.get(text)
        return key if key and key.is_valid_at(now) else None


def _in_header(headers: Mapping[bytes, bytes]) -> str | None:
    """The second word of the header, whatever the scheme (spec 5)."""
    words = headers.get(b"authorization", b"").decode("latin-1").split()
    return words[1] if len(words) >= _BEARER_WORDS else None


def key_of(wire: Mapping[str, Any]) -> Key:
    permissions, expiry = wire["permissions"], wire.get("expiresAt")
    return Key(
        wire["key"],
        None if permissions is None else frozenset(permissions),
        wire["scope"],
        frozenset(wire["clientIds"]),
        wire.get("kind", "api"),
        None if expiry is None else seconds_of(expiry),
        wire.get("revoked", False),
    )


def wire_of(key: Key) -> dict[str, Any]:
    return {
        "key": key.key,
        "kind": key.kind,
        "permissions": None if key.permissions is None else sorted(key.permissions),
        "scope": key.scope,
        "clientIds": sorted(key.client_ids),
        "expiresAt": None if key.expires_at is None else format_timestamp(key.expires_at),
        "revoked": key.revoked,
    }


DEMO_ID, DEMO_SECRET = "sandbox-demo-client", "sandbox-demo-secret"


class OAuthClient(NamedTuple):
    """One who may ask for tokens; they have the rights of `rights`."""

    id: str
    secret: str
    rights: Key


class OAuthClients:
    """The registered clients, one for the demo among them."""

    def __init__(self, stored: Iterable[Mapping[str, Any]] = ()) -> None:
        demo = OAuthClient(DEMO_ID, DEMO_SECRET, Key(""))
        self._clients = {demo.id: demo}
        for wire in stored:
            client = OAuthClient(wire["clientId"], wire["clientSecret"], key_of(wire))
            self._clients[client.id] = client

    def register_client(self, rights: Key) -> OAuthClient:
        """A new client whose tokens have the rights of a key."""
        client = OAuthClient(f"client-{secrets.token_hex(8)}", secrets.token_hex(16), rights)
        self._clients[client.id] = client
        return client

    def as_wire(self) -> list[dict[str, Any]]:
        return [client_wire(client) for client in self._clients.values()]

    def find_client(self, id_: str, secret: str) -> OAuthClient | None:
        client = self._clients.get(id_)
        right = client and secrets.compare_digest(client.secret.encode(), secret.encode())
        return client if right else None


def client_wire(client: OAuthClient) -> dict[str, Any]:
    """The client with its secret and its rights, as the store keeps it."""
    return {"clientId": client.id, "clientSecret": client.secret, **wire_of(client.rights)}


ON_AT_FIRST = frozenset(Feature) - {Feature.INCREASED_API_RATE_LIMITS}
"""Features of a new sandbox, so that every route can be tried."""

_FEATURE_OFF = "This feature is not available for your account"
_ACTIVITY_OFF = "The external activity feature is not enabled"


def require_key(key: Key | None) -> Key:
    """The key, or 401."""
    if key is None:
        raise Refusal(401, NO_KEY)
    return key


def require_permission(key: Key, route: Route) -> None:
    """403 unless the key carries the permission that the route names."""
    if route.permission and key.permissions is not None and route.permission not in key.permissions:
        raise Refusal(403, f"You need the permission {route.permission} to do this")


def require_features(features: frozenset[Feature], route: Route) -> None:
    """403 if the account lacks a feature of the route; 400 on the activity routes (spec 4)."""
    if all(feature in features for feature in route.features):
        return
    if Feature.EXTERNAL_ACTIVITY in route.features:
        raise Refusal(400, _ACTIVITY_OFF)
    raise Refusal(403, _FEATURE_OFF)
