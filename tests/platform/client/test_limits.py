"""A platform that is hostile or broken: what it sends has an end, in bytes and in time."""

import gzip
import time
import zlib
from collections.abc import Callable, Iterator
from types import SimpleNamespace

import pytest

from lmssync.errors import PlatformError, Unreachable
from lmssync.platform.client import DeliveryStatus, Reader, Writer, follow_jobs

from .answering import Answering, Said
from .good import READS, UUID
from .raw import HEAD, VALID, raw, whole

PAGES = b"Transfer-Encoding: chunked\r\n\r\n"
SECONDS = 0.3
MOST = 2 * 1024 * 1024
Answer = Callable[[], Iterator[bytes]]


@pytest.fixture(autouse=True)
def _little(monkeypatch: pytest.MonkeyPatch) -> None:
    """A limit that is reached at once."""
    monkeypatch.setattr("lmssync.platform.client.http_connections.ANSWER_BYTES_MOST", MOST)


def endless(first: bytes, piece: bytes) -> Iterator[bytes]:
    """Three times what may be; a client that does not hang up gets all of it."""
    yield first
    for _ in range(3 * MOST // len(piece)):
        yield piece


def dripping(first: bytes, piece: bytes, last: bytes = b"") -> Iterator[bytes]:
    """Never a pause as long as the time-out, and many times as long in all."""
    yield first
    for _ in range(40):
        yield piece
        time.sleep(SECONDS / 6)
    yield last


def packed(data: bytes, form: int) -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, form)
    return packer.compress(data) + packer.flush()


def complaint(answer: Answer, timeout: float = 20) -> str:
    """What a reader says of a platform that answers like this."""
    with raw(lambda _asked: answer()) as server, Reader(server.base_url, "k", timeout) as reader:
        reader.pace.sleep = lambda *_: None  # type: ignore[method-assign]
        with pytest.raises(PlatformError) as caught:
            reader.ping_platform()
    return caught.value.message


@pytest.mark.parametrize(
    ("head", "piece"),
    [
        (b"\r\n", b" " * 65_536),
        (b"Content-Length: 99999999999\r\n\r\n", b" " * 65_536),
        (PAGES, b"10000\r\n" + b" " * 65_536 + b"\r\n"),
    ],
    ids=["until it hangs up", "a length", "chunks"],
)
def test_a_body_without_end_is_left(head: bytes, piece: bytes):
    """The client hangs up when a body exceeds the limit."""
    said = complaint(lambda: endless(HEAD + head, piece))
    assert "an answer of more than 2 MB, the most that is read" in said


def test_what_is_too_large_is_not_asked_for_again():
    """It would be as large the next time."""
    with raw(lambda _: whole(BOMB)) as server, pytest.raises(PlatformError):
        Reader(server.base_url, "k").ping_platform()
    assert ["GET /incoming/v2/ping"] == server.asked


BOMB = b" " * (MOST + 1)


@pytest.mark.parametrize(
    ("name", "body", "said"),
    [
        (b"gzip", gzip.compress(BOMB, mtime=0), "an answer of more than 2 MB"),
        (b"deflate", zlib.compress(BOMB), "an answer of more than 2 MB"),
        (b"deflate", packed(BOMB, -15), "an answer of more than 2 MB"),
        (
            b"gzip, gzip",
            gzip.compress(gzip.compress(BOMB, mtime=0), mtime=0),
            "compressed in a way that was not asked",
        ),
        (b"br", b"\x1b\0\xf8", "compressed in a way that was not asked for"),
        (b"gzip", b"not packed", "an answer that cannot be decompressed"),
        (b"gzip", gzip.compress(VALID, mtime=0)[:-4], "an answer that cannot be decompressed"),
    ],
)
def test_a_packed_body_is_unpacked_up_to_a_limit(name: bytes, body: bytes, said: str):
    """A compressed body is refused when its decompressed size exceeds the limit."""
    assert said in complaint(lambda: whole(body, HEAD, b"Content-Encoding: " + name))


@pytest.mark.parametrize(
    ("name", "pack"),
    [(b"gzip", gzip.compress), (b"deflate", zlib.compress), (b"deflate", lambda b: packed(b, -15))],
)
def test_what_is_packed_as_asked_is_read(name: bytes, pack: Callable[[bytes], bytes]):
    """Requested compressions are read, including both forms of deflate."""
    said = [HEAD, b"Content-Encoding: " + name]
    with raw(lambda _: whole(pack(VALID), *said)) as server, Reader(server.base_url, "k") as reader:
        reader.ping_platform()
    assert "accept-encoding: gzip, deflate" in server.heads[0].lower()


@pytest.mark.parametrize(
    "answer",
    [
        lambda: dripping(HEAD + b"Content-Length: 54\r\n\r\n", b" ", VALID),
        lambda: dripping(HEAD, b"X-A: a\r\n", b"Content-Length: 15\r\n\r\n" + VALID),
        lambda: dripping(b"HTTP/1.1 200 ", b"O", HEAD[15:] + b"Content-Length: 15\r\n\r\n" + VALID),
        lambda: dripping(b"", b"HTTP/1.1 100 Continue\r\n\r\n", b"".join(whole(VALID))),
    ],
    ids=["body", "headers", "reason", "provisional answers"],
)
def test_an_answer_that_drips_is_left(answer: Answer):
    """The time-out is for the whole answer, not for each byte."""
    assert "no answer in time" in complaint(answer, SECONDS)


def test_a_write_that_is_answered_in_drips_is_in_doubt(monkeypatch: pytest.MonkeyPatch):
    """A write whose answer is too slow is unknown and is not sent again."""
    drips = lambda _asked: dripping(HEAD + b"\r\n", b" ")  # noqa: E731
    with raw(drips) as server, Writer(server.base_url, "k", SECONDS) as writer:
        # However long it takes to send it: time begins with what the server has heard.
        clock = SimpleNamespace(monotonic=lambda: time.monotonic() if server.asked else 0.0)
        monkeypatch.setattr("lmssync.platform.client.http_connections.time", clock)
        assert DeliveryStatus.UNKNOWN is writer.send_write("course.create", {}, {}).fate
    assert ["POST /incoming/v2/content/course/create"] == server.asked


def test_no_cookie_is_kept():
    """Cookies of an answer are not sent with later requests."""
    more = [b"Set-Cookie: a%d=%s" % (n, b"x" * 900) for n in range(20)]
    with raw(lambda _: whole(VALID, HEAD, *more)) as server, Reader(server.base_url, "k") as reader:
        reader.ping_platform()
        reader.ping_platform(again=True)
    assert "cookie:" not in server.heads[1].lower()


@pytest.mark.parametrize("status", [429, 503])
@pytest.mark.parametrize("wait", ["0", "3000", "80000"])
def test_a_platform_that_is_busy_for_ever_is_left(
    client: Writer, server: Answering, status: int, wait: str
):
    """The client gives up after two hours of requested waits."""
    busy = Said({}, status, {"Retry-After": wait})
    server.answer = lambda _asked: busy if len(server.asked) < 500 else Said(READS["ping"])
    with pytest.raises(Unreachable):
        client.ping_platform(again=True)
    assert client.pace._clock() < 1_000 + 7_300


def test_jobs_that_come_too_late_are_not_asked_for(client: Writer, server: Answering):
    """Jobs that were not read in time are reported as still running."""
    server.answer = lambda _asked: Said(READS["job.read"] | {"status": "processing"})
    ends = follow_jobs(client, [f"{UUID}{n}" for n in range(5)], patience=-1)
    assert [False] * 5 == [end.is_over or end.is_lost for end in ends]
    assert [] == server.asked


def test_few_answers_are_held_before_they_are_wanted():
    """Whoever is slow to use what was read does not fill the memory with it."""
    asked: list[int] = []
    with Reader("http://127.0.0.1:1", "k") as reader:
        answers = reader.ask_each(asked.append, range(1_000))
        next(answers)
        answers.close()
    assert len(asked) < 20
