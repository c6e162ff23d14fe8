"""What is needed later is kept out of the memory, and comes back as it was."""

import errno
import gc
import subprocess
import sys
from collections.abc import Callable
from textwrap import dedent

import pytest

from lmssync.support import disk_buffer
from lmssync.support.disk_buffer import DiskBuffer

PIECES = [b"%d" % number * number for number in range(1, 50)]


@pytest.mark.parametrize("at_hand", [0, 100, 1_000_000])
def test_pieces_come_back(at_hand: int, monkeypatch: pytest.MonkeyPatch):
    """They are the same in any order, whether in memory or in a file."""
    monkeypatch.setattr(disk_buffer, "_AT_HAND", at_hand)
    kept = list(map(DiskBuffer().keep_bytes, PIECES))
    assert (at_hand < 1_000_000) is any(not isinstance(piece, bytes) for piece in kept)
    assert PIECES[::-1] == list(map(_fetched, reversed(kept)))


def test_pieces_are_added_while_others_are_read(monkeypatch: pytest.MonkeyPatch):
    """Reading one does not change where the next one is put."""
    monkeypatch.setattr(disk_buffer, "_AT_HAND", 0)
    spilled = DiskBuffer()
    kept = [piece for piece in map(spilled.keep_bytes, PIECES) if _fetched(piece)]
    assert PIECES == list(map(_fetched, kept))


def test_the_pieces_alone_keep_the_file(monkeypatch: pytest.MonkeyPatch):
    """What is kept can be read as long as it is needed; then the file is closed."""
    monkeypatch.setattr(disk_buffer, "_AT_HAND", 0)
    piece = DiskBuffer().keep_bytes(PIECES[7])
    gc.collect()
    assert PIECES[7] == _fetched(piece)


def test_a_disk_that_fills_up_costs_memory_only():
    """What the disk does not take stays in memory, and nothing that it took is lost."""
    code = """
        import resource, signal
        from lmssync.support import disk_buffer
        disk_buffer._AT_HAND = 0
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, 10_000))
        pieces = [b"%d" % number * 900 for number in range(20)]
        kept = list(map(disk_buffer.DiskBuffer().keep_bytes, pieces))
        assert pieces == [one if isinstance(one, bytes) else one() for one in kept]
        print(sum(isinstance(one, bytes) for one in kept))
    """
    done = subprocess.run(
        [sys.executable, "-c", dedent(code)], capture_output=True, text=True, check=True
    )
    assert ("", True) == (done.stderr, 0 < int(done.stdout) < 20)


def test_without_a_folder_for_files_everything_stays_in_memory(monkeypatch: pytest.MonkeyPatch):
    """The disk is asked once."""
    asked: list[int] = []

    def refuse(**_: int) -> None:
        asked.append(1)
        raise FileNotFoundError(errno.ENOENT, "No usable temporary directory found")

    monkeypatch.setattr(disk_buffer, "_AT_HAND", 0)
    monkeypatch.setattr("tempfile.TemporaryFile", refuse)
    assert PIECES == list(map(DiskBuffer().keep_bytes, PIECES))
    assert [1] == asked


def _fetched(piece: bytes | Callable[[], bytes]) -> bytes:
    return piece if isinstance(piece, bytes) else piece()
