"""Throttling: tiers, route limits, headers, account figures, by the virtual clock (spec 8)."""

import contextlib
import socket
import time

import pytest

from lmssync.sandbox.http_messages import Refusal
from lmssync.sandbox.request_gateway import Throttle, account_limits, limits_of
from lmssync.sandbox.sandbox_documents import Clock
from lmssync.vocabulary.limits import LimitScope, Tier
from lmssync.vocabulary.routes import ROUTES, Repeat, Route

THREE = ["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"]
TIERS = [
    (Tier.USER, 20, 250, 60),
    (Tier.EVENT, 60, 200, 60),
    (Tier.MEETING, 40, 500, 60),
    (Tier.SSO, 500, 1000, 60),
    (Tier.REDEMPTION_CODES, 30, 30, 300),
    (Tier.PUBLIC_CERTIFICATE, 30, 30, 300),
    (Tier.CERTIFICATE_SHARE_TOKEN, 10, 10, 300),
]
NOW = 1_000_000.0


@pytest.fixture(autouse=True)
def _still(monkeypatch):
    """Time passes by orders alone: no window ends because a machine is slow."""
    now = time.time()
    monkeypatch.setattr(Clock, "read_time", lambda self: now + self.offset)


def limits(tier, *, increased=False, overrides=()):
    route = Route("any", "GET", "/any", Repeat.SAFE, tier=tier)
    return list(
        limits_of(route, increased=increased, overrides=dict(overrides), user_tier_on_reads=False)
    )


def taken(throttle, counted, *, peer="a", now=NOW):
    """How many requests pass before the first is refused."""
    number = 0
    while True:
        try:
            throttle.take_request(counted, peer=peer, now=now)
        except Refusal:
            return number
        number += 1


def poll(platform, kind="courseAction"):
    return platform.call("event.list", kind=kind)


def told(response):
    """The rate limit headers of an answer."""
    return sorted(name for name in response.headers if name.startswith("x-ratelimit"))


@pytest.mark.parametrize(("tier", "default", "increased", "seconds"), TIERS)
def test_figures_of_a_tier(tier, default, increased, seconds):
    """Default, increased and window of every tier; nothing above that
    (spec 8 tiers, tiers.user, tiers.event, tiers.increased)."""
    throttle = Throttle()
    assert default == taken(throttle, limits(tier))
    assert 0 == taken(throttle, limits(tier), now=NOW + seconds - 0.001)
    assert increased == taken(throttle, limits(tier, increased=True), now=NOW + seconds)


@pytest.mark.parametrize(("tier", "default", "_increased", "_seconds"), TIERS)
def test_scope_of_a_tier(tier, default, _increased, _seconds):
    """The company's tiers count everybody, the public ones each address (spec 8 tiers)."""
    throttle = Throttle()
    taken(throttle, limits(tier), peer="a")
    other = taken(throttle, limits(tier), peer="b")
    assert (default if tier.window.scope is LimitScope.REQUEST_IP else 0) == other


def test_tiers_are_independent():
    """A full tier leaves the others as they are (spec 8 tiers)."""
    throttle = Throttle()
    taken(throttle, limits(Tier.EVENT))
    assert 20 == taken(throttle, limits(Tier.USER))


def test_refused_requests_do_not_count():
    """Refused requests do not extend the window (spec 8 tiers)."""
    throttle = Throttle()
    taken(throttle, limits(Tier.USER))
    taken(throttle, limits(Tier.USER), now=NOW + 59)
    assert 20 == taken(throttle, limits(Tier.USER), now=NOW + 60)


def test_event_routes_have_their_tier(platform):
    """Sixty polls a minute over all eight kinds together; the clock opens the window
    (spec 8 tiers.event; spec 6 tier)."""
    answers = [poll(platform, "courseAction" if n % 2 else "quizAttempt") for n in range(61)]
    assert [200, 429] == [answers[59].status_code, answers[60].status_code]
    seconds = int(answers[60].headers["retry-after"])
    platform.control("clock", {"advanceSeconds": seconds})
    assert 200 == poll(platform).status_code


def test_headers_of_a_throttled_route(platform):
    """Limit, what is left, and the end of the window in Unix seconds (spec 8 headers)."""
    first, second = poll(platform).headers, poll(platform).headers
    assert ["60", "59", "58"] == [
        first["x-ratelimit-limit"],
        first["x-ratelimit-remaining"],
        second["x-ratelimit-remaining"],
    ]
    assert first["x-ratelimit-reset"] == second["x-ratelimit-reset"]
    assert first["x-ratelimit-reset"].isdigit()


def test_refusals_of_a_throttled_route_have_headers(platform):
    """A 404 counts and has the headers too (spec 8 headers)."""
    assert THREE == told(poll(platform, "nothing"))


def test_429_has_two_headers_and_words(platform):
    """Only X-RateLimit-Reset and Retry-After; envelope A with the seconds
    (spec 8 headers.429; spec 7 429; O43)."""
    for _ in range(60):
        poll(platform)
    response = poll(platform)
    seconds = int(response.headers["retry-after"])
    assert (["x-ratelimit-reset"], True) == (told(response), 1 <= seconds <= 60)
    assert {"errors": [f"Rate limit exceeded, retry in {seconds} seconds"]} == response.json()


@pytest.mark.parametrize("name", ["ping", "tag.list", "course.create", "course.update"])
def test_most_routes_are_not_throttled(platform, name):
    """Course create and update and most reads tell no limit (spec 8 free)."""
    assert [] == told(platform.call(name))


def test_increased_limits_by_feature(platform):
    """increasedAPIRateLimits on: 200 polls a minute (spec 8 tiers.increased)."""
    platform.control("features", {"increasedAPIRateLimits": True})
    assert "200" == poll(platform).headers["x-ratelimit-limit"]


def test_custom_override_of_a_tier(platform):
    """A custom override holds with or without the flag, until it is taken away
    (spec 8 tiers.increased)."""
    platform.control("limits", {"eventAPI": 3})
    statuses = [poll(platform).status_code for _ in range(4)]
    platform.control("limits", {"eventAPI": None})
    assert ([200, 200, 200, 429], 200) == (statuses, poll(platform).status_code)


@pytest.mark.parametrize("body", [{"eventAPI": 0}, {"eventAPI": "many"}, {"colour": 1}])
def test_bad_overrides_are_refused(platform, body):
    """A bad override is refused and changes nothing (spec 8)."""
    assert 400 == platform.http.post("/_sandbox/limits", json=body).status_code
    assert {None} == set(platform.control("limits").values())


def test_asset_list_has_a_limit_of_its_own(platform):
    """200 requests per 60 s per instance (spec 8 route.assets)."""
    answers = [platform.call("asset.list").status_code for _ in range(201)]
    assert [200, 429] == answers[199:]


@pytest.mark.parametrize(("on", "limit"), [(False, None), (True, "20")])
def test_user_tier_on_reads_by_switch(platform, on, limit):
    """userTierOnReads: user reads count against the user tier (O36; spec 8 tiers.user)."""
    platform.control("switches", {"userTierOnReads": on})
    user = platform.dump("users")[0]["id"]
    assert limit == platform.call("user.read", id=user).headers.get("x-ratelimit-limit")


@pytest.mark.parametrize(("figures", "limit"), [("standard", "60"), ("enterprise", "300")])
def test_account_figures_count_every_route(platform, figures, limit):
    """Once on, they hold for routes that no tier throttles (spec 8 account)."""
    platform.control("switches", {"accountFigures": figures})
    assert limit == platform.call("ping").headers["x-ratelimit-limit"]


@pytest.mark.parametrize(
    ("figures", "minute", "hour"), [("standard", 60, 1000), ("enterprise", 300, 10_000)]
)
def test_account_figures(figures, minute, hour):
    """So many a minute, and so many an hour (spec 8 account)."""
    throttle, counted = Throttle(), list(account_limits(figures))
    passed = [taken(throttle, counted, now=NOW + 60 * number) for number in range(59)]
    assert (minute, hour) == (passed[0], sum(passed))
    assert minute == taken(throttle, counted, now=NOW + 3600)


@pytest.mark.parametrize(
    ("path", "status"), [("/incoming/v2/ping", 401), ("/incoming/v2/nothing", 404)]
)
def test_account_figures_are_told_on_all_answers(platform, path, status):
    """All responses carry the three headers, refusals too; they count nothing
    (spec 8 account.headers)."""
    platform.control("switches", {"accountFigures": "standard"})
    response = platform.http.get(path)
    assert (status, THREE) == (response.status_code, told(response))
    assert "60" == response.headers["x-ratelimit-remaining"]


def test_tightest_limit_is_told(platform):
    """Where tier and account both count, the headers tell the one with less left
    (spec 8 account; not shown)."""
    platform.control("switches", {"accountFigures": "enterprise"})
    headers = poll(platform).headers
    assert ("60", "59") == (headers["x-ratelimit-limit"], headers["x-ratelimit-remaining"])


def test_connections_of_the_account(platform):
    """While five requests are being answered a sixth is refused, and not for long
    (spec 8 account.connections)."""
    platform.control("switches", {"accountFigures": "standard"})
    with contextlib.ExitStack() as open_:
        begun = [open_.enter_context(unfinished(platform)) for _ in range(5)]
        while len(platform.control("requests", route="course.create")["requests"]) < len(begun):
            pass
        sixth = platform.call("ping")
        assert (429, "1") == (sixth.status_code, sixth.headers["retry-after"])
        for connection in begun:
            connection.sendall(b"}")
            assert b" 400 " in connection.recv(1000)
    assert 200 == platform.call("ping").status_code


def unfinished(platform):
    """A connection on which the last byte of a request is still to come."""
    url = platform.http.base_url
    connection = socket.create_connection((url.host, url.port), timeout=300)
    connection.sendall(
        f"POST {ROUTES['course.create'].path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 2\r\n"
        f"Content-Type: application/json\r\nAuthorization: Bearer {platform.key}\r\n\r\n"
        "{".encode()
    )
    return connection
