"""What the log of a state can rely on, at every home."""

from concurrent.futures import ThreadPoolExecutor
from itertools import count

import pytest

from lmssync.errors import StateError
from lmssync.state.homes import StateBackend, Snapshot

from .conftest import Connect


def test_a_new_home_is_empty(home: StateBackend):
    """No segment and no snapshot."""
    assert [] == list(home.read())
    assert home.snapshot() is None


def test_what_is_appended_is_read_back(home: StateBackend):
    """In order."""
    assert [True, True, True] == [home.append(n, b"%d" % n) for n in (1, 2, 3)]
    assert [b"1", b"2", b"3"] == list(home.read())


def test_a_number_is_taken_once(home: StateBackend):
    """Whoever comes second is told, and what the first one wrote stays."""
    home.append(1, b"first")
    assert home.append(1, b"second") is False
    assert [b"first"] == list(home.read())


def test_words_about_a_segment_are_no_part_of_it(home: StateBackend):
    """However they are written, and whether or not the home can show them."""
    assert home.append(1, b"1", "ci@runner: lease\n\x1b[2J\udcff")
    assert home.append(2, b"2", "a" * 10_000)
    assert [b"1", b"2"] == list(home.read())


@pytest.mark.parametrize("number", [-1, 0, 3, 12])
def test_no_number_is_left_out(home: StateBackend, number: int):
    """A segment that does not follow the last one is refused, and not kept."""
    home.append(1, b"1")
    with pytest.raises(StateError, match=f"segment {number} "):
        home.append(number, b"far")
    assert [b"1"] == list(home.read())


def test_an_older_number_is_taken(home: StateBackend):
    """Also by a connection that has read nothing yet."""
    for number in (1, 2, 3):
        home.append(number, b"%d" % number)
    assert home.append(2, b"another") is False
    assert [b"1", b"2", b"3"] == list(home.read())


def test_reading_goes_on_after_a_number(home: StateBackend):
    """Only what follows is read; after the last one, nothing."""
    for number in range(1, 13):
        home.append(number, b"%d" % number)
    assert [b"10", b"11", b"12"] == list(home.read(9))
    assert [] == list(home.read(12))


def test_a_large_segment_stays_whole(home: StateBackend):
    """Of five megabytes."""
    large = bytes(range(256)) * 20_480
    home.append(1, large)
    assert [large] == list(home.read())


def test_bytes_stay_as_they_are(home: StateBackend):
    """Of every value, no UTF-8, line ends and zeros among them; and none at all."""
    segments = [bytes(range(256)), b"\r\n\0\n", b"", b"\xff\xfe"]
    for number, segment in enumerate(segments, 1):
        home.append(number, segment)
    assert segments == list(home.read())


def test_a_snapshot_is_kept(home: StateBackend):
    """With the number of the last segment in it, whatever bytes it has."""
    kept = Snapshot(12, b"\n7\n\0\xff")
    home.keep_snapshot(kept)
    assert kept == home.snapshot()


@pytest.mark.parametrize("numbers", [(9, 10, 11), (10, 11, 9), (11, 9, 10)])
def test_the_newest_snapshot_stays(home: StateBackend, numbers: tuple[int, ...]):
    """In whatever order they are kept."""
    for number in numbers:
        home.keep_snapshot(Snapshot(number, b"as of %d" % number))
    assert Snapshot(11, b"as of 11") == home.snapshot()


def test_connections_see_each_other(connect: Connect):
    """What one has appended, the other reads and follows."""
    one, other = connect(), connect()
    one.append(1, b"1")
    assert [b"1"] == list(other.read())
    assert other.append(2, b"2")
    one.keep_snapshot(Snapshot(2, b"both"))
    assert [b"2"] == list(one.read(1))
    assert Snapshot(2, b"both") == other.snapshot()


@pytest.mark.sampled(3)
def test_ten_at_once_fill_every_number_once(connect: Connect):
    """Each takes the next free number; nothing is lost or doubled."""
    homes = [connect() for _ in range(10)]

    def append(writer: int) -> tuple[int, bytes]:
        segments = ((number, b"%d of writer %d" % (number, writer)) for number in count(1))
        return next(pair for pair in segments if homes[writer].append(*pair))

    with ThreadPoolExecutor(10) as pool:
        kept = sorted(pool.map(append, range(10)))
    assert list(range(1, 11)) == [number for number, _ in kept]
    assert [segment for _, segment in kept] == list(connect().read())


def test_a_home_can_be_closed_twice(connect: Connect):
    """Whether it was used or not; the log stays."""
    used, unused = connect(), connect()
    used.append(1, b"1")
    for home in (used, unused, used, unused):
        home.close()
    assert [b"1"] == list(connect().read())
