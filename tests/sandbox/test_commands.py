"""Orders that cannot be: refused in words, with what is allowed, and nothing has changed."""

import pytest

from lmssync.sandbox.faults import FAULTS_MOST

from .cloning import ask

STATUS = {"action": "status"}
HUGE = 1e18
UUID = "7d1c0000-0000-4000-8000-00000000ffff"


def refused(platform, order, body):
    response = platform.http.post(f"/_sandbox/{order}", json=body)
    assert 400 == response.status_code, response.text
    (error,) = response.json()["errors"]
    return error


@pytest.mark.parametrize(
    ("order", "body", "said"),
    [
        ("faults", {**STATUS, "route": "course.crate"}, "course.create"),
        ("faults", {**STATUS, "method": "FETCH"}, "GET, "),
        ("faults", {**STATUS, "path": 5}, "must be text"),
        ("faults", {**STATUS, "path": "("}, "unclosed group"),
        ("faults", {**STATUS, "path": "(?=a)"}, "look-around"),
        ("faults", {**STATUS, "path": "(((a{999}){999}){999})"}, "exceeds size limit"),
        ("faults", {**STATUS, "path": "x" * 300}, "the most is 200"),
        ("faults", {**STATUS, "colour": 1}, "not a field here"),
        ("faults", {**STATUS, "nth": 1.5}, "whole number"),
        ("faults", {**STATUS, "times": HUGE}, "from 1 to"),
        ("faults", {**STATUS, "probability": 2}, "from 0 to 1"),
        ("faults", {**STATUS, "seconds": HUGE}, "from 0 to 600"),
        ("faults", {**STATUS, "when": "never"}, "before, after"),
        ("faults", {"route": "ping"}, "action: is required"),
        ("faults", {"faults": [], "colour": 1}, "not a field here"),
        ("faults", {"faults": [STATUS, 5]}, "faults[1]: is 5"),
        ("faults", {"faults": [STATUS] * (FAULTS_MOST + 1)}, "at most 1000"),
        ("switches", {"jobSeconds": HUGE}, "from 0 to 1,000,000,000"),
        ("switches", {"readLagSeconds": HUGE}, "from 0 to 1,000,000,000"),
        ("switches", {"jobSeconds": True}, "from 0 to"),
        ("switches", {"pageSize": 10**9}, "from 1 to 100,000"),
        ("switches", {"emptyUnauthorized": ["pong"]}, "ping"),
        ("switches", {"emptyUnauthorized": [[]]}, "a list of"),
        ("switches", {"eventsWithoutId": ["x"]}, "courseAction"),
        ("clock", {"advanceSeconds": HUGE}, "from 0 to"),
        ("clock", {"advanceSeconds": 1, "colour": 1}, "not a field here"),
        ("clock", {}, "advanceSeconds: is required"),
        ("school", {"colour": 1}, "not a field here"),
        ("attempts", {"attempts": [], "colour": 1}, "not a field here"),
        ("features", {"colour": True}, "not a field here"),
        ("limits", {"colour": 1}, "not a field here"),
        ("keys", {"colour": 1}, "not a field here"),
        ("reset", {"colour": 1}, "not a field here"),
        ("learners", {"colour": 1}, "not a field here"),
        ("edit", {"colour": 1}, "not a field here"),
        ("reset", {"now": "tomorrow"}, "now: is"),
        ("steps", {"colour": 1}, "not a field here"),
        ("steps", {"userId": UUID, "does": "flies", "id": UUID}, "one of gets, enrolls"),
        ("steps", {"userId": UUID, "does": "views", "id": UUID}, "not a user of this company"),
    ],
)
def test_they_are_refused(platform, order, body, said):
    """Orders with unknown names or impossible numbers are refused."""
    assert said in refused(platform, order, body)


def test_none_of_several_is_ordered(platform):
    """A list with one mistake in it orders nothing, and forgets nothing that was ordered."""
    platform.control("faults", {**STATUS, "route": "ping", "times": 1})
    refused(platform, "faults", {"seed": 1, "faults": [STATUS, {"action": "explode"}]})
    (fault,) = platform.control("faults")["faults"]
    assert "ping" == fault["route"]


@pytest.mark.parametrize("route", ["ping", "course.create"])
def test_an_expression_holds_nothing_up(platform, route):
    """`(a+)+$` over a long path is fast in a fault and in the log of requests."""
    platform.control("faults", {**STATUS, "path": "(a+)+$"})
    platform.call(route)
    platform.http.get("/" + "a" * 1_900 + "!")
    assert [] == platform.control("requests", path="(/?a+)+$")["requests"]


@pytest.mark.parametrize(
    "query",
    [
        "route=course.crate",
        "method=get",
        "colour=1",
        "limit=x",
        "limit=-1",
        "since=x",
        "limit=" + "9" * 5000,
        "path=(",
    ],
)
def test_what_cannot_be_looked_for(platform, query):
    """The log of requests explains what is wrong with a bad query."""
    response = platform.http.get(f"/_sandbox/requests?{query}")
    assert 400 == response.status_code
    assert response.json()["errors"][0].startswith(query.partition("=")[0])


@pytest.mark.parametrize("order", ["clock", "dump", "faults", "openapi.json", "notifications"])
def test_what_cannot_be_asked(platform, order):
    """An unknown parameter of an order is reported and not ignored."""
    response = platform.http.get(f"/_sandbox/{order}?colour=1")
    assert platform.errors(response)[0].startswith("colour: no such parameter; ")


def test_the_clock_stays_where_dates_are(platform):
    """However often it is moved: what ends later still has a date to end on."""
    most = {"advanceSeconds": 3.2e9}
    statuses = [platform.http.post("/_sandbox/clock", json=most).status_code for _ in range(40)]
    assert {200, 400} == set(statuses)
    platform.control("switches", {"jobSeconds": 1e9})
    assert 200 == ask(platform, name="Late", slug="late").status_code
