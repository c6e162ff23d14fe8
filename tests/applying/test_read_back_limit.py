"""How much of what a run has made is read back at once."""

import math

import pytest

from lmssync.applying.apply import ReadBackLimit
from lmssync.platform.client import Reader


@pytest.mark.parametrize(("percent", "counts"), [(100, [7, 3]), (10, [1, 1]), (0, [0, 0])])
def test_a_share_counts_for_each_call(percent: int, counts: list[int]):
    """It is rounded up."""
    limit = ReadBackLimit(percent)
    assert counts == [limit.count_now("course.read", number) for number in (7, 3)]


def test_a_minute_counts_for_the_run():
    """The first calls are read back wholly, one in part, the rest not at all."""
    limit = ReadBackLimit(None, lambda _route, _seconds: 60.7)
    assert [50, 10, 0] == [limit.count_now("course.read", 50) for _ in range(3)]


def test_a_minute_that_becomes_shorter():
    """An instance that shows a slower pace later gets no more reads than that."""
    paces = iter([math.inf, 120.0, 30.0])
    limit = ReadBackLimit(None, lambda _route, _seconds: next(paces))
    assert [100, 20, 0] == [limit.count_now("course.read", 100) for _ in range(3)]


def test_a_slow_instance_is_asked_less(monkeypatch: pytest.MonkeyPatch):
    """Five connections with answers of three seconds each make a hundred calls in a minute."""
    reader = Reader("http://127.0.0.1:1", "key")
    monkeypatch.setattr(Reader, "latency", 3.0)
    assert 100 == reader.calls_within("course.read", 60.0)
