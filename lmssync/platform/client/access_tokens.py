"""Access tokens by OAuth client credentials (spec 5): asked for, renewed, and never written."""

import time
from base64 import b64encode
from collections.abc import Callable, Mapping
from threading import Lock
from typing import Any, NamedTuple
from urllib.parse import quote_plus

from ...errors import KeyRefused, PlatformError, Unreachable, Unreadable
from ...support import redaction
from ...support.hosts import parse_site
from .answer_bodies import platform_words
from .other_host import HttpAnswer, NoAnswer, OtherHost

_MARGIN = 60.0
"""Seconds before its end at which a token is renewed; less for tokens that live shorter."""
_LIFETIME = 300.0
"""Seconds that a token counts as valid if its answer does not say how long it is."""
_PAUSES = (0.25, 1.0)
_PATIENCE = 60.0
"""The most seconds to wait because the host of the tokens asks for it."""
_OK, _UNKNOWN_CLIENT, _BUSY, _SERVER_FAILED = 200, 401, 429, 500
_HINTS = {
    "invalid_client": "check both variables that `oauth` names; a secret may have been replaced",
    "unauthorized_client": "the account team of the platform enables OAuth, for each client",
    "invalid_scope": "ask for less in `oauth.scopes`, or have the scopes added to the client",
    "unsupported_grant_type": "lmssync acts for no single user, so it needs a client for "
    "`client_credentials`",
}
"""The advice, by the error codes of OAuth (RFC 6749, 5.2)."""


class OAuthClient(NamedTuple):
    """The client that asks for access tokens, and the address where it does."""

    token_url: str
    id: str
    secret: str
    scopes: tuple[str, ...] = ()
    prefix: str = ""
    """The beginning that the tokens must have."""


class Tokens:
    """The access token of a run. Asking for one changes nothing, so it may be repeated."""

    def __init__(
        self,
        client: OAuthClient,
        timeout: float,
        sleep: Callable[[float], object] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        redaction.register_secret(client.secret)
        self._client, self._timeout = client, timeout
        self._sleep, self._clock = sleep, clock
        self._lock = Lock()
        self._token, self._until = "", 0.0

    def current_token(self) -> str:
        """A token that is valid now; raises `KeyRefused`, `Unreachable` or `Unreadable`."""
        with self._lock:
            if not self._token or self._clock() >= self._until:
                self._renew_token()
            return self._token

    def instead_of(self, refused: str) -> str:
        """A token in the place of one that the platform refuses; raises the same."""
        with self._lock:
            if self._token == refused:  # else another thread has renewed it
                self._renew_token()
            return self._token

    def _renew_token(self) -> None:
        asked_at, answer = self._clock(), self._answer_with_token()
        token, seconds = self._read_token(answer.body)
        redaction.register_secret(token)
        if not token.startswith(self._client.prefix):
            raise KeyRefused(
                f"{self._client.token_url} gave a token that does not begin with "
                f"`{self._client.prefix}`, so it was not sent",
                "`keyPrefix` says what keys of this environment begin with: "
                "check the OAuth client and the environment",
            )
        self._token, self._until = token, asked_at + seconds - min(_MARGIN, seconds / 4)

    def _answer_with_token(self) -> HttpAnswer:
        """The answer with a token; failures that may pass are waited for."""
        for pause in _PAUSES:
            try:
                answer = self._ask_token()
            except NoAnswer:
                self._sleep(pause)
                continue
            if answer.status != _BUSY and answer.status < _SERVER_FAILED:
                return self._require_granted(answer)
            self._sleep(min(answer.wait, _PATIENCE) if "retry-after" in answer.headers else pause)
        try:
            return self._require_granted(self._ask_token())
        except NoAnswer as failed:
            raise Unreachable(
                f"no token: {self._client.token_url} cannot be reached: {failed}",
                failed.hint or "check `oauth.tokenUrl` and the network",
            ) from None

    def _ask_token(self) -> HttpAnswer:
        client, there = self._client, parse_site(self._client.token_url)
        # Id and secret are form-encoded before base64 (RFC 6749, 2.3.1), unlike in plain Basic
        # authentication.
        pair = f"{quote_plus(client.id)}:{quote_plus(client.secret)}"
        basic = {"Authorization": f"Basic {b64encode(pair.encode()).decode()}"}
        form = {"grant_type": "client_credentials"}
        if client.scopes:
            form["scope"] = " ".join(client.scopes)
        with OtherHost(there.origin.url, basic, self._timeout) as host:
            return host.send("POST", there.path, form=form)

    def _require_granted(self, answer: HttpAnswer) -> HttpAnswer:
        if answer.status != _OK:
            raise self._refusal_error(answer)
        return answer

    def _refusal_error(self, answer: HttpAnswer) -> PlatformError:
        where, body = self._client.token_url, answer.body
        word = body.get("error") if isinstance(body, Mapping) else None
        if word is None and answer.status == _UNKNOWN_CLIENT:
            word = "invalid_client"
        if word in _HINTS:
            said = body.get("error_description") if isinstance(body, Mapping) else None
            why = f"{word}: {platform_words(str(said))}" if said else str(word)
            return KeyRefused(f"{where} gives no token: {why}", _HINTS[str(word)])
        return Unreachable(
            f"{where} gives no token: {answer.words} (HTTP {answer.status})",
            "check `oauth.tokenUrl`: it is where the platform gives access tokens out",
        )

    def _read_token(self, body: Any) -> tuple[str, float]:
        """The token of an answer, and for how many seconds it is valid."""
        token = body.get("access_token") if isinstance(body, Mapping) else None
        if not isinstance(token, str) or not (token.isascii() and token.isprintable() and token):
            raise Unreadable(
                f"the answer of {self._client.token_url} has no `access_token` that can be sent",
                "check `oauth.tokenUrl`: it is where the platform gives access tokens out",
            )
        seconds = body.get("expires_in")
        numeric = isinstance(seconds, (int, float)) and not isinstance(seconds, bool)
        return token, float(seconds) if numeric and seconds > 0 else _LIFETIME
