"""Authentication, all six rules of it: keys, jwt, OAuth, scopes, revocation, rotation (spec 5)."""

from datetime import datetime

import pytest

from lmssync.sandbox import run_sandbox
from lmssync.sandbox.route_bindings import HANDLERS
from lmssync.vocabulary.routes import ROUTES, Envelope

from .. import patient_http
from .school import jwt

PING = ROUTES["ping"].path
TOKEN = "/oauth/token"
DEMO = {"client_id": "sandbox-demo-client", "client_secret": "sandbox-demo-secret"}
GRANT = {"grant_type": "client_credentials", **DEMO}
UNKNOWN = "00000000-0000-4000-8000-000000000000"
PERMITTED = sorted(name for name in HANDLERS if ROUTES[name].permission)


def ping(platform, key):
    return platform.http.get(PING, headers={"Authorization": f"Bearer {key}"}).status_code


def issued(platform, **rights):
    return platform.control("keys", rights)["key"]


def token(platform, **fields):
    return platform.http.post(TOKEN, data={**GRANT, **fields})


def by_jwt(platform, text):
    return platform.http.get(PING, params={"jwt": text}).status_code


def answered(platform, name):
    ids = dict.fromkeys(("id", "contentId", "lessonId", "kind", "slug"), UNKNOWN)
    return platform.call(name, {} if not ROUTES[name].reads else None, **ids)


@pytest.fixture(autouse=True)
def company_key_again(platform):
    """Other tests find the company key as it was."""
    yield
    platform.control("reset", {})


@pytest.mark.parametrize("name", sorted(HANDLERS))
def test_every_route_needs_a_key(platform, name):
    """No route answers an unknown caller; v2 speaks C and v3 speaks D.

    (spec 5 401; spec 7 C, D.401, paths.auth; spec 5, spec 7)
    """
    platform.key = "nobody"
    answer = answered(platform, name)
    d = ROUTES[name].envelope is Envelope.D
    word = answer.json()["code"] if d else answer.json()["error"]
    assert (401, "UNAUTHENTICATED" if d else "unauthorized") == (answer.status_code, word)


@pytest.mark.parametrize("name", PERMITTED)
def test_permission_of_every_route(platform, name):
    """A key without the permission gets 403; a key with only that one is accepted.

    (spec 4 permission, update; spec 5 permissions, 403; spec 7 paths.auth; spec 5, spec 4)
    """
    permission = str(ROUTES[name].permission)
    statuses = []
    for permissions in ([], [permission]):
        platform.key = issued(platform, permissions=permissions)
        statuses.append(answered(platform, name).status_code)
    assert 403 == statuses[0]
    assert statuses[1] not in (401, 403)


@pytest.mark.parametrize("name", sorted(set(HANDLERS) - set(PERMITTED)))
def test_other_routes_need_no_permission(platform, name):
    """Any key will do where the specification names no permission (spec 4)."""
    platform.key = issued(platform, permissions=[])
    assert answered(platform, name).status_code not in (401, 403)


@pytest.mark.parametrize("name", sorted(HANDLERS))
def test_401_can_be_empty_on_every_route(platform, name):
    """Some routes answer 401 with an empty body: a switch names them.

    (spec 5 401.empty; spec 5, spec 7)
    """
    platform.control("switches", {"emptyUnauthorized": [name]})
    platform.key = "nobody"
    answer = answered(platform, name)
    assert (401, b"") == (answer.status_code, answer.content)


def test_revoked_key_opens_nothing(platform):
    """A revoked key is refused at once (spec 5 401)."""
    key = issued(platform)
    before = ping(platform, key)
    platform.control("keys", {"revoke": key})
    assert [200, 401] == [before, ping(platform, key)]


def test_expired_key_opens_nothing(platform):
    """A key expires by the sandbox's clock (spec 5 401)."""
    key = issued(platform, expiresInSeconds=60)
    before = ping(platform, key)
    platform.control("clock", {"advanceSeconds": 61})
    assert [200, 401] == [before, ping(platform, key)]


def test_rotated_key_has_the_same_rights(platform):
    """The old one opens nothing any more (spec 5 operations)."""
    old = issued(platform, permissions=["courses.edit"])
    new = platform.control("keys", {"rotate": old})
    assert ([401, 200], ["courses.edit"]) == (
        [ping(platform, old), ping(platform, new["key"])],
        new["permissions"],
    )


def test_rotation_can_overlap(platform):
    """For a while both open, so that nobody is locked out (spec 5 operations)."""
    old = issued(platform)
    platform.control("keys", {"rotate": old, "overlapSeconds": 60})
    before = ping(platform, old)
    platform.control("clock", {"advanceSeconds": 61})
    assert [200, 401] == [before, ping(platform, old)]


def test_company_key_is_rotated(platform):
    """Tokens are signed with the new one from then on (spec 5)."""
    old = platform.ready["apiKey"]
    new = platform.control("keys", {"rotate": old})["key"]
    assert [401, 200] == [ping(platform, old), ping(platform, new)]
    assert [401, 200] == [by_jwt(platform, jwt({}, key)) for key in (old, new)]


def test_revoked_company_key_signs_nothing(platform):
    """A jwt signed with a revoked key is refused (spec 5)."""
    platform.control("keys", {"revoke": platform.ready["apiKey"]})
    assert 401 == by_jwt(platform, jwt({}, platform.ready["apiKey"]))


@pytest.mark.parametrize("where", ["query", "body"])
def test_revoked_secret_key_opens_nothing(platform, where):
    """`secretKey` is a key like the one of the header (spec 5)."""
    key = issued(platform)
    platform.control("keys", {"revoke": key})
    sent = {"params" if where == "query" else "json": {"secretKey": key}}
    assert 401 == platform.http.post(ROUTES["course.create"].path, **sent).status_code


@pytest.mark.parametrize("where", ["params", "json"])
def test_header_goes_before_secret_key(platform, where):
    """A key of the header that opens nothing is not excused by another (spec 5 401, secretKey)."""
    sent = {where: {"secretKey": platform.key}}
    header = {"Authorization": "Bearer nobody"}
    path = ROUTES["course.create"].path
    statuses = [
        platform.http.post(path, headers=headers, **sent).status_code for headers in ({}, header)
    ]
    assert [400, 401] == statuses


def test_secret_key_may_be_a_permissioned_key(platform):
    """Its permissions are checked all the same (spec 5 secretKey, permissions)."""
    sent = {"secretKey": issued(platform, permissions=["courses.edit"]), "courseAttributes": {}}
    statuses = [
        platform.http.request(ROUTES[name].method, ROUTES[name].path, json=sent).status_code
        for name in ("course.create", "course.update")
    ]
    assert [403, 400] == statuses


def test_unsigned_jwt_is_refused(platform):
    """A jwt with `alg` none is refused as unsigned (spec 5 jwt)."""
    assert 401 == by_jwt(platform, jwt({}, "x", alg="none"))


@pytest.mark.parametrize(
    "claims", [{"exp": 1}, {"exp": "never"}, {"exp": True}, {"nbf": 9e12}, [], "x"]
)
def test_jwt_out_of_time_or_form_is_refused(platform, claims):
    """A jwt that is expired or malformed is refused, even if the company signed it (spec 5 jwt)."""
    assert 401 == by_jwt(platform, jwt(claims, platform.key))


@pytest.mark.parametrize("text", ["", "x", "a.b", "a.b.c", "é.é.é", "a.b.c.d", ".."])
def test_malformed_jwt_is_refused(platform, text):
    """A malformed jwt is a 401, whatever it holds (spec 5)."""
    assert 401 == by_jwt(platform, text)


def test_jwt_expires_by_the_clock(platform):
    """A signed link stops opening when its time is over (spec 5)."""
    now = datetime.fromisoformat(platform.control("clock")["now"]).timestamp()
    text = jwt({"exp": now + 60}, platform.key)
    before = by_jwt(platform, text)
    platform.control("clock", {"advanceSeconds": 61})
    assert [200, 401] == [before, by_jwt(platform, text)]


def test_production_keys_have_a_prefix_of_their_own(platform):
    """The prefix tells what a key is for; rotation keeps it (spec 5)."""
    key = issued(platform, use="production")
    rotated = platform.control("keys", {"rotate": key})["key"]
    assert ("production-", "production-", "sandbox-") == (
        key[:11],
        rotated[:11],
        issued(platform)[:8],
    )


def test_client_credentials_give_a_token(platform):
    """Server to server, with id and secret in the form (spec 5 oauth)."""
    answer = token(platform)
    told = answer.json()
    assert (200, "Bearer", 3600, "no-store") == (
        answer.status_code,
        told["token_type"],
        told["expires_in"],
        answer.headers["cache-control"],
    )
    assert 200 == ping(platform, told["access_token"])


def test_client_credentials_in_the_header(platform):
    """Client credentials are accepted by basic authentication (spec 5 oauth)."""
    answer = platform.http.post(
        TOKEN, data={"grant_type": "client_credentials"}, auth=tuple(DEMO.values())
    )
    assert 200 == ping(platform, answer.json()["access_token"])


def test_token_expires(platform):
    """An access token expires by the sandbox's clock (spec 5)."""
    key = token(platform).json()["access_token"]
    platform.control("clock", {"advanceSeconds": 3601})
    assert [401, 200] == [ping(platform, key), token(platform).status_code]


@pytest.mark.parametrize(
    ("fields", "status", "error"),
    [
        ({"client_secret": "x"}, 401, "invalid_client"),
        ({"client_id": "é"}, 401, "invalid_client"),
        ({"grant_type": "authorization_code"}, 400, "unsupported_grant_type"),
        ({"grant_type": ""}, 400, "unsupported_grant_type"),
    ],
)
def test_token_is_refused(platform, fields, status, error):
    """In the words of OAuth; acting for learners has no shown address (spec 5 oauth code)."""
    answer = token(platform, **fields)
    assert (status, error) == (answer.status_code, answer.json()["error"])


def test_oauth_must_be_enabled(platform):
    """OAuth is refused unless its switch is on (spec 5)."""
    platform.control("switches", {"oauthEnabled": False})
    assert "unauthorized_client" == token(platform).json()["error"]


def test_token_has_the_rights_of_its_client(platform):
    """And less where `scope` asks for less, never more (spec 5 oauth, 403)."""
    rights = ["courses.edit", "courses.new"]
    pair = platform.control("keys", {"oauthClient": True, "permissions": rights})
    ids = {"client_id": pair["clientId"], "client_secret": pair["clientSecret"]}
    platform.key = token(platform, **ids, scope="courses.edit").json()["access_token"]
    assert 403 == platform.create().status_code
    assert "invalid_scope" == token(platform, **ids, scope="users.edit").json()["error"]


def test_token_secrets_are_not_logged(platform):
    """The log names the request and not what it held (spec 5)."""
    token(platform)
    (entry,) = platform.control("requests", route="oauth.token", body="true")["requests"]
    assert (200, "") == (entry["status"], entry["body"])


def test_tokens_are_asked_for_with_post(platform):
    """Any other method than POST for a token is a 405 (spec 7 405)."""
    assert 405 == platform.http.get(TOKEN).status_code


def test_keys_are_shown(platform):
    """The list of keys includes revoked and expired keys (spec 5)."""
    key = issued(platform, permissions=["users.edit"], expiresInSeconds=5)
    platform.control("keys", {"revoke": key})
    shown = {one["key"]: one for one in platform.control("keys")["keys"]}
    assert (True, ["users.edit"], "company") == (
        shown[key]["revoked"],
        shown[key]["permissions"],
        shown[platform.ready["apiKey"]]["kind"],
    )


@pytest.mark.parametrize(
    "body", [{"revoke": "x"}, {"rotate": "x"}, {"use": "x"}, {"expiresInSeconds": -1}]
)
def test_key_orders_that_make_no_sense(platform, body):
    """Meaningless orders about keys are refused with a message (spec 5)."""
    response = platform.http.post("/_sandbox/keys", json=body)
    assert (400, 1) == (response.status_code, len(response.json()["errors"]))


def test_revocation_survives_a_restart(tmp_path):
    """Revocations, rotations and tokens survive a restart (spec 5)."""
    with run_sandbox(tmp_path) as ready, patient_http.client(base_url=ready["baseUrl"]) as http:
        token = http.post(TOKEN, data=GRANT).json()["access_token"]
        new = http.post("/_sandbox/keys", json={"rotate": ready["apiKey"]}).json()["key"]
    with run_sandbox(tmp_path) as again, patient_http.client(base_url=again["baseUrl"]) as http:
        statuses = [
            http.get(PING, headers={"Authorization": f"Bearer {key}"}).status_code
            for key in (ready["apiKey"], new, token)
        ]
    assert ([401, 200, 200], new) == (statuses, again["apiKey"])
