"""The order `keys`: API keys and OAuth clients, as an administrator handles them (spec 5)."""

from collections.abc import Mapping
from typing import Any

from .. import checks
from ..auth.keys import USES, Key, wire_of
from ..auth.oauth_clients import client_wire
from ..checks import Wrong, checked, present
from ..platform import World
from ..serving.exchange import Answer

Doc = dict[str, Any]
Query = Mapping[str, list[str]]
SECONDS = checks.whole(0, 10**9)


def show(world: World, _body: Doc, _query: Query) -> Answer:
    """All keys, including revoked and expired ones, and all OAuth clients."""
    return Answer({"keys": world.keys.as_wire(), "oauthClients": world.oauth.as_wire()})


def order(world: World, body: Doc, _query: Query) -> Answer:
    """A new key with given rights, `{"revoke": key}`, or `{"rotate": key, "overlapSeconds": n}`.

    A new key takes `permissions` (null for all), `scope` (company or client), `clientIds`,
    `expiresInSeconds` by the sandbox's clock, and `use` (sandbox or production), which is its
    prefix. With `"oauthClient": true` it is an id and a secret for the token endpoint instead.
    """
    if "revoke" in body:
        answer = _revoke(world, body)
    elif "rotate" in body:
        answer = _rotate(world, body)
    else:
        answer = _issue(world, body)
    world.keep_keys()
    return answer


def _issue(world: World, body: Doc) -> Answer:
    rules = {
        "permissions": checks.names,
        "scope": checks.one_of(("company", "client")),
        "clientIds": checks.uuids,
        "expiresInSeconds": SECONDS,
        "use": checks.one_of(USES),
        "oauthClient": checks.flag,
    }
    fields = present(checked(body, rules, place="body"))
    rights = _rights(fields, world.clock.now())
    if fields.get("oauthClient"):
        return Answer(client_wire(world.oauth.register(rights)))
    return _told(world.keys.issue(rights, use=fields.get("use", "sandbox")))


def _rights(fields: Doc, now: float) -> Key:
    permissions, seconds = fields.get("permissions"), fields.get("expiresInSeconds")
    return Key(
        "",
        None if permissions is None else frozenset(permissions),
        fields.get("scope", "company"),
        frozenset(fields.get("clientIds", ())),
        expires_at=None if seconds is None else now + seconds,
    )


def _revoke(world: World, body: Doc) -> Answer:
    fields = checked(body, {"revoke": checks.text}, place="body")
    return _told(_known(world.keys.end(fields["revoke"] or ""), "revoke"))


def _rotate(world: World, body: Doc) -> Answer:
    rules = {"rotate": checks.text, "overlapSeconds": SECONDS}
    fields = present(checked(body, rules, place="body"))
    overlap = float(fields.get("overlapSeconds", 0))
    now = world.clock.now()
    return _told(
        _known(world.keys.rotate(fields.get("rotate", ""), now=now, overlap=overlap), "rotate")
    )


def _known(key: Key | None, verb: str) -> Key:
    if key is None:
        raise Wrong(f"{verb}: this sandbox has no such key; GET lists the keys")
    return key


def _told(key: Key) -> Answer:
    return Answer({**wire_of(key), "apiKey": key.key})
