"""The control plane: reset, dump, requests, clock, faults, keys, features, switches."""

import json
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from email.utils import parsedate_to_datetime

import httpx
import pytest

from lmssync.vocabulary.routes import ROUTES

from .. import patient_http

CREATE = ROUTES["course.create"].path
ENTRY = {"title": "T", "kind": "courseGroup"}


def fault(platform, **order):
    platform.control("faults", order)


def test_reset_forgets_and_changes_the_ids(platform):
    """A new sandbox holds the demo company, and no id of the old one leads anywhere."""
    course = platform.course()
    platform.control("reset", {})
    assert 404 == platform.call("course.read", id=course).status_code
    assert [] == platform.dump("courses")


def test_reset_with_an_id_seed_repeats_the_ids(platform):
    """The same seed gives the same ids."""
    ids = []
    for _ in range(2):
        platform.control("reset", {"idSeed": 7})
        ids.append(platform.course())
    assert ids[0] == ids[1]


def test_dump_has_every_list(platform):
    """A dump has every list, flat and by wire names."""
    lists = platform.control("dump")
    assert {
        "courseGroups", "courses", "sections", "lessons", "topics", "completionCriteria",
        "licenses", "clients", "users", "tags", "locations", "assets", "purchasePaths", "jobs",
        "events",
    } < set(lists)  # fmt: skip
    assert ("Demo Learning Company", 12, 4) == (
        lists["company"],
        len(lists["tags"]),
        len(lists["clients"]),
    )


@pytest.mark.parametrize("id_seed", [{}, {"idSeed": 99}])
def test_dump_is_a_seed(platform, tree, id_seed):
    """What was dumped can be planted again, and is served under its old ids."""
    course = platform.course(sections=tree({"type": "quiz"}), sku="S-1")
    read = platform.read(course)
    topic = read["sections"][0]["lessons"][0]["topics"][0]["id"]
    criterion = {
        "courseId": course,
        "type": "courseAssessmentPassed",
        "courseAssessmentPassed": topic,
    }
    platform.call("criteria.update", {"criteria": [criterion]})
    before, dump = platform.read(course), platform.control("dump")
    platform.control("reset", {"seed": dump, **id_seed})
    assert before == platform.read(course)
    assert 200 == platform.update(topics=[{"id": topic, "title": "New"}]).status_code
    assert dump["courseGroups"] == platform.dump("courseGroups")
    assert platform.course() not in (course, topic)


@pytest.mark.parametrize("seed", [{"pages": []}, {"tags": {}}, {"tags": [{}]}, {"courses": [{}]}])
def test_bad_seed_changes_nothing(platform, seed):
    """A bad seed is refused and the data stays unchanged."""
    course = platform.course()
    response = platform.http.post("/_sandbox/reset", json={"seed": seed})
    assert (400, 200) == (
        response.status_code,
        platform.call("course.read", id=course).status_code,
    )


def test_requests_are_logged(platform):
    """Method, path, status, time and body of the newest requests, filtered (spec 4 json)."""
    platform.create(title="Logged")
    platform.call("ping")
    (entry,) = platform.control("requests", route="course.create", body="true")["requests"]
    assert (entry["method"], entry["path"], entry["status"]) == ("POST", CREATE, 200)
    assert len(entry["body"]) == entry["bodyBytes"]
    assert [entry] == platform.control("requests", path="create$", body="true")["requests"]


def test_clock_only_goes_forward(platform):
    """Moving the clock backward is refused."""
    response = platform.http.post("/_sandbox/clock", json={"advanceSeconds": -1})
    assert 400 == response.status_code


def test_answers_tell_the_time_of_the_present_clock(platform):
    """After a reset, which begins a new clock, the date of answers follows that one."""
    platform.control("reset", {})
    now = datetime.fromisoformat(platform.control("clock", {"advanceSeconds": 3600})["now"])
    told = parsedate_to_datetime(platform.call("ping").headers["date"])
    assert abs((told - now).total_seconds()) < 60


def test_drop_before_the_work(platform):
    """The client sees the connection break, and nothing was done."""
    fault(platform, action="drop-before", route="course.create")
    with pytest.raises((httpx.RemoteProtocolError, httpx.ReadError)):
        platform.create()
    assert ([], 200) == (platform.dump("courses"), platform.create().status_code)


def test_drop_after_the_commit(platform):
    """The client sees the connection break, and the work is done."""
    fault(platform, action="drop-after", path="/course/create$")
    with pytest.raises((httpx.RemoteProtocolError, httpx.ReadError)):
        platform.create()
    assert 1 == len(platform.dump("courses"))


def test_answer_cut_in_the_middle(platform):
    """The client gets the headers and half of the body, then a closed connection."""
    fault(platform, action="cut", method="POST")
    with pytest.raises(httpx.RemoteProtocolError, match="without sending complete"):
        platform.create()
    assert 1 == len(platform.dump("courses"))


@pytest.mark.parametrize(("when", "courses"), [("before", 0), ("after", 1)])
@pytest.mark.parametrize("status", [500, 502, 503, 504])
def test_status_before_or_after_the_commit(platform, status, when, courses):
    """The status does not tell whether the work was done (spec 7 503)."""
    fault(platform, action="status", status=status, when=when, route="course.create")
    assert (status, courses) == (platform.create().status_code, len(platform.dump("courses")))


def test_ordered_throttling(platform):
    """429 as the platform words it (spec 7 429)."""
    fault(platform, action="throttle", retryAfter=3, route="ping")
    response = platform.call("ping")
    assert (429, "3") == (response.status_code, response.headers["retry-after"])
    assert ["Rate limit exceeded, retry in 3 seconds"] == response.json()["errors"]


def test_garbage_answer(platform):
    """The answer is 200 without JSON, and the work is done."""
    fault(platform, action="garbage", route="course.create")
    response = platform.create()
    with pytest.raises(json.JSONDecodeError):
        response.json()
    assert (200, 1) == (response.status_code, len(platform.dump("courses")))


@pytest.mark.parametrize(("when", "courses"), [("before", 0), ("after", 1)])
def test_any_answer_in_place_of_the_work_or_after_it(platform, when, courses):
    """A client meets whatever JSON its author did not think of."""
    fault(platform, action="answer", body={"courseIds": 5}, when=when, route="course.create")
    assert {"courseIds": 5} == platform.create().json()
    assert courses == len(platform.dump("courses"))


@pytest.mark.parametrize(("body", "text"), [({}, ""), ({"body": None}, "null")])
def test_an_answer_may_be_empty_or_null(platform, body, text):
    """An ordered answer without a body is empty; null is sent as null."""
    fault(platform, action="answer", status=404, route="ping", **body)
    response = platform.call("ping")
    assert (404, text) == (response.status_code, response.text)


def test_delay_answers_in_the_end(platform):
    """A delayed request gets its normal answer later."""
    fault(platform, action="delay", seconds=0.01, route="ping")
    assert {"valid": True} == platform.call("ping").json()


def test_a_delay_ends_with_its_fault(platform):
    """Once the faults are removed, a delayed request is answered at once."""
    fault(platform, action="delay", seconds=600, route="ping")
    with ThreadPoolExecutor(1) as pool:
        answer = pool.submit(asked, platform)
        while not platform.control("requests", route="ping")["requests"]:
            pass
        platform.http.delete("/_sandbox/faults")
        assert 200 == answer.result()


def asked(platform):
    """The status of a ping, over a connection of its own."""
    headers = {"Authorization": f"Bearer {platform.key}"}
    return patient_http.get(
        platform.ready["baseUrl"] + ROUTES["ping"].path, headers=headers
    ).status_code


def test_nth_and_times(platform):
    """A fault with nth 2 and times 2 hits the second and third call."""
    fault(platform, action="status", status=503, route="ping", nth=2, times=2)
    statuses = [platform.call("ping").status_code for _ in range(4)]
    assert [200, 503, 503, 200] == statuses


def test_probability_repeats_with_its_seed(platform):
    """The same seed makes the same calls fail."""
    runs = []
    for _ in range(2):
        platform.http.delete("/_sandbox/faults")
        order = {"action": "status", "route": "ping", "probability": 0.5}
        platform.control("faults", {"seed": 5, "faults": [order]})
        runs.append([platform.call("ping").status_code for _ in range(20)])
    assert runs[0] == runs[1]
    assert {200, 500} == set(runs[0])


@pytest.mark.parametrize(
    "order",
    [
        {"action": "explode"},
        {"action": "status", "status": 418},
        {"action": "cut", "path": "("},
        {"action": "cut", "colour": 1},
        {"action": "delay", "seconds": "x"},
        {"action": "cut", "nth": 0},
    ],
)
def test_bad_orders_are_refused(platform, order):
    """Bad orders are refused with what is allowed."""
    assert 400 == platform.http.post("/_sandbox/faults", json=order).status_code


def test_features_are_set(platform):
    """Only the named features change."""
    assert True is platform.control("features")["externalActivity"]
    platform.control("features", {"externalActivity": False})
    assert False is platform.control("features")["externalActivity"]


@pytest.mark.parametrize("body", [{"colour": 1}, {"idOrder": "x"}, {"batchAtomic": 1}])
def test_bad_switches_are_refused(platform, body):
    """Unknown switches and bad values are refused."""
    assert 400 == platform.http.post("/_sandbox/switches", json=body).status_code


def test_pages_of_other_sites_are_refused(platform):
    """A browser on this machine cannot be made to reset the sandbox."""
    headers = {"Origin": "https://evil.example"}
    assert 403 == platform.http.post("/_sandbox/reset", json={}, headers=headers).status_code


def test_forwarded_peers_are_not_believed(platform):
    """A forwarding header does not change who the peer is."""
    headers = {"X-Forwarded-For": "203.0.113.9"}
    assert 200 == platform.http.get("/_sandbox/clock", headers=headers).status_code


def test_unknown_order_is_404(platform):
    """An unknown order is a 404, and a wrong method is a 405."""
    statuses = [
        platform.http.get("/_sandbox/nothing").status_code,
        platform.http.put("/_sandbox/dump", json={}).status_code,
    ]
    assert [404, 405] == statuses
