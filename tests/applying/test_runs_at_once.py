"""A run beside another one says how long it takes: the lines of docs/state.md."""

import os
import re
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from lmssync.platform.client import Urgency, request_sender
from lmssync.platform.client.request_pacing import RequestPacer
from lmssync.platform.client.shared_limits import ActiveRun, LimitLedger, SharedWindow
from lmssync.state.state_files import NoteFile
from tests.served_catalog import COURSE, Platform, Workspace

PAGE = Path(__file__).parents[2] / "docs" / "state.md"
LICENSE = (
    "resource: license\nkey: l{}\nclient: acme\nname: L{}\ncourses: []\nlearningPaths: []\n"
    "courseTags: [Safety]\nseatsLimit: 5\n"
)


def without_times(text: str) -> list[str]:
    """The lines with the same words where other moments had others."""
    return [re.sub(r"[\d.]+ (s|min)", "TIME", line) for line in text.splitlines()]


@pytest.fixture
def meanwhile(platform: Platform, monkeypatch: pytest.MonkeyPatch) -> list[Callable[[], None]]:
    """Time passes for the client and for the platform when the client waits; each time something
    of this list is done."""
    now, meanwhile = [0.0], list[Callable[[], None]]()

    def nap(seconds: float) -> None:
        if meanwhile:
            meanwhile.pop()()
        step = max(seconds, 10.0)  # each order takes its time
        now[0] += step
        platform.order("clock", {"advanceSeconds": step})

    later = SimpleNamespace(**{**vars(time), "time": lambda: time.time() + now[0]})
    monkeypatch.setattr(request_sender, "time", later)
    monkeypatch.setattr(request_sender, "RequestPacer", lambda: RequestPacer(lambda: now[0], nap))
    platform.order("switches", {"accountFigures": "standard"})
    return meanwhile


def begin_another_run(name: str = "another") -> None:
    """An apply has taken a part of the minute that goes on, and needs more."""
    (note,) = Path(os.environ["XDG_CACHE_HOME"]).glob("lmssync/program/limits-*.db")

    def add_another(text: str) -> str:
        ledger = LimitLedger.parse_text(text)
        ledger.windows["account 60"].taken[name] = 25
        ledger.runs[name] = ActiveRun(Urgency.APPLY, time.time() + 90, {"account 60": 70})
        return ledger.spell_text(time.time())

    NoteFile(note).change_text(add_another)


def note_used_hour() -> None:
    """An earlier run has noted that its hour is used up."""
    (note,) = Path(os.environ["XDG_CACHE_HOME"]).glob("lmssync/program/limits-*.db")
    ends, routes = time.time() + 2_000, ["course.read", "ping"]
    window = SharedWindow(1_000, 3_600, ends, is_told=True, taken={"an": 1_000}, routes=routes)
    ledger = LimitLedger({"account 1000": window})
    NoteFile(note).change_text(lambda _text: ledger.spell_text(time.time()))


@pytest.mark.parametrize("account", ["off", "enterprise"])
@pytest.mark.usefixtures("meanwhile")
def test_a_limit_that_is_lifted_is_not_waited_for(
    work: Workspace, platform: Platform, account: str
) -> None:
    """Its hour is used up by what an earlier run has noted; the next answer tells another one, or
    none."""
    work.write("courses.yaml", "---\n".join(COURSE.replace("KEY", f"c{n}") for n in range(7)))
    assert 0 == work.apply().code
    platform.order("switches", {"accountFigures": account})
    note_used_hour()

    done = work.run("drift")

    assert 0 == done.code
    assert "until then" not in done.err


@pytest.mark.slow
@pytest.mark.usefixtures("meanwhile")
def test_the_lines_of_the_page(work: Workspace) -> None:
    """Another run has taken a part of the minute and needs more; nobody is refused."""
    for number in range(28):
        work.write(f"l{number}.yaml", LICENSE.format(number, number))
    work.plan()
    begin_another_run()

    done = work.apply()

    (shown,) = re.findall(r"```text\n(another run uses.*?)```", PAGE.read_text(), re.DOTALL)
    assert 0 == done.code
    assert {*without_times(shown)} <= {*without_times(done.err)}


@pytest.mark.slow
@pytest.mark.usefixtures("meanwhile")
def test_a_look_that_waits_for_an_apply(work: Workspace) -> None:
    """It says how long its reads take altogether."""
    work.write("courses.yaml", "---\n".join(COURSE.replace("KEY", f"c{n}") for n in range(20)))
    assert 0 == work.apply().code
    begin_another_run()

    done = work.run("drift")

    assert 0 == done.code
    assert re.search(r"other runs need .*; all that is left takes [\d.]+ min", done.err)


@pytest.mark.slow
def test_a_forecast_is_said_again_when_another_run_begins(
    work: Workspace, meanwhile: list[Callable[[], None]]
) -> None:
    """It has said one before, which is too short now."""
    for number in range(46):
        work.write(f"l{number}.yaml", LICENSE.format(number, number))
    work.plan()
    begin_another_run()
    meanwhile.append(lambda: begin_another_run("third"))

    said = re.findall(r"waiting (\S+) s: other.* takes ([\d.]+) min", work.apply().err)

    (first, early), (second, late) = said[:2]
    assert float(first) - float(second) < 30  # in the same minute
    assert float(late) > float(early)
