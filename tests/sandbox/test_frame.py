"""The frame: keys, permissions, envelopes, bodies, paths (spec 5, 7)."""

import pytest

from lmssync.sandbox.http_messages import BODY_MOST
from lmssync.sandbox.route_bindings import HANDLERS
from lmssync.vocabulary.routes import ROUTES, Capability

from .school import jwt

CREATE = ROUTES["course.create"].path
PING = ROUTES["ping"].path


def post(platform, content, **headers):
    headers = {"Authorization": f"Bearer {platform.key}", "Content-Type": "application/json"} | {
        name.replace("_", "-"): value for name, value in headers.items()
    }
    return platform.http.post(CREATE, content=content, headers=headers)


def test_every_core_route_is_bound():
    """Every core route is served; nothing is bound that is no route (spec 1; spec 4)."""
    core = {name for name, route in ROUTES.items() if route.capability is Capability.CORE}
    assert core <= set(HANDLERS)
    assert set(HANDLERS) <= set(ROUTES)


@pytest.mark.parametrize("header", ["Bearer {}", "bearer {}", "Token {} more"])
def test_key_is_the_second_word(platform, header):
    """The scheme of the header is ignored (spec 5 bearer)."""
    headers = {"Authorization": header.format(platform.key)}
    assert {"valid": True} == platform.http.get(PING, headers=headers).json()


@pytest.mark.parametrize(
    "headers", [{}, {"Authorization": "Bearer"}, {"Authorization": "Bearer x"}]
)
def test_no_key_is_401_in_envelope_c(platform, headers):
    """Missing, malformed and unknown keys (spec 5 401; spec 7 C)."""
    response = platform.http.get(PING, headers=headers)
    assert (401, "unauthorized") == (response.status_code, response.json()["error"])


def test_secret_key_in_query_and_body(platform):
    """`secretKey` replaces the header and is no field of the body (spec 5 secretKey)."""
    in_query = platform.http.get(PING, params={"secretKey": platform.key})
    entry = {"title": "T", "kind": "courseGroup"}
    body = {"secretKey": platform.key, "courseAttributes": [entry]}
    assert [200, 200] == [in_query.status_code, platform.http.post(CREATE, json=body).status_code]


@pytest.mark.parametrize(
    ("secret", "claims", "status"),
    [("sandbox-demo-key", {}, 200), ("other", {}, 401), ("sandbox-demo-key", {"exp": 1}, 401)],
)
def test_signed_jwt(platform, secret, claims, status):
    """A jwt signed with the company's key opens, another or an old one does not (spec 5 jwt)."""
    response = platform.http.get(PING, params={"jwt": jwt(claims, secret)})
    assert status == response.status_code


def test_permissions_are_checked(platform):
    """A key without the route's permission gets 403 in the envelope of the route.

    (spec 5 permissions, 403; spec 7 D.403, clone.403, paths.auth)
    """
    platform.key = platform.control("keys", {"permissions": ["courses.edit"]})["key"]
    create = platform.create()
    path = platform.call("path.create", {}, contentId="x")
    assert [403, ["errors"]] == [create.status_code, list(create.json())]
    assert (403, "FORBIDDEN", False) == (
        path.status_code,
        path.json()["code"],
        "metadata" in path.json(),
    )
    assert 400 == platform.update().status_code


def test_unknown_path_is_404(platform):
    """An unknown path is a 404 in the general envelope, in D under /v3 (spec 7 404)."""
    general, v3 = (platform.http.get(path) for path in ("/incoming/v2/nothing", "/v3/nothing"))
    assert (404, "not_found") == (general.status_code, general.json()["error"])
    assert (404, "RESOURCE_NOT_FOUND") == (v3.status_code, v3.json()["code"])


@pytest.mark.parametrize(
    "content",
    [
        b"{",
        b"[]",
        b"7",
        b"null",
        b"\xff\xfe",
        b'{"a": NaN}',
        b'{"a": "\\ud800"}',
        b'{"courseAttributes": "\\u0000"}',
        b'{"a\\u0000": 1}',
        b'{"a":' * 2000 + b"1" + b"}" * 2000,
        b'{"courseAttributes":' + b"[" * 600 + b"]" * 600 + b"}",
    ],
)
def test_bodies_that_are_no_object_are_400(platform, content):
    """Malformed JSON, other types, NUL, lone surrogates, deep nesting.

    (spec 4 json; spec 7 400, A)
    """
    response = post(platform, content)
    assert (400, ["errors"]) == (response.status_code, list(response.json()))


def test_literal_backslash_u0000_is_text(platform):
    """A text about NUL escapes is accepted."""
    assert 200 == platform.create(description="write \\u0000 here").status_code


def test_content_type_must_be_json(platform):
    """415 for another type; parameters do not matter (spec 4 json)."""
    other = post(platform, b"{}", Content_Type="text/plain")
    right = post(platform, b"{}", Content_Type="application/json; charset=utf-8")
    assert [415, 400] == [other.status_code, right.status_code]


def test_large_bodies_are_413(platform):
    """A large body is refused by its declared length and by its real length."""
    part = b" " * (BODY_MOST // 8)
    told = post(platform, part * 8 + b" ")
    untold = post(platform, iter([*[part] * 8, b" "]))
    assert [413, 413] == [told.status_code, untold.status_code]


def test_unknown_caller_learns_nothing_of_its_body(platform):
    """A broken body without a key is 401 (spec 5 401)."""
    assert 401 == post(platform, b"{", Authorization="Bearer x").status_code


def test_account_figures_by_switch(platform):
    """The account-wide figures count every route once they are switched on (spec 8 account)."""
    platform.control("switches", {"accountFigures": "standard"})
    answers = [platform.call("ping") for _ in range(61)]
    assert (200, 429) == (answers[59].status_code, answers[60].status_code)
