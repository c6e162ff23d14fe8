"""`--recreate`: what is made again gets new ids, and whatever names it follows."""

import pytest

from tests.served_catalog import Platform, Workspace

from .test_absence import CRITERION, PATH
from .test_by_hand import PARTIAL, reason

WATCH = "completionCriteria: [{id: v, type: courseTopicViewed, topic: start/one/check}]\n"


def _deleted(work: Workspace, platform: Platform) -> None:
    """Course a is gone from the platform, and its sku is another from now on."""
    platform.delete("courses", sku="S1")
    work.course("a", "sku: S2\n")


def test_a_prerequisite_that_was_made_again_is_set_again(
    work: Workspace, platform: Platform
) -> None:
    work.course("a", "sku: S1\n")
    work.course("b", "prerequisiteCourses: [a]\nrelatedCourses: [a]\n")
    work.apply()
    _deleted(work, platform)

    assert 0 == work.apply("--recreate", "course.a").code
    courses = {one["sku"]: one for one in platform.dump("courses")}
    prerequisites = [one.get("prerequisiteCourseIds") for one in courses.values()]
    assert [courses["S2"]["id"]] in prerequisites
    assert [] == work.plan()["changes"]


def test_a_purchase_path_to_what_was_made_again_is_a_step_for_a_person(
    work: Workspace, platform: Platform
) -> None:
    """A person must change the target of a path, since no route can."""
    sold = "status: published\npriceInCents: 100\npurchasable: true\n"
    work.course("a", "sku: S1\n" + sold)
    work.course("b", "purchasePaths: [{id: p, label: Buy, target: {item: a}}]\n")
    work.apply()
    platform.delete("courses", sku="S1")
    work.course("a", "sku: S2\n" + sold)

    work.apply("--recreate", "course.a")
    (change,) = work.plan()["changes"]
    assert "path.b.p" == change["address"]
    assert "manual" == change["action"]


def test_a_rule_follows_a_topic_that_was_made_again(work: Workspace, platform: Platform) -> None:
    work.course("a", WATCH)
    work.apply()
    platform.delete("topics", title="Check")
    work.course("a", WATCH, edit=("title: Check", "title: Exam"))

    assert 0 == work.apply("--recreate", "course.a").code
    exam = next(one["id"] for one in platform.dump("topics") if one["title"] == "Exam")
    assert [exam] == [one["courseTopicViewed"] for one in platform.dump("completionCriteria")]
    assert [] == work.plan()["changes"]


def test_a_reference_is_sent_later_if_what_was_made_again_was_refused(
    work: Workspace, platform: Platform
) -> None:
    """A reference stays in the plan if its update was refused."""
    work.course("a", "sku: S1\n")
    work.course("b", "relatedCourses: [a]\n")
    work.apply()
    platform.delete("courses", sku="S1")

    assert PARTIAL == work.apply("--recreate", "course.a").code
    assert any(change["address"] == "course.b" for change in work.plan()["changes"])


def test_a_course_is_made_again_where_only_its_rules_change(
    work: Workspace, platform: Platform
) -> None:
    """A course is recreated even if only its rules changed in git."""
    work.write("lmssync.yaml", "version: 1\nplatform: {marker: none}\n")
    work.course("a", CRITERION)
    work.apply()
    platform.delete("courses", title="Title of a")
    work.course("a", CRITERION.replace("80", "90"))

    assert 0 == work.apply("--recreate", "course.a").code
    assert 90 in [one["coursePercentViewed"] for one in platform.dump("completionCriteria")]
    assert [] == work.plan()["changes"]


def test_what_comes_back_to_the_catalog_is_read_first(work: Workspace, platform: Platform) -> None:
    """A resource deleted while unmanaged is noticed when it returns to the catalog."""
    work.course("a", "sku: S1\n")
    work.apply()
    (work.root / "a.yaml").unlink()
    work.apply()
    platform.delete("courses", sku="S1")
    work.course("a", "sku: S1\n")

    assert PARTIAL == work.apply().code
    assert "it is no longer on the platform" in reason(work)


def test_what_was_deleted_and_moves_is_made_as_something_new(
    work: Workspace, platform: Platform
) -> None:
    """A resource that was deleted and moved is created as new."""
    work.course("a", "sku: S1\n")
    work.apply()
    platform.delete("courses", sku="S1")
    (work.root / "a.yaml").unlink()
    work.course("b", "sku: S2\nmoved: [{from: course.a}]\n")

    assert PARTIAL == work.apply("--recreate", "course.b").code
    assert "remove `moved`" in reason(work)
    work.course("b", "sku: S2\n")
    assert 0 == work.apply().code


@pytest.mark.parametrize("more", [CRITERION, PATH], ids=["criterion", "path"])
def test_a_course_is_forgotten_for_good_after_what_was_made_in_it(
    work: Workspace, more: str
) -> None:
    """A course keeps its ids until the rules and paths in it are forgotten for good."""
    work.course("a", more)
    work.apply()
    inside = "criterion.a.m" if more == CRITERION else "path.a.p"

    assert inside in work.run("state", "forget", "course.a", "--drop-ids").err
    assert 0 == work.run("state", "forget", inside, "--drop-ids").code
    assert 0 == work.run("state", "forget", "course.a", "--drop-ids").code


@pytest.mark.parametrize("saved", [False, True], ids=["at once", "saved"])
def test_a_protected_course_still_asks_for_the_new_id_later(
    work: Workspace, platform: Platform, saved: bool
) -> None:
    """A protected course gets the new id once its change is allowed."""
    work.course("a", "sku: S1\n")
    work.course("b", "relatedCourses: [a]\nlifecycle: {protect: true}\n")
    work.apply()
    _deleted(work, platform)
    if saved:
        work.run("plan", "--recreate", "course.a", "--out", "p.json")
    made = work.run("apply", "p.json") if saved else work.apply("--recreate", "course.a")
    assert PARTIAL == made.code

    assert 0 == work.apply("--allow", "course.b").code
    related = [one.get("relatedCourseGroupIds") for one in platform.dump("courseGroups")]
    made_again = platform.dump("courseGroups")[-1]["id"]
    assert [made_again] in related
    assert [] == work.plan()["changes"]


def test_a_field_that_is_left_to_others_is_left_when_what_it_names_is_made_again(
    work: Workspace, platform: Platform
) -> None:
    work.course("a", "sku: S1\n")
    work.course("b", "relatedCourses: [a]\nlifecycle: {ignore: [relatedCourses]}\n")
    work.apply()
    before = [one.get("relatedCourseGroupIds") for one in platform.dump("courseGroups")]
    _deleted(work, platform)

    assert 0 == work.apply("--recreate", "course.a").code
    after = [one.get("relatedCourseGroupIds") for one in platform.dump("courseGroups")]
    assert before == after[: len(before)]
