"""The command `keys`: API keys and OAuth clients, as an administrator handles them (spec 5)."""

from .. import checks
from ..api_keys import USES, Key, client_wire, key_of, wire_of
from ..checks import Unplaced, at, new_fields
from ..http_exchange import Answer
from ..running_sandbox import Sandbox
from ..sandbox_documents import Doc
from ..sandbox_platform import Platform
from .body import Query

SECONDS = checks.whole_number_between(0, 10**9)


def show_keys(sandbox: Sandbox, _body: Doc, _query: Query) -> Answer:
    """All keys, including revoked and expired ones, and all OAuth clients."""
    return Answer(
        {"keys": sandbox.platform.keys.as_wire(), "oauthClients": sandbox.platform.oauth.as_wire()}
    )


def change_keys(sandbox: Sandbox, body: Doc, _query: Query) -> Answer:
    """A new key with given rights, `{"revoke": key}`, or `{"rotate": key, "overlapSeconds": n}`.

    A new key takes `permissions` (null for all), `scope` (company or client), `clientIds`,
    `expiresInSeconds` by the sandbox's clock, and `use` (sandbox or production), which is its
    prefix. With `"oauthClient": true` it is an id and a secret for the token endpoint instead.
    """
    act = _revoke_key if "revoke" in body else _rotate_key if "rotate" in body else _issue_key
    with at("body"):
        answer = act(sandbox.platform, body)
    sandbox.platform.keep_keys()
    return answer


def _issue_key(platform: Platform, body: Doc) -> Answer:
    rules = {
        "permissions": checks.check_names,
        "scope": checks.one_of(("company", "client")),
        "clientIds": checks.check_uuids,
        "expiresInSeconds": SECONDS,
        "use": checks.one_of(USES),
        "oauthClient": checks.check_flag,
    }
    fields = new_fields(body, rules)
    rights = key_of({"key": "", "permissions": None, "scope": "company", "clientIds": (), **fields})
    if "expiresInSeconds" in fields:
        rights = rights._replace(expires_at=platform.clock.read_time() + fields["expiresInSeconds"])
    if fields.get("oauthClient"):
        return Answer(client_wire(platform.oauth.register_client(rights)))
    return _describe_key(platform.keys.issue_key(rights, use=fields.get("use", "sandbox")), "use")


def _revoke_key(platform: Platform, body: Doc) -> Answer:
    fields = new_fields(body, {"revoke": checks.check_text})
    return _describe_key(platform.keys.expire_key(fields.get("revoke", "")), "revoke")


def _rotate_key(platform: Platform, body: Doc) -> Answer:
    rules = {"rotate": checks.check_text, "overlapSeconds": SECONDS}
    fields = new_fields(body, rules)
    overlap, now = float(fields.get("overlapSeconds", 0)), platform.clock.read_time()
    return _describe_key(
        platform.keys.rotate_key(fields.get("rotate", ""), now=now, overlap=overlap), "rotate"
    )


def _describe_key(key: Key | None, verb: str) -> Answer:
    if key is None:
        raise Unplaced(f"{verb}: this sandbox has no such key; GET lists the keys")
    return Answer({**wire_of(key), "apiKey": key.key})
