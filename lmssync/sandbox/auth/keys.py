"""API keys: issued, revoked, rotated, expired; and the key that a request brings (spec 5)."""

import re
import secrets
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal, NamedTuple, get_args

from ..clock import seconds_of, stamp_of
from .jwt import claims_of

COMPANY_KEY = "sandbox-demo-key"
Kind = Literal["company", "api", "token"]
Use = Literal["sandbox", "production"]
USES: tuple[Use, ...] = get_args(Use)
"""What a key is for, told by its prefix; the real prefixes are left out of the specification."""
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

    def may_follow(self, headers: Mapping[bytes, bytes]) -> bool:
        """Whether a request that is not known yet may bring its key in its body."""
        return _in_header(headers) is None

    def stands_in(self, raw: bytes, *, now: float) -> bool:
        """Whether a body may hold a key that opens, as far as can be said without reading it."""
        return any(
            self._find_valid_key(word.decode("latin-1"), now) for word in _SECRET.findall(raw)
        )

    def in_body(
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
        "expiresAt": None if key.expires_at is None else stamp_of(key.expires_at),
        "revoked": key.revoked,
    }
