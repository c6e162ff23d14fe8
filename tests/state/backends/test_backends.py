"""What the log of a state can rely on, at every backend."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from itertools import count

import pytest

from lmssync.errors import StateError
from lmssync.state.backends import Snapshot, StateBackend

from .conftest import Connect


def test_a_new_backend_is_empty(backend: StateBackend):
    """No segment and no snapshot."""
    assert [] == list(backend.read())
    assert backend.snapshot() is None


def test_what_is_appended_is_read_back(backend: StateBackend):
    """In order."""
    assert [True, True, True] == [backend.append(n, b"%d" % n) for n in (1, 2, 3)]
    assert [b"1", b"2", b"3"] == list(backend.read())


def test_a_number_is_taken_once(backend: StateBackend):
    """Whoever comes second is told, and what the first one wrote stays."""
    backend.append(1, b"first")
    assert backend.append(1, b"second") is False
    assert [b"first"] == list(backend.read())


def test_words_about_a_segment_are_no_part_of_it(backend: StateBackend):
    """However they are written, and whether or not the backend can show them."""
    assert backend.append(1, b"1", "ci@runner: lease\n\x1b[2J\udcff")
    assert backend.append(2, b"2", "a" * 10_000)
    assert [b"1", b"2"] == list(backend.read())


@pytest.mark.parametrize("number", [-1, 0, 3, 12])
def test_no_number_is_left_out(backend: StateBackend, number: int):
    """A segment that does not follow the last one is refused, and not kept."""
    backend.append(1, b"1")
    with pytest.raises(StateError, match=f"segment {number} "):
        backend.append(number, b"far")
    assert [b"1"] == list(backend.read())


def test_an_older_number_is_taken(backend: StateBackend):
    """Also by a connection that has read nothing yet."""
    for number in (1, 2, 3):
        backend.append(number, b"%d" % number)
    assert backend.append(2, b"another") is False
    assert [b"1", b"2", b"3"] == list(backend.read())


def test_reading_goes_on_after_a_number(backend: StateBackend):
    """Only what follows is read; after the last one, nothing."""
    for number in range(1, 13):
        backend.append(number, b"%d" % number)
    assert [b"10", b"11", b"12"] == list(backend.read(9))
    assert [] == list(backend.read(12))


def test_a_large_segment_stays_whole(backend: StateBackend):
    """Of five megabytes."""
    large = bytes(range(256)) * 20_480
    backend.append(1, large)
    assert [large] == list(backend.read())


def test_bytes_stay_as_they_are(backend: StateBackend):
    """Of every value, no UTF-8, line ends and zeros among them; and none at all."""
    segments = [bytes(range(256)), b"\r\n\0\n", b"", b"\xff\xfe"]
    for number, segment in enumerate(segments, 1):
        backend.append(number, segment)
    assert segments == list(backend.read())


def test_a_snapshot_is_kept(backend: StateBackend):
    """With the number of the last segment in it, whatever bytes it has."""
    kept = Snapshot(12, b"\n7\n\0\xff")
    backend.keep_snapshot(kept)
    assert kept == backend.snapshot()


@pytest.mark.parametrize("numbers", [(9, 10, 11), (10, 11, 9), (11, 9, 10)])
def test_the_newest_snapshot_stays(backend: StateBackend, numbers: tuple[int, ...]):
    """In whatever order they are kept."""
    for number in numbers:
        backend.keep_snapshot(Snapshot(number, b"as of %d" % number))
    assert Snapshot(11, b"as of 11") == backend.snapshot()


def test_a_note_is_changed_by_all(connect: Connect):
    """No change is lost; git keeps none, since each would be a commit."""

    def count(_: int) -> None:
        with closing(connect()) as backend:
            backend.change_note("limits", lambda text: f"{int(text or 0) + 1}")

    found: list[str] = []
    with ThreadPoolExecutor(3) as pool, closing(connect()) as backend:
        if backend.place.startswith("git:"):
            with pytest.raises(StateError):
                backend.change_note("limits", str)
            return
        [*pool.map(count, range(5))]
        backend.change_note("limits", lambda text: found.append(text) or text)
    assert ["5"] == found


def test_connections_see_each_other(connect: Connect):
    """What one has appended, the other reads and follows."""
    one, other = connect(), connect()
    one.append(1, b"1")
    assert [b"1"] == list(other.read())
    assert other.append(2, b"2")
    one.keep_snapshot(Snapshot(2, b"both"))
    assert [b"2"] == list(one.read(1))
    assert Snapshot(2, b"both") == other.snapshot()


def test_ten_at_once_fill_every_number_once(connect: Connect):
    """Each takes the next free number; nothing is lost or doubled."""
    backends = [connect() for _ in range(10)]

    def append(writer: int) -> tuple[int, bytes]:
        segments = ((number, b"%d of writer %d" % (number, writer)) for number in count(1))
        return next(pair for pair in segments if backends[writer].append(*pair))

    with ThreadPoolExecutor(10) as pool:
        kept = sorted(pool.map(append, range(10)))
    assert list(range(1, 11)) == [number for number, _ in kept]
    assert [segment for _, segment in kept] == list(connect().read())


def test_a_backend_can_be_closed_twice(connect: Connect):
    """Whether it was used or not; the log stays."""
    used, unused = connect(), connect()
    used.append(1, b"1")
    for backend in (used, unused, used, unused):
        backend.close()
    assert [b"1"] == list(connect().read())
