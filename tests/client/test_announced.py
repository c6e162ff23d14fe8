"""What a journal announces is sent at once, or it is announced again."""

import pytest

from lmssync.client import Announced, Fate, Writer, announced

from .answering import Answering, Said

SEND = "course.create", {}, {"courses": []}


@pytest.fixture
def late(monkeypatch: pytest.MonkeyPatch) -> Announced:
    """It was announced before the process was paused for longer than a byte may take."""
    call = Announced()
    monkeypatch.setattr(announced, "PROMPT", -1.0)
    return call


def test_what_was_announced_too_long_ago_is_not_sent(
    client: Writer, server: Answering, late: Announced
):
    """Not a byte of it: another run may have looked for it in vain meanwhile."""
    outcome = client.send(*SEND, announced=late)
    assert (Fate.UNSENT, True) == (outcome.fate, outcome.late)
    assert [] == server.asked


def test_after_a_429_it_is_announced_again(client: Writer, server: Answering):
    """The wait may be long, and whoever finds the call counts from its announcement."""
    server.answer = lambda _asked: Said({"errors": ["later"]}, 429, {"Retry-After": "30"})
    call = Announced()

    outcome = client.send(*SEND, announced=call)

    assert (Fate.UNSENT, True, 429) == (outcome.fate, outcome.late, outcome.status)
    assert (1, 30.0) == (len(server.asked), call.waited)


def test_a_clock_that_was_set_makes_it_late(monkeypatch: pytest.MonkeyPatch):
    """One clock may stand still while a machine sleeps, and the other goes on."""
    call = Announced()
    assert not call.late
    later = announced.time.time() + 60
    monkeypatch.setattr(announced.time, "time", lambda: later)
    assert call.late
    call.again()
    assert not call.late
