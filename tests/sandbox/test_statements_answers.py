"""What holds for the answers of all routes at once."""

import re

import pytest

from lmssync.sandbox.route_bindings import HANDLERS
from lmssync.vocabulary.routes import ROUTES, Capability

from .known import of_path

ISO = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")
MOMENT = re.compile(r"(At|Date|timestamp)$")


def moments(value, key=""):
    """Every value in an answer whose name says that it is a moment."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from moments(inner, name)
    elif isinstance(value, list):
        for inner in value:
            yield from moments(inner, key)
    elif value is not None and MOMENT.search(key):
        yield value


@pytest.mark.parametrize("name", sorted(name for name in HANDLERS if ROUTES[name].reads))
def test_moments_are_iso(platform, name):
    """Whatever an answer calls a moment is ISO 8601 (spec 4 moments, json)."""
    response = platform.call(name, **of_path(name, platform))
    assert (200, "application/json") == (response.status_code, response.headers["content-type"])
    assert [] == [found for found in moments(response.json()) if not ISO.fullmatch(found)]


@pytest.mark.parametrize("name", sorted(name for name in HANDLERS if ROUTES[name].reads))
def test_payload_is_wrapped_on_v3_alone(platform, name):
    """v3 has `data` and nothing beside it, v2 has none (spec 4 data; spec 9 data)."""
    body = platform.call(name, **of_path(name, platform)).json()
    assert ROUTES[name].path.startswith("/v3/") == (set(body) == {"data"})


def test_version_is_part_of_the_path():
    """Every route of the specification stands under one of the two (spec 9 paths)."""
    core = [route.path for route in ROUTES.values() if route.capability is Capability.CORE]
    assert [] == [path for path in core if not path.startswith(("/incoming/v2/", "/v3/"))]


def test_no_version_no_route(platform):
    """A path without a version is unknown (spec 9 paths)."""
    key = {"Authorization": f"Bearer {platform.key}"}
    statuses = {
        platform.http.get(path, headers=key).status_code
        for path in ("/ping", "/v1/ping", "/v2/ping")
    }
    assert {404} == statuses


def test_ping(platform):
    """A key that opens is told that it is valid (spec 4 ping)."""
    assert {"valid": True} == platform.call("ping").json()


def test_key_has_the_permissions_it_was_issued_with(platform):
    """An administrator, here the control plane, gives them out (spec 5 issued)."""
    made = platform.control("keys", {"permissions": ["courses.new"]})
    platform.key = made["key"]
    clone = platform.call("client.clone", {"name": "x"}, id="x")
    assert (200, 403) == (platform.create().status_code, clone.status_code)
