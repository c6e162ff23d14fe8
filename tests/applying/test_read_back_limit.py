"""How much of what a run has made is read back at once."""

from typing import Any

import pytest

from lmssync.applying.apply import ReadBackLimit
from lmssync.platform.client import Reader
from lmssync.vocabulary.routes import ROUTES
from tests.platform.client.test_throttle import Clock, answer

READ, CREATE = "course.read", "course.create"


@pytest.fixture
def reader() -> Reader:
    return Reader("http://127.0.0.1:1", "key")


def limited(reader: Reader, *answers: Any) -> Clock:
    """An instance whose window stands as these answers have told, and a clock without waits."""
    clock = Clock()
    reader.throttle = clock.throttle
    for told in answers:
        send(clock, reader, CREATE, told)
    return clock


def send(clock: Clock, reader: Reader, route: str, told: Any) -> float:
    """The moment in which a call is sent, and counted."""
    reader.ended[route, 200] += 1
    return clock.send(ROUTES[route], ended=told)[0]


@pytest.mark.parametrize(("percent", "counts"), [(100, [7, 3]), (10, [1, 1]), (0, [0, 0])])
def test_a_share_counts_for_each_call(reader: Reader, percent: int, counts: list[int]):
    """It is rounded up."""
    limit = ReadBackLimit(percent)
    assert counts == [limit.count_now(reader, READ, number) for number in (7, 3)]


def test_without_limits_everything_is_read(reader: Reader):
    """As long as it takes no more than a minute."""
    assert 100 == ReadBackLimit().count_now(reader, READ, 100)


def test_no_write_waits_for_what_is_read_back(reader: Reader):
    """Two of sixty calls are made and nine creates are to come: the last one is sent at once."""
    clock = limited(reader, answer(60, 58))
    limit = ReadBackLimit(needed={CREATE: 10})

    assert [49, 0] == [limit.count_now(reader, READ, 100) for _ in range(2)]
    moments = [send(clock, reader, READ, answer(60, 57 - n)) for n in range(49)]
    moments += [send(clock, reader, CREATE, answer(60, 8 - n)) for n in range(9)]
    assert {0.0} == set(moments)


def test_a_call_under_way_keeps_its_place(reader: Reader):
    """Of ten creates two are made and four under way: all eight that have no answer are needed."""
    clock = limited(reader, answer(60, 59), answer(60, 58))
    for _ in range(4):
        assert clock.throttle.take_turn(ROUTES[CREATE]).is_now
    assert 50 == ReadBackLimit(needed={CREATE: 10}).count_now(reader, READ, 100)
    assert 0 == ReadBackLimit(needed={CREATE: 62}).count_now(reader, READ, 100)


def test_what_waits_to_be_read_opens_no_window(reader: Reader):
    """Of sixty calls 56 are made, and five reads are counted: nobody begins a minute for more."""
    clock, limit = limited(reader, answer(60, 9)), ReadBackLimit()
    assert 9 == limit.count_now(reader, READ, 9)
    for left in (8, 7, 6, 4):
        send(clock, reader, READ, answer(60, left))
    assert 0 == limit.count_now(reader, READ, 100)


def test_a_window_that_is_taken_anyway_is_filled(reader: Reader):
    """A run of 90 calls needs a second window, in which 30 are free."""
    limited(reader, answer(60, 59))
    assert 30 == ReadBackLimit(needed={CREATE: 90}).count_now(reader, READ, 100)


def test_a_slow_instance_is_asked_less(monkeypatch: pytest.MonkeyPatch, reader: Reader):
    """Five connections with answers of three seconds each make a hundred calls in a minute."""
    monkeypatch.setattr(Reader, "latency", 3.0)
    limit = ReadBackLimit()
    assert [80, 20, 0] == [limit.count_now(reader, READ, 80) for _ in range(3)]
