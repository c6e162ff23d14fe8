"""Lists that several machines send, which share one state."""

from collections import Counter

import pytest

from tests.served_catalog import Platform, Workspace
from tests.state.file_backend import FileBackend
from tests.state.test_state_shared import another_checkout, shared

from .test_operations import (
    DONE,
    ERROR,
    LINE_MANAGER,
    demo,
    outcomes,
    record,
    recorded,
    row,
    sent,
    write,
)

__all__ = ["shared"]  # a fixture


@pytest.fixture
def key(monkeypatch: pytest.MonkeyPatch) -> str:
    """The key of people, which every machine has."""
    key = "5e" * 32
    monkeypatch.setenv("LMSSYNC_PEOPLE_KEY", key)
    return key


def test_what_one_machine_has_sent_another_does_not(
    work: Workspace, shared: FileBackend, platform: Platform, key: str
) -> None:
    """It knows the rows by the key that both have; the log that they share names nobody."""
    write(work, *(row(number) for number in range(408, 414)))
    assert DONE == record(work).code
    another_checkout(work)
    write(work, *(row(number) for number in range(408, 415)))

    assert DONE == record(work, "--out", "receipt.csv").code

    assert ["unchanged"] * 6 + ["done"] == outcomes(work)
    assert Counter(map(demo, range(408, 415))) == recorded(platform)
    log = b"".join(shared.plain()).decode(errors="replace")
    assert [] == [one for one in (demo(408), LINE_MANAGER, key) if one in log]
    assert DONE == work.run("state", "verify").code


def test_a_machine_without_the_key_sends_nothing(
    work: Workspace, shared: FileBackend, platform: Platform
) -> None:
    """Without the key of people it would not know what others have sent."""
    write(work, row(408))
    done = record(work)
    assert (ERROR, 0) == (done.code, sent(platform))
    assert "LMSSYNC_PEOPLE_KEY" in done.err
