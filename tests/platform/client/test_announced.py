"""What a journal announces is sent at once, or it is announced again."""

import pytest

from lmssync.errors import StateError
from lmssync.platform.client import (
    DeliveryStatus,
    SendDeadline,
    Writer,
    send_deadline as announced,
    send_within,
)

from .answering import Answering, Said

SEND = "course.create", {}, {"courses": []}


@pytest.fixture
def late() -> SendDeadline:
    """It was announced before the process was paused for longer than a byte may take."""
    return SendDeadline(within=-1.0)


def test_what_was_announced_too_long_ago_is_not_sent(
    client: Writer, server: Answering, late: SendDeadline
):
    """Not a byte of it: another run may have looked for it in vain meanwhile."""
    outcome = client.send_write(*SEND, announced=late)
    assert (DeliveryStatus.UNSENT, True) == (outcome.fate, outcome.late)
    assert [] == server.asked


def test_after_a_429_it_is_announced_again(client: Writer, server: Answering):
    """The wait may be long, and whoever finds the call counts from its announcement."""
    server.answer = lambda _asked: Said({"errors": ["later"]}, 429, {"Retry-After": "30"})
    call = SendDeadline()

    outcome = client.send_write(*SEND, announced=call)

    assert (DeliveryStatus.UNSENT, True, 429) == (outcome.fate, outcome.late, outcome.status)
    assert (1, 30.0) == (len(server.asked), call.waited)


def test_a_clock_that_was_set_makes_it_late(monkeypatch: pytest.MonkeyPatch):
    """One clock may stand still while a machine sleeps, and the other goes on."""
    call = SendDeadline()
    assert not call.is_late
    later = announced.time.time() + 60
    monkeypatch.setattr(announced.time, "time", lambda: later)
    assert call.is_late
    call.announce_again()
    assert not call.is_late


def test_a_place_that_is_always_too_slow(late: SendDeadline):
    """Three times in a row are enough: nobody waits for ever."""
    late.count_missed(late=True)
    late.count_missed(late=False)
    late.count_missed(late=True)
    late.count_missed(late=True)
    with pytest.raises(StateError, match=r"took longer than -1 s, 3 times in a row, so it was not"):
        late.count_missed(late=True)


def test_a_push_may_take_seconds():
    """Where a team shares the log, somebody who finds a call waits for longer as well."""
    assert send_within(shared=False) < 5 < send_within(shared=True)
