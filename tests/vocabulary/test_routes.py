"""The route table and the sets of words, as the specification has them."""

import re

import pytest

from lmssync.vocabulary.enums import (
    FILLED_TOPICS,
    PERCENT_CRITERIA,
    SHELL_TOPICS,
    TOPIC_CRITERIA,
    CourseKind,
    CriterionType,
    EventKind,
    RefusedKind,
    TopicType,
)
from lmssync.vocabulary.limits import TIERS, Tier
from lmssync.vocabulary.routes import ROUTES, Capability, Repeat, Route

EVERY = pytest.mark.parametrize("route", ROUTES.values(), ids=list(ROUTES))


def test_no_two_routes_are_the_same():
    """A request means one thing."""
    shapes = [(r.method, re.sub(r"\{.*?\}", "{}", r.path)) for r in ROUTES.values()]
    assert len(ROUTES) == len(set(shapes))


@EVERY
def test_reads_may_be_repeated(route: Route):
    """And only they are called reads."""
    assert (route.method == "GET") == route.reads
    assert route.repeat is Repeat.SAFE or not route.reads


@EVERY
def test_paths_lie_under_the_two_versions(route: Route):
    """Most under v2, some under v3 (spec 9)."""
    assert route.path.startswith(("/incoming/v2/", "/v3/"))


@pytest.mark.parametrize("name", ["course.create", "license.create", "path.create", "client.clone"])
def test_creates_are_never_repeated(name: str):
    """There is no idempotency key (O17)."""
    assert Repeat.NEVER is ROUTES[name].repeat


@pytest.mark.parametrize(
    ("name", "permission"),
    [
        ("course.create", "courses.new"),
        ("course.update", "courses.edit"),
        ("criteria.update", "courses.edit"),
        ("client.clone", "clients.edit"),
        ("sublicense.assign", "users.edit"),
        ("path.create", "settings.alternatePurchasePaths"),
        ("path.list", "settings.alternatePurchasePaths"),
        ("ping", None),
    ],
)
def test_permissions(name: str, permission: str | None):
    """As each route names them (spec 4)."""
    assert permission == ROUTES[name].permission


@pytest.mark.parametrize(
    ("name", "limit"),
    [("course.create", 100), ("course.update", 100), ("sublicense.assign", 5_000)],
)
def test_batches(name: str, limit: int):
    """Entries in one request (spec 4, 8; O5)."""
    batch = ROUTES[name].batch
    assert batch
    assert limit == batch.limit


@pytest.mark.parametrize(("name", "requests"), [("path.create", 60), ("asset.list", 200)])
def test_route_limits(name: str, requests: int):
    """By instance and minute (spec 8)."""
    (window,) = ROUTES[name].windows
    assert (requests, 60) == (window.requests, window.seconds)


def test_every_tier_has_a_window():
    """Seven of them (spec 8)."""
    assert set(Tier) == TIERS.keys()
    assert (20, 250) == (Tier.USER.window.requests, Tier.USER.window.increased)


def test_routes_without_a_shape_are_never_sent():
    """They are known, so that they are not guessed at."""
    unshown = {name for name, r in ROUTES.items() if r.capability is Capability.UNSHOWN}
    assert {"user.update", "content.xlf"} == unshown


def test_the_sets_of_words():
    """As many as the specification lists."""
    assert (5, 5, 32, 13, 8) == (
        len(CourseKind),
        len(RefusedKind),
        len(TopicType),
        len(CriterionType),
        len(EventKind),
    )


def test_topics_are_filled_or_shells_or_placeholders():
    """Never two of them (spec 2.2)."""
    assert (8, 7) == (len(FILLED_TOPICS), len(SHELL_TOPICS))
    assert FILLED_TOPICS.isdisjoint(SHELL_TOPICS)


def test_criteria_hold_a_share_a_time_or_a_topic():
    """Three, one and nine (spec 2.3)."""
    assert (3, 9) == (len(PERCENT_CRITERIA), len(TOPIC_CRITERIA))
