"""The worker: jobs run when their time has come, beside the requests, and outlive kill -9."""

import resource
import signal
from threading import Event

import pytest

from lmssync.sandbox import sandbox_jobs
from lmssync.vocabulary.routes import ROUTES
from tests.patience import read_outputs

from .process import serving, started
from .school import accepted, demo, outcome, user
from .test_durability import dump, http_of, needs_limits

MANY = 400
"""Users whose change takes several portions of work."""
EVERYONE = 601
"""A license without a limit of seats, which leads to courses and learning paths."""
KIND = "learningPathEnrollment"


def many(http):
    """The entries of that many new users, in a client whose license they are to get."""
    http.post("/_sandbox/school", json={})
    seed = dump(http)
    client = next(one["clientId"] for one in seed["licenses"] if one["id"] == demo(EVERYONE))
    ids = [f"aaaaaaaa-0000-4000-8000-{number:012}" for number in range(MANY)]
    added = [{"id": id_, "email": f"{id_}@x.example", "clientId": client} for id_ in ids]
    reset = http.post("/_sandbox/reset", json={"seed": {**seed, "users": seed["users"] + added}})
    assert 200 == reset.status_code, reset.text
    return [{"id": id_, "licenseIdsToAdd": [demo(EVERYONE)]} for id_ in ids]


def call(http, name, body=None, /, **path):
    route = ROUTES[name]
    response = http.request(route.method, route.path.format(**path), json=body)
    assert response.status_code < 300, response.text
    return response.json()


def start(http, entries):
    """The id of the job that gives them the license."""
    return call(http, "sublicense.assign", {"users": entries})["data"]["jobId"]


def holds(http, entry):
    return bool(call(http, "user.read", id=entry["id"])["allocatedLicenses"])


def until_begun(http, entries):
    """Return while the job is under way: the first user has the license."""
    while not holds(http, entries[0]):
        pass


def until_ended(http, job):
    while (read := call(http, "job.read", id=job))["status"] in ("queued", "processing"):
        pass
    return read["status"]


def test_a_job_runs_and_tells_without_a_request(platform, receiver):
    """A job runs and emits its events without another request (spec 3, 6)."""
    platform.control("notifications", {"url": receiver.url, "kinds": [KIND]})
    accepted(platform, user(410, add=(613,)))
    assert demo(102) == receiver.next()["notifiableId"]


def test_a_job_runs_once_the_clock_is_there(platform, receiver):
    """A job runs after the order that moves the clock, without another request (spec 3, 6)."""
    platform.control("switches", {"jobSeconds": 5000})
    platform.control("notifications", {"url": receiver.url, "kinds": [KIND]})
    job = accepted(platform, user(410, add=(613,)))["jobId"]
    assert "queued" == platform.call("job.read", id=job).json()["status"]
    platform.control("clock", {"advanceSeconds": 5000})
    assert demo(102) == receiver.next()["notifiableId"]


def test_a_job_runs_after_a_kill_without_a_request(tmp_path, receiver):
    """A sandbox that starts looks for what an earlier one accepted (spec 3, 6)."""
    with serving(tmp_path) as (_, ready), http_of(ready) as http:
        http.post("/_sandbox/notifications", json={"url": receiver.url, "kinds": [KIND]})
        http.post("/_sandbox/switches", json={"jobSeconds": 2})
        start(http, [user(410, add=(613,))])
    with serving(tmp_path):
        assert KIND == receiver.next()["kind"]


@pytest.fixture
def small_portions(monkeypatch):
    """One user a portion."""
    monkeypatch.setattr(sandbox_jobs, "PORTION_SECONDS", -1)


@pytest.fixture
def second_portion(monkeypatch):
    """Until it is set, no job gets further than its first portion of work."""
    released, work = Event(), sandbox_jobs.Jobs.work_on_next

    def held(self, now):
        if released.is_set() or not self.is_under_way:
            work(self, now)

    monkeypatch.setattr(sandbox_jobs.Jobs, "work_on_next", held)
    yield released
    released.set()


@pytest.mark.slow
@pytest.mark.usefixtures("small_portions")
def test_requests_are_answered_while_a_long_job_is_under_way(platform, second_portion):
    """Users are changed one by one; who asks meanwhile sees some of them done (spec 4)."""
    with http_of(platform.ready) as http:
        entries = many(http)
        job = start(http, entries)
        until_begun(http, entries)
        seen = holds(http, entries[-1]), call(http, "job.read", id=job)["status"]
        assert (False, "processing") == seen
        second_portion.set()
        assert "complete" == until_ended(http, job)


@pytest.mark.usefixtures("small_portions")
def test_portions_make_one_job(platform):
    """A job in small portions has the same result as in one (spec 4)."""
    entries = [user(410, add=(613,)), user(438, add=(613,)), user(415, add=(613,))]
    job = accepted(platform, *entries)["jobId"]
    platform.control("clock", {"advanceSeconds": 1})
    assert "complete" == platform.call("job.read", id=job).json()["status"]
    failed = {demo(410): None, demo(438): "The user does not belong to a client", demo(415): None}
    assert failed == outcome(platform)


@pytest.mark.slow
def test_orders_about_data_wait_for_the_job(platform):
    """Nobody gets a dump, and no clock stops, in the middle of a job (spec 3)."""
    with http_of(platform.ready) as http:
        entries = many(http)
        job = start(http, entries)
        http.post("/_sandbox/clock", json={"advanceSeconds": 1})
        assert "complete" == call(http, "job.read", id=job)["status"]
        assert all(holds(http, entry) for entry in entries[::100])


@pytest.mark.slow
@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGTERM])
def test_a_job_that_is_interrupted_goes_on(tmp_path, end):
    """After an end in the middle each user is changed once and told of once (spec 3, 4)."""
    server, ready = started(tmp_path, "--profile", "extended")
    with http_of(ready) as http:
        entries = many(http)
        before = len([one for one in dump(http)["events"] if one["kind"] == KIND])
        job = start(http, entries)
        until_begun(http, entries)
        server.send_signal(end)
        out, err = read_outputs(server)
    assert (b"", b"", 0 if end == signal.SIGTERM else -end) == (out, err, server.returncode)
    with serving(tmp_path) as (_, again), http_of(again) as http:
        assert "complete" == until_ended(http, job)
        kept = dump(http)
    ours = [one for one in kept["users"] if one["id"].startswith("aaaaaaaa")]
    assert MANY * [[{"licenseId": demo(EVERYONE)}]] == [one["allocatedLicenses"] for one in ours]
    events = [one for one in kept["events"] if one["kind"] == KIND]
    assert MANY == len(events) - before
    outcome = next(one["outcome"] for one in kept["jobs"] if one["id"] == job)
    assert MANY * [None] == [one["error"] for one in outcome["results"]]


@needs_limits
def test_a_job_waits_for_room_on_the_disk(tmp_path):
    """A full disk is told as 503 and fails no job: it is done once there is room (spec 3, 7)."""
    with serving(tmp_path) as (server, ready), http_of(ready) as http:
        http.post("/_sandbox/switches", json={"jobSeconds": 1000})
        job = start(http, [user(410, add=(613,))])
        limits = resource.prlimit(server.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (4096, limits[1]))
        full = http.post("/_sandbox/clock", json={"advanceSeconds": 1000})
        resource.prlimit(server.pid, resource.RLIMIT_FSIZE, limits)
        http.post("/_sandbox/clock", json={"advanceSeconds": 0})
        assert (503, "complete") == (full.status_code, call(http, "job.read", id=job)["status"])
