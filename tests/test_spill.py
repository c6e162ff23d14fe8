"""What is needed later is kept out of the memory, and comes back as it was."""

import errno
import gc
from collections.abc import Callable
from tempfile import SpooledTemporaryFile

import pytest

from lmssync import spill
from lmssync.spill import Spill

PIECES = [b"%d" % number * number for number in range(1, 50)]


@pytest.mark.parametrize("at_hand", [1, 1_000_000])
def test_pieces_come_back(at_hand: int, monkeypatch: pytest.MonkeyPatch):
    """They are the same in any order, whether or not a file had to be made."""
    monkeypatch.setattr(spill, "_AT_HAND", at_hand)
    kept = list(map(Spill().keep, PIECES))
    assert not any(isinstance(piece, bytes) for piece in kept)
    assert PIECES[::-1] == list(map(_fetched, reversed(kept)))


def test_pieces_are_added_while_others_are_read(monkeypatch: pytest.MonkeyPatch):
    """Reading one does not change where the next one is put."""
    monkeypatch.setattr(spill, "_AT_HAND", 1)
    spilled = Spill()
    kept = [piece for piece in map(spilled.keep, PIECES) if _fetched(piece)]
    assert PIECES == list(map(_fetched, kept))


def test_the_pieces_alone_keep_the_file():
    """What is kept can be read as long as it is needed; then the file is closed."""
    piece = Spill().keep(PIECES[7])
    gc.collect()
    assert PIECES[7] == _fetched(piece)


def test_a_full_disk_costs_memory_only(monkeypatch: pytest.MonkeyPatch):
    """What the disk does not take stays in memory."""

    def full(*_: object) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(SpooledTemporaryFile, "write", full)
    assert PIECES[0] == Spill().keep(PIECES[0])


def _fetched(piece: bytes | Callable[[], bytes]) -> bytes:
    return piece if isinstance(piece, bytes) else piece()
