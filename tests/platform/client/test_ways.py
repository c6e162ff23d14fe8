"""Each way in which a request says who it is from opens each route (spec 5)."""

from collections.abc import Iterator
from functools import cache

import pytest

from lmssync.platform.client import OAuthClient, Outcome, Writer
from lmssync.platform.client.platform_reader import fill_path
from lmssync.vocabulary.routes import ROUTES, Capability, Route
from tests.served_catalog import Platform, serving

NOBODY = "00000000-0000-4000-8000-000000000000"
PARAMS = dict.fromkeys(("id", "contentId", "lessonId", "kind", "slug", "type"), NOBODY)
SHOWN = [route for route in ROUTES.values() if route.capability is not Capability.UNSHOWN]


@pytest.fixture(scope="module")
def platform() -> Iterator[Platform]:
    with serving(profile="extended") as platform:
        yield platform


def statuses(writer: Writer) -> dict[str, int | None]:
    """How each route answers a request about nothing."""
    with writer:
        return {route.name: _asked(writer, route).status for route in SHOWN}


def _asked(writer: Writer, route: Route) -> Outcome:
    sent = {} if route.reads or route.method == "DELETE" else {"body": {}}
    return writer._exchange(route, fill_path(route, PARAMS), **sent)


@cache
def by_key(base_url: str, key: str) -> dict[str, int | None]:
    return statuses(Writer(base_url, key))


def test_a_key_opens_every_route(platform: Platform):
    """The header is enough for each route that has a shape: none needs the key elsewhere."""
    refused = {n: s for n, s in by_key(platform.base_url, platform.key).items() if s in (401, 403)}
    assert {} == refused


def test_a_token_opens_what_a_key_opens(platform: Platform):
    """An access token is taken wherever a key is, with the same answers."""
    url = f"{platform.base_url}/oauth/token"
    client = OAuthClient(url, "sandbox-demo-client", "sandbox-demo-secret")
    assert by_key(platform.base_url, platform.key) == statuses(Writer(platform.base_url, client))
