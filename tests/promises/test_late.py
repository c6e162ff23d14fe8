"""What the platform does later than expected is found before anything is sent again."""

from collections.abc import Callable

import pytest

from lmssync.applying.apply import call_lateness
from lmssync.platform import client
from tests.answer_proxy import AnswerProxy
from tests.platform.client.answering import Asked, Said
from tests.served_catalog import PATIENCE, PROJECT, Platform, Workspace

from .conftest import extended
from .test_absence import LOST, Lost

UNKNOWN = 4


def given_up_at(work: Workspace, seconds: float, request: pytest.FixtureRequest) -> None:
    """From now on a call is given up after so many seconds, and waited for as by default."""
    profile = "profile: extended, " if extended(request) else ""
    options = f"timeout: {seconds}"
    text = PROJECT.replace(f"timeout: {PATIENCE}", options).replace(
        "{license", f"{{{profile}license"
    )
    work.write("lmssync.yaml", text)


@LOST
def test_a_call_that_lands_within_the_bound_is_waited_for(
    work: Workspace,
    platform: Platform,
    lost: Lost,
    request: pytest.FixtureRequest,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A call may land seconds after our time-out: the next run waits as long as it says."""
    work.course("a")
    work.apply()
    made = len(platform.dump(lost.made))
    given_up_at(work, 1, request)
    monkeypatch.setattr(call_lateness, "MARGIN", client.MARGIN)
    work.course("a", lost.more)
    platform.fault("delay", lost.route, seconds=5.0, when="before")

    assert (UNKNOWN, 0) == (work.apply().code, work.apply().code)
    assert made + 1 == len(platform.dump(lost.made))


@LOST
def test_what_lands_while_a_call_waits_is_found(
    work: Workspace, platform: Platform, way: AnswerProxy, lost: Lost
) -> None:
    """Before a call that had to wait is sent, the exact list is read once more."""
    work.course("a")
    work.apply()
    made = len(platform.dump(lost.made))
    work.course("a", lost.more)
    way.bend(lost.route, once(lambda said: Said({"errors": ["later"]}, 429, {"Retry-After": "0"})))

    work.apply()

    assert made + 1 == len(platform.dump(lost.made))
    work.apply()
    assert [] == work.plan()["changes"]


def once(change: Callable[[Said], Said]) -> Callable[[Asked, Said], Said]:
    """Changes the first answer: its call was carried out, and the run hears that it was not."""
    left = [change]
    return lambda _asked, said: left.pop()(said) if left else said
