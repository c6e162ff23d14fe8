"""OAuth 2.0 client credentials (spec 5): the endpoint that gives access tokens.

The specification shows no address and no scopes: the endpoint is ours, `POST /oauth/token`, and
a scope is the name of a permission. The grant `authorization_code`, which acts for a learner,
has neither and is refused. Errors have the form that OAuth itself gives them.
"""

import base64
import binascii
from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qsl, unquote_plus

from starlette.types import Receive, Scope, Send

from .api_keys import Key
from .http_messages import Answer, Gone, Refusal, headers_of, json_object, read_body, send_answer
from .request_gateway import Gateway
from .sandbox_platform import Platform

PATH = "/oauth/token"
NAME = "oauth.token"
"""What the log of requests calls it."""
TOKEN_SECONDS = 3600
BODY_MOST = 64 * 1024
"""Maximum bytes of a request for a token; its caller is not yet known."""
GRANT = "client_credentials"
_FORM = b"application/x-www-form-urlencoded"
_UNAUTHORIZED = 401


class Denied(Exception):
    """A request for a token that is refused: the word of OAuth for it, and what is wrong."""

    def __init__(self, error: str, description: str, status: int = 400) -> None:
        super().__init__(error)
        self.error, self.description, self.status = error, description, status


class Tokens:
    """The ASGI endpoint that gives tokens out."""

    def __init__(self, gateway: Gateway) -> None:
        self._gateway, self._platform = gateway, gateway.platform

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        # Without its query and its body: those are secrets.
        entry = self._gateway.log_request({**scope, "query_string": b""}, NAME)
        try:
            answer = await self._answer_token_request(scope, receive)
        except Gone:
            return
        except Denied as denied:
            body = {"error": denied.error, "error_description": denied.description}
            challenge = (("WWW-Authenticate", "Basic"),) if denied.status == _UNAUTHORIZED else ()
            answer = Answer(body, denied.status, challenge)
        except Refusal as refusal:
            body = {"error": "invalid_request", "error_description": refusal.errors[0]}
            answer = Answer(body, refusal.status, refusal.headers)
        entry.status = answer.status
        unkept = (*answer.headers, ("Cache-Control", "no-store"))
        await send_answer(answer._replace(headers=unkept), send)

    async def _answer_token_request(self, scope: Scope, receive: Receive) -> Answer:
        platform = self._platform
        if scope["method"] != "POST":
            raise Refusal(405, "Use POST to ask for a token", headers=(("Allow", "POST"),))
        headers = headers_of(scope)
        fields = fields_of(await read_body(headers, receive, most=BODY_MOST), headers)
        if not platform.switches.oauthEnabled:
            raise Denied("unauthorized_client", "OAuth is not enabled for this account")
        token = grant_token(platform, fields, headers)
        await platform.store.wait_until_durable()
        return Answer(token)


def grant_token(
    platform: Platform, fields: Mapping[str, str], headers: Mapping[bytes, bytes]
) -> Any:
    """The answer with a new token. Raises Denied."""
    if fields.get("grant_type") != GRANT:
        raise Denied("unsupported_grant_type", f"grant_type: it must be {GRANT}")
    id_, secret = _read_credentials(fields, headers)
    client = platform.oauth.find_client(id_, secret)
    if client is None:
        raise Denied("invalid_client", "The client is unknown or its secret is wrong", 401)
    now = platform.clock.read_time()
    platform.keys.forget_old_tokens(now)
    rights = client.rights._replace(
        kind="token",
        expires_at=now + TOKEN_SECONDS,
        permissions=_granted_scope(client.rights, fields),
    )
    token = platform.keys.issue_key(rights)
    platform.keep_keys()
    scope = "" if token.permissions is None else " ".join(sorted(token.permissions))
    answer = {"access_token": token.key, "token_type": "Bearer", "expires_in": TOKEN_SECONDS}
    return {**answer, "scope": scope} if scope else answer


def fields_of(raw: bytes, headers: Mapping[bytes, bytes]) -> dict[str, str]:
    """The fields of a form, or of a JSON object."""
    if headers.get(b"content-type", b"").split(b";")[0].strip().lower() == _FORM:
        return dict(parse_qsl(raw.decode("utf-8", "replace"), keep_blank_values=True))
    body = json_object(raw, headers)
    return {name: value for name, value in body.items() if isinstance(value, str)}


def _read_credentials(fields: Mapping[str, str], headers: Mapping[bytes, bytes]) -> tuple[str, str]:
    """Id and secret, from the header (Basic) or the fields."""
    scheme, _, word = headers.get(b"authorization", b"").decode("latin-1").partition(" ")
    if scheme.lower() != "basic":
        return fields.get("client_id", ""), fields.get("client_secret", "")
    try:
        pair = base64.b64decode(word.encode(), validate=True).decode()
    except (binascii.Error, ValueError):
        return "", ""
    id_, _, secret = pair.partition(":")
    return unquote_plus(id_), unquote_plus(secret)


def _granted_scope(rights: Key, fields: Mapping[str, str]) -> frozenset[str] | None:
    """What the token may do: all that the client may, or the part that `scope` asks for."""
    asked = frozenset(fields.get("scope", "").split())
    if not asked:
        return rights.permissions
    if rights.permissions is not None and not asked <= rights.permissions:
        beyond = ", ".join(sorted(asked - rights.permissions))
        raise Denied("invalid_scope", f"scope: this client does not have {beyond}")
    return asked
