"""Waiting: all threads, the whole time, and no longer than somebody lets it."""

from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest

from lmssync.errors import Stopped, Unreachable
from lmssync.platform.client import DeliveryStatus, Writer
from lmssync.platform.client.request_pacing import RequestPacer
from lmssync.vocabulary.limits import STANDARD
from lmssync.vocabulary.routes import ROUTES

from .answering import Answering, Asked, Said
from .conftest import Clock
from .good import READS, UUID, WRITES

PARAMS = {"id": f"{UUID}3"}
EVENTS = {"pageInfo": {"cursor": None, "hasMore": False}, "events": []}
BUSY = Said({"errors": ["slow down"]}, 429, {"Retry-After": "412"})


@pytest.fixture
def clock(client: Writer) -> Clock:
    found = Clock()
    client.pace = found.pace
    return found


def test_a_wait_is_as_long_as_the_platform_says(client: Writer, server: Answering, clock: Clock):
    """The client waits as long as requested and reports the wait."""
    answers = iter([BUSY, Said(READS["course.read"])])
    server.answer = lambda _asked: next(answers)
    client.read_route("course.read", PARAMS)
    assert 1_412 <= clock.now < 1_413
    assert ["waiting 412 s: the platform asked for it"] == clock.told


def test_a_write_waits_as_well(client: Writer, server: Answering, clock: Clock):
    """A write is sent again after a 429, because a 429 did nothing."""
    answers = iter([BUSY, Said(WRITES["course.create"])])
    server.answer = lambda _asked: next(answers)
    assert DeliveryStatus.ACKNOWLEDGED is client.send_write("course.create", {}, {}).fate
    assert clock.now >= 1_412


def test_all_threads_wait(client: Writer, server: Answering, clock: Clock):
    """After a 429 no thread sends; only requests already under way arrive early."""
    early: list[float] = []

    def answer(_asked: Asked) -> Said:
        if clock.now < 1_412:
            early.append(clock.now)
            return BUSY
        return Said(READS["course.read"])

    server.answer = answer
    found = list(client.ask_each(lambda _: client.read_route("course.read", PARAMS), range(40)))
    assert 40 == len(found)
    assert len(early) <= STANDARD.connections
    assert {"waiting 412 s: the platform asked for it"} == set(clock.told)


def test_a_429_that_names_no_time_is_met_with_growing_pauses(
    client: Writer, server: Answering, clock: Clock
):
    """Pauses grow after each 429 without a time, and the run does not end."""
    answers = iter([Said(status=429, headers={"Retry-After": "0"})] * 12 + [Said(READS["ping"])])
    server.answer = lambda _asked: next(answers)
    client.ping_platform(again=True)
    assert 1_000 + 64 * 4 < clock.now


def test_a_raised_tier_is_used(
    client: Writer, server: Answering, clock: Clock, monkeypatch: pytest.MonkeyPatch
):
    """An account with increased limits reads 200 pages of events a minute (spec 8)."""
    names = ("X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset")
    monkeypatch.setattr("time.time", lambda: 1_800_000_000.0)  # also for `Date`

    def answer(_asked: Asked) -> Said:
        left = max(0, 200 - len(server.asked))
        values = map(str, (200, left, 1_800_000_040))
        return Said(EVENTS, headers=dict(zip(names, values, strict=True)))

    server.answer = answer
    for _ in range(200):
        client.read_route("event.list", {"kind": "courseAction"})
    assert 1_000 == clock.now
    client.read_route("event.list", {"kind": "courseAction"})
    assert 1_038 <= clock.now <= 1_042


def test_a_429_of_a_tier_holds_nobody_else(client: Writer, server: Answering, clock: Clock):
    """Tiers are independent (spec 8): while one is used up, other requests go on."""
    answers = iter([BUSY, Said(EVENTS)])

    def answer(asked: Asked) -> Said:
        return next(answers) if "/events/" in asked.path else Said(READS["ping"])

    server.answer = answer
    client.read_route("event.list", {"kind": "courseAction"})
    assert 1_412 <= clock.now < 1_414
    client.throttle.note_refusal(client.throttle.take_turn(ROUTES["event.list"]), 60)
    client.ping_platform(again=True)
    assert clock.now < 1_414


def test_a_503_may_say_when_to_come_again(client: Writer, server: Answering, clock: Clock):
    """A read is repeated when a 503 says when (spec 7)."""
    answers = iter([Said(status=503, headers={"Retry-After": "90"}), Said(READS["ping"])])
    server.answer = lambda _asked: next(answers)
    client.ping_platform(again=True)
    assert clock.now >= 1_090


def test_a_wait_of_days_is_not_begun(client: Writer, server: Answering, clock: Clock):
    """A wait of days ends the request with an error; a write is known to be undone."""
    server.answer = lambda _asked: Said(status=429, headers={"Retry-After": "1e9"})
    with pytest.raises(Unreachable, match=r"asks to wait 1.16e\+04 days"):
        client.ping_platform(again=True)
    assert DeliveryStatus.REJECTED is client.send_write("course.create", {}, {}).fate
    assert clock.now == 1_000


def test_whoever_stops_the_run_does_not_wait(client: Writer, server: Answering, clock: Clock):
    """After a stop nothing is sent, and a waiting write is known to be undone."""
    server.answer = lambda _asked: BUSY
    clock.pace.stops = lambda: len(server.asked) > 0
    with pytest.raises(Stopped):
        client.read_route("course.read", PARAMS)
    ended = client.send_write("course.create", {}, {})
    assert (DeliveryStatus.REJECTED, None) == (ended.fate, ended.status)
    assert 1 == len(server.asked)


def test_ctrl_c_ends_a_wait(client: Writer, server: Answering):
    """Ctrl-C ends the wait of a waiting thread."""

    def nap(_seconds: float) -> None:
        raise KeyboardInterrupt

    client.pace = RequestPacer(lambda: 1_000.0, nap)
    server.answer = lambda _asked: BUSY
    with pytest.raises(Stopped):
        client.read_route("course.read", PARAMS)


def test_threads_come_home_from_a_wait_when_another_fails(client: Writer, server: Answering):
    """An error in one thread ends the waits of the others."""
    client.pace = RequestPacer()

    def ask(number: int) -> None:
        if number:
            client.pace.sleep(10_000)
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        list(client.ask_each(ask, range(STANDARD.connections)))


def test_no_more_connections_are_open_than_the_account_may_have(client: Writer, server: Answering):
    """Reads and writes use all the allowed connections and no more (spec 8)."""
    full = Event()

    def answer(asked: Asked) -> Said:
        if len(server.asked) == STANDARD.connections:
            full.set()
        assert full.wait(300)
        return Said(READS["course.read"] if asked.method == "GET" else WRITES["course.create"])

    def ask(number: int) -> object:
        if number:
            return client.read_route("course.read", PARAMS)
        return client.send_write("course.create", {}, {}).fate

    server.answer, server.most_under_way = answer, 0
    with ThreadPoolExecutor(20) as pool:
        list(pool.map(ask, range(20)))
    assert 5 == STANDARD.connections == server.most_under_way
