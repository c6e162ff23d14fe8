"""What a plan is to send is kept out of the memory, and comes back as it was."""

import errno
import gc
from tempfile import SpooledTemporaryFile

import pytest

from lmssync.address import Address
from lmssync.kind import CallPart
from lmssync.plan import spill
from lmssync.plan.spill import Spill

PARTS = [
    CallPart.of(Address("course", f"c-{number}"), "client.clone", {"n": number}, {"t": number})
    for number in range(50)
]


@pytest.mark.parametrize("at_hand", [1, 1_000_000])
def test_parts_come_back(at_hand: int, monkeypatch: pytest.MonkeyPatch):
    """Bodies and forms are the same in any order, whether or not a file had to be made."""
    monkeypatch.setattr(spill, "_AT_HAND", at_hand)
    kept = Spill()
    parts = [kept.part(part) for part in PARTS]
    assert not any(isinstance(part.kept_body, bytes) for part in parts)
    assert [part.body for part in reversed(PARTS)] == [part.body for part in reversed(parts)]
    assert [part.after for part in PARTS] == [part.after for part in parts]


def test_parts_are_added_while_others_are_read(monkeypatch: pytest.MonkeyPatch):
    """Reading one does not change where the next one is put."""
    monkeypatch.setattr(spill, "_AT_HAND", 1)
    kept = Spill()
    parts = [part for part in map(kept.part, PARTS) if part.body]
    assert [part.body for part in PARTS] == [part.body for part in parts]


def test_the_parts_alone_keep_the_file():
    """What is kept can be read as long as a part needs it; then the file is closed."""
    part = Spill().part(PARTS[7])
    gc.collect()
    assert PARTS[7].body == part.body


def test_a_full_disk_costs_memory_only(monkeypatch: pytest.MonkeyPatch):
    """What the disk does not take stays in memory."""

    def full(*_: object) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(SpooledTemporaryFile, "write", full)
    assert PARTS[0] == Spill().part(PARTS[0])
