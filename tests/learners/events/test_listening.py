"""What the receiver of notifications takes, and what it refuses."""

import socket
from collections.abc import Iterator

import pytest

from lmssync.learners.events import KINDS, receive_notifications
from lmssync.learners.events.feed_pulling import Hints

from ... import patient_http

SECRET = "a-path-nobody-guesses"


@pytest.fixture(scope="module")
def receiver() -> Iterator[tuple[int, Hints]]:
    with receive_notifications("127.0.0.1", 0, SECRET) as where:
        yield where


def spoken(port: int, words: bytes) -> bytes:
    """What a receiver answers to these bytes."""
    with socket.create_connection(("127.0.0.1", port), timeout=300) as wire:
        wire.sendall(words)
        wire.shutdown(socket.SHUT_WR)
        return b"".join(iter(lambda: wire.recv(4096), b""))


@pytest.mark.parametrize(
    ("body", "kinds"),
    [
        (b'{"kind": "quizAttempt"}', {"quizAttempt"}),
        (b'{"kind": "bundlePurchase"}', set(KINDS)),
        (b"[]", set(KINDS)),
        (b"no JSON", set(KINDS)),
    ],
)
def test_a_notification_names_the_feed_to_pull(
    receiver: tuple[int, Hints], body: bytes, kinds: set[str]
):
    """All of them where it does not say; twice the same is once."""
    port, hints = receiver
    for _ in range(2):
        answer = patient_http.post(f"http://127.0.0.1:{port}/{SECRET}", content=body)
        assert 200 == answer.status_code
    assert (kinds, set()) == (set(hints.wait_for_kinds(300)), set(hints.wait_for_kinds(0)))


@pytest.mark.parametrize(
    ("words", "status"),
    [
        (b"POST /another-path HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}", b"404"),
        (b"POST / HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}", b"404"),
        (f"POST /{SECRET} HTTP/1.1\r\n\r\n".encode(), b"411"),
        (f"POST /{SECRET} HTTP/1.1\r\nContent-Length: 9999999\r\n\r\n".encode(), b"413"),
        (f"POST /{SECRET} HTTP/1.1\r\nContent-Length: -1\r\n\r\n".encode(), b"411"),
        (f"GET /{SECRET} HTTP/1.1\r\n\r\n".encode(), b"501"),
        (b"\x16\x03\x01\x00\xee garbage\r\n\r\n", b""),
    ],
)
def test_what_is_no_notification_is_refused(
    receiver: tuple[int, Hints], words: bytes, status: bytes
):
    """Without a word about who answers, and nothing is pulled for it."""
    port, hints = receiver
    answer = spoken(port, words)
    assert (status, b"") == (answer[9:12], answer.partition(b"\r\n\r\n")[2])
    assert (False, set()) == (b"Python" in answer, set(hints.wait_for_kinds(0)))
