"""Pushed notifications: triggers, payload, delivery, back-off by the virtual clock (spec 6)."""

import asyncio
import socket
from functools import partial

import pytest

from lmssync.sandbox import push_notifications, run_sandbox
from lmssync.sandbox.push_notifications import Unanswered, post_json

from .. import patient_http
from .receiver import PATIENCE

UNKNOWN = "00000000-0000-4000-8000-000000000000"


@pytest.fixture
def platform(platform, monkeypatch):
    """Without the demo company's own past; a receiver may be as slow as the machine."""
    monkeypatch.setattr(push_notifications, "post_json", partial(post_json, seconds=PATIENCE))
    yield platform
    platform.http.delete("/_sandbox/notifications")


def register(platform, url, *kinds):
    return platform.control("notifications", {"url": url, "kinds": list(kinds)})


def happen(platform, kind, **event):
    platform.control("events", {"kind": kind, "events": [event]})


def settled(platform, state="delivered"):
    """The one delivery, once it is in that state."""
    while True:
        (delivery,) = platform.control("notifications")["deliveries"]
        if delivery["state"] == state:
            return delivery


def test_a_completion_is_pushed(platform, receiver):
    """POST of JSON with `user`, an e-mail address, and `notifiableId`, the course
    (spec 6 push, push.fields; spec 1 push)."""
    course, user = platform.course(), platform.dump("users")[0]
    register(platform, receiver.url, "courseCompletion")
    happen(platform, "courseCompletion", userId=user["id"], courseId=course)
    headers, payload = receiver.pushed.get(timeout=PATIENCE)
    assert "application/json" == headers["content-type"]
    assert (user["email"], course, "courseCompletion", "completed") == tuple(
        payload[name] for name in ("user", "notifiableId", "kind", "type")
    )


def test_nothing_is_signed(platform, receiver):
    """A push has only the headers of HTTP (spec 6 push.unsigned)."""
    register(platform, receiver.url, "quizAttempt")
    happen(platform, "quizAttempt")
    headers, _payload = receiver.pushed.get(timeout=PATIENCE)
    assert {"host", "content-type", "content-length", "connection"} == {h.lower() for h in headers}


@pytest.mark.parametrize("kind", push_notifications.TRIGGERS)
def test_every_trigger_is_pushed(platform, receiver, kind):
    """The eight polled kinds and three more (spec 6 push.kinds)."""
    register(platform, receiver.url, kind)
    happen(platform, kind, courseId=UNKNOWN)
    if kind == "bundlePurchase":
        platform.control("clock", {"advanceSeconds": 3600})
    assert kind == receiver.next()["kind"]


def test_a_bundle_purchase_waits_an_hour(platform, receiver):
    """A bundlePurchase is pushed about one hour later by the virtual clock (spec 6 push.kinds)."""
    register(platform, receiver.url, "bundlePurchase", "subscriptionCancel")
    happen(platform, "bundlePurchase")
    platform.control("clock", {"advanceSeconds": 3500})
    happen(platform, "subscriptionCancel")
    first = receiver.next()["kind"]
    platform.control("clock", {"advanceSeconds": 100})
    assert ("subscriptionCancel", "bundlePurchase") == (first, receiver.next()["kind"])


def test_kinds_that_were_not_asked_for_are_not_pushed(platform, receiver):
    """A registration gets its triggers and no others (spec 6 push.kinds)."""
    register(platform, receiver.url, "courseAction")
    happen(platform, "quizAttempt")
    happen(platform, "courseEnrollment", courseId=UNKNOWN)
    assert ("courseAction", "enrolled") == tuple(map(receiver.next().get, ("kind", "type")))
    assert 1 == len(platform.control("notifications")["deliveries"])


def test_what_the_platform_does_is_pushed(platform, receiver):
    """An event that a route causes is pushed (spec 6 push)."""
    register(platform, receiver.url, "learningPathAction")
    user, path = platform.dump("users")[0]["id"], platform.dump("learningPaths")[0]["id"]
    activity = {"userId": user, "learningPathId": path}
    assert 200 == platform.call("activity.learningPath", activity).status_code
    assert path == receiver.next()["notifiableId"]


@pytest.mark.parametrize(
    ("status", "state"), [(200, "delivered"), (204, "delivered"), (302, "delivered"),
                          (308, "delivered"), (309, "waiting"), (400, "waiting"), (500, "waiting")]
)  # fmt: skip
def test_success_is_200_to_308(platform, receiver, status, state):
    """A redirect is a success and is not followed; everything above is tried again
    (spec 6 push.delivery)."""
    receiver.answers.put(status)
    register(platform, receiver.url, "quizAttempt")
    happen(platform, "quizAttempt")
    receiver.next()
    while not (delivery := platform.control("notifications")["deliveries"][0])["attempts"]:
        pass
    assert (state, f"HTTP {status}") == (delivery["state"], delivery["lastOutcome"])


def test_back_off():
    """From 20 seconds, doubled, up to 3600; nine waits for ten attempts (spec 6 push.delivery)."""
    waits = [push_notifications.back_off(attempt) for attempt in range(1, 10)]
    assert [20, 40, 80, 160, 320, 640, 1280, 2560, 3600] == waits


def test_ten_attempts(platform, receiver):
    """The clock brings the attempts; after the tenth it is given up (spec 6 push.delivery)."""
    for _ in range(11):
        receiver.answers.put(503)
    register(platform, receiver.url, "quizAttempt")
    happen(platform, "quizAttempt")
    platform.control("clock", {"advanceSeconds": 86_400})
    delivery = settled(platform, "given up")
    assert (10, 10, None) == (delivery["attempts"], receiver.pushed.qsize(), delivery["dueAt"])


def test_an_attempt_waits_for_its_time(platform, receiver):
    """The second attempt comes 20 seconds after the first, by the virtual clock
    (spec 6 push.delivery)."""
    receiver.answers.put(500)
    register(platform, receiver.url, "quizAttempt")
    happen(platform, "quizAttempt")
    receiver.next()
    platform.control("clock", {"advanceSeconds": 20})
    receiver.next()
    assert 2 == settled(platform)["attempts"]


def test_nobody_listening_is_a_failed_attempt(platform):
    """A refused connection is reported and tried again (spec 6 push.delivery)."""
    with socket.socket() as deaf:
        deaf.bind(("127.0.0.1", 0))  # so nobody else has the port
        register(platform, f"http://127.0.0.1:{deaf.getsockname()[1]}/", "quizAttempt")
        happen(platform, "quizAttempt")
        while not (delivery := platform.control("notifications")["deliveries"][0])["attempts"]:
            pass
    assert ("waiting", True) == (delivery["state"], "refused" in delivery["lastOutcome"].lower())


def test_a_silent_receiver_blocks_nobody(platform):
    """While a receiver says nothing the platform answers as ever (spec 6 push.delivery)."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        register(platform, f"http://127.0.0.1:{silent.getsockname()[1]}/", "quizAttempt")
        happen(platform, "quizAttempt")
        connection, _peer = silent.accept()
        with connection:
            assert connection.recv(10_000).startswith(b"POST / HTTP/1.1\r\n")
            assert {"valid": True} == platform.call("ping").json()
            platform.http.delete("/_sandbox/notifications")


def test_an_attempt_ends_after_its_seconds():
    """An attempt without an answer in time has failed (spec 6 push.delivery)."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}/"
        with pytest.raises(Unanswered, match=r"within 0\.01 seconds"):
            asyncio.run(post_json(url, b"{}", seconds=0.01))


@pytest.mark.parametrize("said", [b"SSH-2.0\r\n\r\n", b"\r\n\r\n", b"HTTP/1.1 many\r\n\r\n", b""])
def test_what_is_not_http_is_a_failure(said):
    """Whatever listens there, the attempt ends in words (spec 6 push.delivery)."""

    async def speak(reader, writer):
        await reader.readuntil(b"\r\n\r\n")
        writer.write(said)
        writer.close()

    async def attempt():
        async with await asyncio.start_server(speak, "127.0.0.1", 0) as server:
            port = server.sockets[0].getsockname()[1]
            await post_json(f"http://127.0.0.1:{port}", b"{}")

    with pytest.raises(Unanswered):
        asyncio.run(attempt())


def test_fifteen_seconds():
    """A delivery times out after 15 seconds (spec 6 push.delivery)."""
    from lmssync.sandbox.push_notifications import SECONDS

    assert 15 == SECONDS


@pytest.mark.parametrize(
    "url", ["https://example.com/hook", "http://203.0.113.9/", "http://localhost.example/"]
)
def test_other_machines_are_refused(platform, url):
    """Only loopback addresses can register, unless the switch allows others (spec 6)."""
    refused = platform.http.post("/_sandbox/notifications", json={"url": url})
    platform.control("switches", {"pushBeyondLoopback": True})
    taken = register(platform, url, "quizAttempt")["notifications"]
    assert (400, True) == (refused.status_code, "pushBeyondLoopback" in refused.json()["errors"][0])
    assert [url] == [one["url"] for one in taken]


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"url": "x"},
        {"url": "ftp://127.0.0.1/"},
        {"url": "http://127.0.0.1:99999/"},
        {"url": "http://127.0.0.1/ä"},
        {"url": "http://127.0.0.1/", "kinds": ["nothing"]},
        {"url": "http://127.0.0.1/", "kinds": "quizAttempt"},
        {"url": "http://127.0.0.1/", "colour": 1},
    ],
)
def test_bad_registrations_are_refused(platform, body):
    """A bad registration is refused with what is allowed (spec 6)."""
    response = platform.http.post("/_sandbox/notifications", json=body)
    assert (400, []) == (response.status_code, platform.control("notifications")["notifications"])


def test_registrations_are_listed_and_forgotten(platform, receiver):
    """A registration without kinds is for all; DELETE removes it (spec 6)."""
    (listed,) = platform.control("notifications", {"url": receiver.url})["notifications"]
    assert list(push_notifications.TRIGGERS) == listed["kinds"]
    platform.http.delete("/_sandbox/notifications")
    assert {"notifications": [], "deliveries": []} == platform.control("notifications")


@pytest.mark.parametrize("url", ["http://203.0.113.9/", "http://[x", "nowhere"])
def test_a_seed_cannot_send_to_other_machines(platform, url):
    """A registration that a seed brings is asked at every attempt (spec 6 push)."""
    seed = {"notifications": [{"url": url, "kinds": ["quizAttempt"]}]}
    platform.control("reset", {"seed": seed})
    happen(platform, "quizAttempt")
    while not (delivery := platform.control("notifications")["deliveries"][0])["attempts"]:
        pass
    assert delivery["lastOutcome"].startswith("not sent")


def test_a_dump_brings_no_deliveries(platform):
    """What was still to be pushed is not pushed by another sandbox of the same seed (spec 6)."""
    register(platform, "http://127.0.0.1:9/", "bundlePurchase")
    happen(platform, "bundlePurchase")
    dump = platform.control("dump")
    platform.control("reset", {"seed": dump})
    assert (1, []) == (len(dump["deliveries"]), platform.control("notifications")["deliveries"])


def test_deliveries_survive_a_restart(tmp_path, receiver):
    """What waits when the sandbox ends is delivered by the next one (spec 6)."""

    with run_sandbox(tmp_path) as ready, patient_http.client(base_url=ready["baseUrl"]) as http:
        http.post("/_sandbox/notifications", json={"url": receiver.url})
        http.post("/_sandbox/events", json={"kind": "bundlePurchase", "events": [{}]})
        assert receiver.pushed.empty()
    with run_sandbox(tmp_path) as ready, patient_http.client(base_url=ready["baseUrl"]) as http:
        http.post("/_sandbox/clock", json={"advanceSeconds": 3600})
        assert "bundlePurchase" == receiver.next()["kind"]
