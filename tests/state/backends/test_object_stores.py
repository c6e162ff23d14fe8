"""Object stores as the backend of a state: what they are asked and refuse, and lost answers."""

import os
import socket
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from uuid import uuid4

import pytest

from lmssync.errors import LmssyncError, StateError, WrongUse
from lmssync.state.backends import Snapshot, StateBackend, open_backend
from tests.served_catalog import wait_until

from .s3_server import S3, SECRET_KEY
from .way import Way

pytest.importorskip("obstore")
URL = "s3://bucket/states"


@contextmanager
def opened(url: str = URL) -> Iterator[StateBackend]:
    with closing(open_backend(url, Path(), "staging", os.environ)) as backend:
        yield backend


def refused(url: str = URL) -> str:
    """What is said of the first use of a backend, with the hint."""
    with pytest.raises(LmssyncError) as caught, opened(url) as backend:
        backend.append(1, b"1")
    return f"{caught.value.message}; {caught.value.hint}"


@pytest.fixture
def s3_way(s3: S3, monkeypatch: pytest.MonkeyPatch) -> Iterator[Way]:
    """To that store; a request is tried once, so that tests need not wait for others."""
    monkeypatch.setitem(_retries(), "max_retries", 0)
    with closing(Way(("127.0.0.1", s3.port))) as way:
        monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{way.port}")
        yield way


def _retries() -> dict:
    from lmssync.state.backends import object_stores

    return object_stores._RETRIES


def test_each_segment_is_an_object(s3: S3):
    """Below the prefix and the environment, in order; the snapshot begins with its number."""
    with opened() as backend:
        for number in (1, 2):
            backend.append(number, b"%d" % number)
        backend.keep_snapshot(Snapshot(2, b"all"))
    there = {key.removeprefix("states/staging/"): value for key, value in s3.objects.items()}
    segments = {"segments/000000000001": b"1", "segments/000000000002": b"2"}
    assert segments | {"snapshot": b"2\nall", "probe": b""} == there


def test_a_store_that_ignores_conditions_is_refused(s3: S3):
    """Before anything is kept there: two runs could overwrite each other."""
    s3.ignores_conditions = True
    assert "ignores conditional writes (If-None-Match)" in refused()
    assert not [key for key in s3.objects if "segments" in key]


def test_a_store_is_probed_once(s3: S3):
    """Whoever comes later needs one request for it, and a connection never asks twice."""
    with opened() as backend:
        backend.append(1, b"1")
        s3.ignores_conditions = True
        assert backend.append(2, b"2")


def test_a_missing_segment_is_missed(s3: S3):
    """Nobody reads past the gap."""
    with opened() as backend:
        for number in (1, 2, 3):
            backend.append(number, b"%d" % number)
        del s3.objects["states/staging/segments/000000000002"]
        with pytest.raises(StateError, match="segment 2 of the state s3://bucket/states/stag"):
            list(backend.read())


def test_other_objects_are_left_alone(s3: S3):
    """Somebody may keep a note beside the segments."""
    with opened() as backend:
        backend.append(1, b"1")
        s3.objects["states/staging/segments/README"] = b"?"
        assert [b"1"] == list(backend.read())


@pytest.mark.parametrize("content", [b"hello", b"-1\n", b"9" * 5_000], ids=len)
def test_a_foreign_snapshot_is_told(s3: S3, content: bytes):
    """It is neither believed nor replaced."""
    s3.objects["states/staging/snapshot"] = content
    with opened() as backend:
        with pytest.raises(StateError, match="was not written by lmssync"):
            backend.snapshot()
        with pytest.raises(StateError, match="was not written by lmssync"):
            backend.keep_snapshot(Snapshot(1, b"1"))


def test_wrong_credentials_are_told(s3: S3, monkeypatch: pytest.MonkeyPatch):
    """With what they must allow, and without repeating them."""
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "somebody-else")
    words = refused()
    assert "does not allow this" in words
    assert "list, read and write the objects" in words
    assert SECRET_KEY not in words
    assert "somebody-else" not in words


def test_a_store_that_is_busy_is_asked_again(s3: S3):
    """`503 Slow Down` is no reason to stop a run."""
    s3.failing = [503, 503]
    with opened() as backend:
        assert backend.append(1, b"1")


def test_a_lost_answer_does_not_make_a_loser(s3: S3):
    """The store has kept the segment; the second try finds it there, and it is ours."""
    with opened() as backend:
        backend.append(1, b"1")
        s3.losing = 1
        assert backend.append(2, b"2")
        assert [b"1", b"2"] == list(backend.read())


def test_a_lost_answer_of_a_snapshot_is_no_reason_to_go_on_for_ever(s3: S3):
    """The second try finds a later version, which is the same."""
    with opened() as backend:
        backend.keep_snapshot(Snapshot(1, b"1"))
        s3.losing = 1
        backend.keep_snapshot(Snapshot(2, b"2"))
        assert Snapshot(2, b"2") == backend.snapshot()


def test_no_store_is_told(s3: S3, monkeypatch: pytest.MonkeyPatch):
    """Where it was looked for, and what to do."""
    monkeypatch.setitem(_retries(), "max_retries", 0)
    with socket.socket() as deaf:
        deaf.bind(("127.0.0.1", 0))
        monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{deaf.getsockname()[1]}")
        words = refused()
    assert "s3://bucket/states/staging cannot be reached: Connection re" in words


def test_an_account_that_is_not_set_is_told(monkeypatch: pytest.MonkeyPatch):
    """With the words of the library, which know what is missing."""
    monkeypatch.delenv("AZURE_STORAGE_ACCOUNT_NAME", raising=False)
    with pytest.raises(WrongUse, match=r"az://box cannot be opened: .*Account must be specified"):
        open_backend("az://box/states", Path(), "staging", os.environ)


@pytest.mark.parametrize("direction", ["there", "back"])
@pytest.mark.parametrize("size", range(0, 1_700, 17))
def test_a_cut_connection_neither_loses_nor_doubles(s3: S3, s3_way: Way, direction: str, size: int):
    """After any number of bytes: what was acknowledged is there, and the same append goes on."""
    segment = bytes(range(256)) * 2
    with opened(f"{URL}#{uuid4().hex}") as backend:
        backend.append(1, b"1")
        s3_way.cut_after(**{direction: size})
        try:
            kept = backend.append(2, segment)
        except StateError:
            kept = None
        s3_way.cut_after()
        segments = list(backend.read(1))
        assert segments == [segment] if kept else segments in ([], [segment])
        assert backend.append(2, segment)
        assert [b"1", segment] == list(backend.read())


def test_a_store_that_never_answers_is_given_up(
    s3: S3, s3_way: Way, monkeypatch: pytest.MonkeyPatch
):
    """Afterwards the same backend goes on."""
    from lmssync.state.backends import object_stores

    with opened() as backend:
        backend.append(1, b"1")
    with monkeypatch.context() as patch:
        patch.setitem(object_stores._CLIENT, "timeout", "300ms")
        with opened() as hasty:
            with s3_way.held(), pytest.raises(StateError, match="no answer came in time"):
                hasty.append(2, b"2")
            wait_until(lambda: appended(hasty), "an answer within that time")
    with opened() as backend:
        assert [b"1", b"2"] == list(backend.read())


def appended(backend: StateBackend) -> bool:
    """Whether the second segment is kept; a busy machine may need several tries."""
    with suppress(StateError):
        return backend.append(2, b"2")
    return False
