"""Calls that do not depend on each other are under way at once; nothing else changes by that."""

import shutil
import signal
import time
from threading import Event
from typing import Any

import orjson
import pytest

from lmssync.applying.apply.step_scheduler import conflict_keys
from lmssync.planning.plan import restore_plan
from lmssync.platform.client.request_windows import Throttle
from tests.answer_proxy import AnswerProxy
from tests.kinds.test_seats import holders, license_of, write
from tests.patience import read_outputs
from tests.platform.client.answering import Asked, Said
from tests.served_catalog import PROJECT, Platform, Workspace, wait_until

UNREACHABLE, INTERRUPTED = 8, 130
KEYS = "abcdef"
TARGET = "target: {{url: 'https://shop.example.com/{0}', title: Shop}}"
PATH = f"{{{{id: {{0}}, label: Buy {{0}}, {TARGET}}}}}"


def alone(work: Workspace, *keys: str, connections: int = 5) -> None:
    """Courses without a mark: each is sent in a call of its own."""
    settings = f"platform: {{marker: none, connections: {connections}, "
    work.write("lmssync.yaml", PROJECT.replace("platform: {", settings))
    for key in keys:
        work.course(key)


@pytest.mark.slow
def test_calls_that_were_cut_off_are_each_open(work: Workspace, platform: Platform) -> None:
    """If a run is killed with five calls under way, none of them is sent a second time."""
    alone(work, *KEYS)
    platform.hold("course.create", when="after", times=5)
    process = work.start("apply", "--yes")
    wait_until(lambda: len(platform.titles()) == 5, "five courses")
    platform.kill(process)

    assert {"blocked": 5, "create": 1} == {k: n for k, n in work.plan()["summary"].items() if n}
    for course in platform.dump("courses"):
        key = course["title"].removeprefix("Title of ")
        assert 0 == work.run("resolve", f"course.{key}", "--adopt", course["id"]).code
    assert 0 == work.apply().code
    assert [f"Title of {key}" for key in KEYS] == platform.titles()
    assert [] == work.plan()["changes"]


@pytest.mark.slow
def test_what_was_asked_to_stop_lets_all_calls_end(work: Workspace, platform: Platform) -> None:
    """After Ctrl-C no call is started; those under way are recorded."""
    alone(work, *KEYS)
    platform.hold("course.create", times=6)
    process = work.start("apply", "--yes")
    platform.wait_for("course.create", worked=False)
    process.send_signal(signal.SIGINT)
    platform.let_go()
    read_outputs(process)

    assert INTERRUPTED == process.returncode
    made = len(platform.titles())
    assert made == work.plan()["summary"]["unchanged"] <= 5


def test_reports_are_in_the_order_of_the_plan(work: Workspace, way: AnswerProxy) -> None:
    """What is done first is not reported first: the first answer comes after another one."""
    alone(work, *KEYS)
    created: list[Asked] = []
    sixth = Event()

    def wait_for_the_sixth(asked: Asked, said: Said) -> Said:
        created.append(asked)
        if len(created) == len(KEYS):
            sixth.set()
        assert b"Title of a" not in asked.body or sixth.wait(300)
        return said

    way.bend("course.create", wait_for_the_sixth)
    done = work.apply("--progress", "json")

    events = [orjson.loads(line) for line in done.err.splitlines()]
    assert list(range(1, 7)) == [one["number"] for one in events if one["event"] == "step"]
    ended = [one["address"] for one in events if one["event"] == "resource"]
    assert [f"course.{key}" for key in KEYS] == ended


def test_an_error_lets_what_is_under_way_end(work: Workspace, platform: Platform) -> None:
    """A run that a refused key stops has recorded all calls that the platform has done."""
    alone(work, *KEYS)
    platform.fault("answer", "course.create", status=401, body={"errors": ["no"]}, nth=2)

    assert UNREACHABLE == work.apply().code
    assert len(platform.titles()) == work.plan()["summary"]["unchanged"] > 0
    assert 0 == work.apply().code
    assert [f"Title of {key}" for key in KEYS] == platform.titles()


def test_purchase_paths_of_a_course_keep_their_order(work: Workspace, platform: Platform) -> None:
    """Learners see the paths of a course in the order in which they were made."""
    paths = ", ".join(PATH.format(f"p{n}") for n in range(6))
    work.course("a", f"purchasePaths: [{paths}]\n")
    work.course("b", f"purchasePaths: [{PATH.format('other')}]\n")
    platform.fault("delay", "path.create", seconds=0.2, when="before", nth=2)

    assert 0 == work.apply().code
    labels = [one["label"] for one in platform.dump("purchasePaths")]
    assert [f"Buy p{n}" for n in range(6)] == [one for one in labels if one != "Buy other"]


def test_twins_are_made_one_after_the_other(work: Workspace, platform: Platform) -> None:
    """Courses that only their ids tell apart are recorded with an id each."""
    alone(work)
    for key in KEYS:
        work.course(key, edit=("Title of KEY", "The same"))

    assert 0 == work.apply().code
    assert 6 == len({course["id"] for course in platform.dump("courses")})
    assert [] == work.plan()["changes"]


def test_a_saved_plan_keeps_twins_apart(work: Workspace) -> None:
    """Its calls are made one after the other as well: a read could confuse the two courses."""
    for key in ("a", "b"):
        work.course(key, edit=("Title of KEY", "The same"))
    assert 0 == work.run("plan", "--out", "plan.json").code
    steps = restore_plan(work.root / "plan.json").steps
    first, second = (conflict_keys(step) for step in steps if step.parts[0].creates)
    assert {f"look {hash('the same')}"} == first & second


def test_seats_are_freed_before_they_are_taken(work: Workspace, platform: Platform) -> None:
    """A list that comes first takes the seat that another list frees in the same apply."""
    work.course("safety")
    work.write("crew.yaml", license_of(1))
    write(work, "z", "all kept", 0)
    assert 0 == work.apply().code
    write(work, "z", "all kept")
    write(work, "a", "all kept", 1)

    done = work.apply()

    assert 0 == done.code, done.out
    assert 1 == holders(platform)


@pytest.mark.parametrize("mark", ["licenseMarker: ref10, ", ""])
def test_a_lost_state_is_noticed_before_anything_is_made_twice(
    work: Workspace, platform: Platform, mark: str
) -> None:
    """What the platform takes twice waits until it has taken what it takes once: a sku."""
    work.write("lmssync.yaml", PROJECT.replace("licenseMarker: ref10, ", mark))
    license_ = license_of(0).replace("[safety]", "[]").replace("Tags: []", "Tags: [Onboarding]")
    work.write("crew.yaml", license_)
    work.course("a")
    assert 0 == work.apply().code
    shutil.rmtree(work.root / ".lmssync")

    assert 0 != work.apply("--allow", "manyChanges").code
    assert 1 == [one["name"] for one in platform.dump("licenses")].count("Crew")


def apply_many(work: Workspace, platform: Platform) -> int:
    """Applies 210 courses to a standard account; returns how many requests that takes."""
    platform.order("switches", {"accountFigures": "standard"})
    topic = "topics: [{{id: t, title: T, type: survey}}]"
    text = f"resource: course\nkey: {{0}}\nkind: microCourse\ntitle: {{0}}\n{topic}\n"
    work.write("many.yaml", "---\n".join(text.format(f"c{n}") for n in range(210)))
    before = len(platform.requests())
    done = work.apply()
    assert 0 == done.code
    assert "waiting" not in done.err
    return len(platform.requests()) - before


def test_reads_beside_creates_leave_them_their_minute(work: Workspace, platform: Platform) -> None:
    """Three creates are under way at once, and no more is read back than sixty calls allow."""
    assert 50 < apply_many(work, platform) <= 60


def test_what_has_ended_is_in_its_window(
    work: Workspace, platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No read takes the place of a call that has just ended, however long its end takes."""
    end_request = Throttle.end_request

    def end_late(*of_call: Any) -> None:
        time.sleep(0.02)
        end_request(*of_call)

    monkeypatch.setattr(Throttle, "end_request", end_late)
    assert apply_many(work, platform) <= 60
