"""What the platform does later than expected is found before anything is sent again."""

import os
import time
from collections.abc import Callable
from threading import Event, Timer

import pytest

from lmssync.applying.apply import platform_work
from tests import forking
from tests.answer_proxy import AnswerProxy
from tests.patience import PATIENCE
from tests.platform.client.answering import Asked, Said
from tests.served_catalog import Platform, Workspace, wait_until

from .test_absence import CRITERION, LOST, Lost

UNKNOWN = 4
SECOND = 1.0


@pytest.fixture(autouse=True)
def _later(monkeypatch: pytest.MonkeyPatch) -> None:
    """A call may take two seconds: one until its sender gives it up, and another one."""
    monkeypatch.setattr(platform_work, "MARGIN", SECOND)


def give_up_after_a_second(work: Workspace) -> None:
    settings = (work.root / "lmssync.yaml").read_text()
    work.write("lmssync.yaml", settings.replace(f"timeout: {PATIENCE}", "timeout: 1"))


@LOST
def test_a_call_that_lands_within_the_bound_is_waited_for(
    work: Workspace, platform: Platform, way: AnswerProxy, lost: Lost
) -> None:
    """A call may land after our time-out: the next run waits for it, and does not send it again."""
    give_up_after_a_second(work)
    work.course("a")
    work.apply()
    before = len(platform.requests(route=lost.route))
    work.course("a", lost.more)
    way.answer_by(lambda asked: way.pass_on(delayed(asked, 1.5 * SECOND)))

    assert (UNKNOWN, 0) == (work.apply().code, work.apply().code)
    assert before + 1 == len(platform.requests(route=lost.route))
    assert [] == work.plan()["changes"]


def delayed(asked: Asked, seconds: float) -> Asked:
    """The same request, after so many seconds if it changes something."""
    if asked.method != "GET":
        time.sleep(seconds)
    return asked


@pytest.mark.slow
def test_a_call_of_a_killed_run_is_waited_for(
    work: Workspace, platform: Platform, way: AnswerProxy, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A request that the platform does after its run was killed is found by the next run."""
    give_up_after_a_second(work)
    work.course("a")
    work.apply()
    work.course("a", CRITERION)
    begun, done = Event(), Event()
    way.answer_by(lambda asked: way.pass_on(until(done, asked, begun)))
    monkeypatch.setitem(work.env, "LMSSYNC_BASE_URL", way.base_url)
    process = forking.start(["apply", "--yes"], root=work.root, env=os.environ | work.env)
    wait_until(begun.is_set, "a call")
    process.kill()
    process.join()
    Timer(SECOND / 2, done.set).start()

    assert 0 == work.apply().code
    assert 1 == len(platform.requests(route="criteria.update"))


def until(done: Event, asked: Asked, begun: Event) -> Asked:
    """The same request, if it changes something once `done` is set."""
    if asked.method != "GET":
        begun.set()
        done.wait(PATIENCE)
    return asked


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
