"""A run asks for the same thing once, and an apply reads again only what may have moved."""

from collections import Counter
from pathlib import Path
from typing import Any

import orjson
import pytest

from lmssync.planning.plan.plan_document import digest_document
from tests.served_catalog import EXTENDED, Platform, Workspace

from .test_list_times import CHANGES, LATER, OWN_READS, RELIABLE, edit

SAFETY = "tags: [Safety]\n"
KEYS = ("a", "b", "c")


@pytest.fixture
def applied(work: Workspace, instance: Platform) -> Workspace:
    """Three courses that were applied long ago, on an instance whose times can be relied on."""
    work.write("lmssync.yaml", RELIABLE)
    for key in KEYS:
        work.course(key, f"description: Of KEY\npriceInCents: 100\n{SAFETY}")
    assert 0 == work.apply().code
    instance.order("clock", LATER)
    return work


def count_reads(platform: Platform) -> Counter[str]:
    """The requests since they were last counted, by route, without the writes."""
    seen = Counter(one["route"] for one in platform.requests() if one["method"] == "GET")
    platform.http.delete("/_sandbox/requests")
    return seen


def save_plan(work: Workspace, description: str = "New") -> str:
    """A saved plan that gives every course another description."""
    for key in KEYS:
        work.course(key, f"description: {description}\npriceInCents: 100\n{SAFETY}")
    saved = str(work.root / "saved.json")
    assert 0 == work.run("plan", "--out", saved).code
    return saved


def own_reads(platform: Platform) -> int:
    return sum(n for route, n in count_reads(platform).items() if route in OWN_READS)


@pytest.mark.parametrize("further", [False, True], ids=["core", "extended"])
def test_an_apply_pings_once_and_lists_tags_once(
    work: Workspace, request: pytest.FixtureRequest, further: bool
) -> None:
    """What the plan of a run has asked, its calls do not ask again."""
    seen: Platform = request.getfixturevalue("instance" if further else "platform")
    if further:
        work.write("lmssync.yaml", EXTENDED)
    work.course("a", SAFETY)
    assert 0 == work.apply().code
    reads = count_reads(seen)
    assert (1, 1) == (reads["ping"], reads["tag.list"])


def test_a_saved_plan_that_reads_does_not_ping(work: Workspace, platform: Platform) -> None:
    """A read that was answered says as much as a ping."""
    for key in KEYS:
        work.course(key)
    assert 0 == work.apply().code
    saved = save_plan(work)
    count_reads(platform)
    assert 0 == work.run("apply", saved).code
    assert {"course.read": 3, "tag.list": 1} == count_reads(platform)


def test_what_a_plan_has_read_serves_its_apply(applied: Workspace, instance: Platform) -> None:
    """Lists show that nothing has moved since the plan: the apply reads no course by itself."""
    count_reads(instance)
    saved = save_plan(applied)
    assert 3 == own_reads(instance)
    assert 0 == applied.run("apply", saved).code
    assert 0 == own_reads(instance)
    assert {"New"} == {one["description"] for one in instance.dump("courseGroups")[-3:]}


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_after_the_plan_is_found(
    applied: Workspace, instance: Platform, change: str
) -> None:
    """What has moved since the plan is read, by itself, and stops the plan if it is the same
    field."""
    saved = save_plan(applied)
    edit(instance, *CHANGES[change])
    instance.order("clock", LATER)
    count_reads(instance)
    done = applied.run("apply", saved)
    assert (5 if change == "description" else 0, 1) == (done.code, own_reads(instance))


def test_what_others_have_changed_before_the_plan_is_read_again(
    applied: Workspace, instance: Platform
) -> None:
    """A plan that shows drift is compared whole before it is applied."""
    edit(instance, *CHANGES["price"])
    instance.order("clock", LATER)
    saved = save_plan(applied)
    count_reads(instance)
    assert (0, 1) == (applied.run("apply", saved).code, own_reads(instance))


def test_a_lately_changed_course_is_read_again(applied: Workspace, instance: Platform) -> None:
    """A read may be behind a change of the last minute, so what the plan has read is not used."""
    edit(instance, *CHANGES["price"])
    edit(instance, "courses", "Title of a", {"priceInCents": 100})
    saved = save_plan(applied)
    count_reads(instance)
    assert (0, 1) == (applied.run("apply", saved).code, own_reads(instance))


@pytest.mark.parametrize("profile", [EXTENDED, RELIABLE], ids=["without", "with"])
def test_without_times_the_apply_reads_everything(
    applied: Workspace, instance: Platform, profile: Any
) -> None:
    """Where the project file does not say that times can be relied on, each course is read."""
    applied.write("lmssync.yaml", profile)
    saved = save_plan(applied)
    count_reads(instance)
    assert 0 == applied.run("apply", saved).code
    assert (3 if profile == EXTENDED else 0) == own_reads(instance)


def test_what_drift_has_found_is_read_again(applied: Workspace, instance: Platform) -> None:
    """An edit that a look has reported stops the plan, though the list shows its old time."""
    rest = f"description: Of KEY\npriceInCents: 100\n{SAFETY}"
    applied.course("a", rest, edit=("Good morning", "Good evening"))
    saved = str(applied.root / "saved.json")
    assert 0 == applied.run("plan", "--out", saved).code
    instance.order("switches", {"courseTimes": "own"})
    edit(instance, *CHANGES["body"])
    instance.order("clock", LATER)
    assert 2 == applied.run("drift", "--refresh", "all").code
    assert 5 == applied.run("apply", saved).code
    assert "<p>By hand</p>" in {one.get("body") for one in instance.dump("topics")}


def test_an_old_plan_is_read_again(applied: Workspace, instance: Platform) -> None:
    """What a plan has read more than a week ago, its apply does not take by its time."""
    saved = Path(save_plan(applied))
    data = orjson.loads(saved.read_bytes())
    for change in data["changes"]:
        change["readOn"] = "2026-01-01"
    saved.write_bytes(orjson.dumps({**data, "digest": digest_document(data)}))
    count_reads(instance)
    assert (0, 3) == (applied.run("apply", str(saved)).code, own_reads(instance))
