"""Who asks, and whether they may: keys, permissions, scopes and features, in one place (spec 5)."""

import secrets
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from lmssync.vocabulary.enums import Feature
from lmssync.vocabulary.routes import Route

from .envelopes import NO_KEY
from .jwt import claims_of
from .refusals import Refusal, forbidden

COMPANY_KEY = "sandbox-demo-key"
ON_AT_FIRST = frozenset(
    {Feature.EXTERNAL_ACTIVITY, Feature.ADVANCED_CLIENTS, Feature.BULK_MIGRATION}
)
"""Features of a new sandbox, so that every route can be tried."""

_FEATURE_OFF = "This feature is not available for your account"
_ACTIVITY_OFF = "The external activity feature is not enabled"
_BEARER_WORDS = 2


class Key(NamedTuple):
    """An API key; `permissions` None is the company secret key, which may do everything."""

    key: str
    permissions: frozenset[str] | None = None
    scope: str = "company"
    client_ids: frozenset[str] = frozenset()

    def may_see_client(self, client_id: str) -> bool:
        """A key of scope `client` sees its own clients only."""
        return self.scope != "client" or client_id in self.client_ids


class Keys:
    """The keys that open this sandbox."""

    def __init__(self, company: str, issued: Iterable[Mapping[str, Any]] = ()) -> None:
        self.company = company
        self._keys = {company: Key(company)}
        for wire in issued:
            self._keys[wire["key"]] = key_of(wire)

    def issue(self, permissions: list[str] | None, *, scope: str, client_ids: list[str]) -> Key:
        key = Key(
            f"sandbox-{secrets.token_hex(16)}",
            None if permissions is None else frozenset(permissions),
            scope,
            frozenset(client_ids),
        )
        self._keys[key.key] = key
        return key

    def as_wire(self) -> list[dict[str, Any]]:
        """The issued keys, for the store."""
        return [wire_of(key) for key in self._keys.values() if key.key != self.company]

    def find(
        self, headers: Mapping[bytes, bytes], query: Mapping[str, list[str]], *, now: float
    ) -> Key | None:
        """The key of a request: second word of the header, `secretKey`, or a signed `jwt`."""
        words = headers.get(b"authorization", b"").decode("latin-1").split()
        if len(words) >= _BEARER_WORDS:
            return self._keys.get(words[1])
        for secret in query.get("secretKey", ())[:1]:
            return self._keys.get(secret)
        for token in query.get("jwt", ())[:1]:
            if claims_of(token, self.company, now=now) is not None:
                return self._keys[self.company]
        return None

    def in_body(self, body: Mapping[str, Any]) -> Key | None:
        secret = body.get("secretKey")
        return self._keys.get(secret) if isinstance(secret, str) else None


def key_of(wire: Mapping[str, Any]) -> Key:
    permissions = wire["permissions"]
    return Key(
        wire["key"],
        None if permissions is None else frozenset(permissions),
        wire["scope"],
        frozenset(wire["clientIds"]),
    )


def wire_of(key: Key) -> dict[str, Any]:
    return {
        "key": key.key,
        "permissions": None if key.permissions is None else sorted(key.permissions),
        "scope": key.scope,
        "clientIds": sorted(key.client_ids),
    }


def require_key(key: Key | None) -> Key:
    """The key, or 401."""
    if key is None:
        raise Refusal(401, NO_KEY)
    return key


def require_permission(key: Key, route: Route) -> None:
    """403 unless the key carries the permission that the route names."""
    if route.permission and key.permissions is not None and route.permission not in key.permissions:
        raise forbidden(f"You need the permission {route.permission} to do this")


def require_features(features: frozenset[Feature], route: Route) -> None:
    """403 if the account lacks a feature of the route; 400 on the activity routes (spec 4)."""
    if all(feature in features for feature in route.features):
        return
    if Feature.EXTERNAL_ACTIVITY in route.features:
        raise Refusal(400, _ACTIVITY_OFF)
    raise forbidden(_FEATURE_OFF)
