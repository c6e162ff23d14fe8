"""The main job on real catalogs: validate, plan, apply, plan again."""

import shutil
from pathlib import Path

from tests.served_catalog import Platform, Workspace

EXAMPLE = Path(__file__).parents[2] / "examples" / "catalog"


def example(work: Workspace) -> None:
    shutil.copytree(
        EXAMPLE, work.root, dirs_exist_ok=True, ignore=shutil.ignore_patterns(".lmssync")
    )


def test_the_example_catalog_is_valid(work: Workspace) -> None:
    """The example catalog is valid without a warning."""
    example(work)

    done = work.run("validate", "--json")

    assert (0, []) == (done.code, done.json["problems"])


def test_a_plan_of_a_new_catalog_creates_everything(work: Workspace) -> None:
    """With nothing recorded, the plan creates everything."""
    example(work)

    summary = work.plan()["summary"]

    assert summary.pop("create") >= 50
    assert {0} == set(summary.values())


def test_all_courses_that_wait_for_nothing_travel_in_one_call(
    work: Workspace, platform: Platform
) -> None:
    """A dozen courses or more are created in one call; those with prerequisites follow."""
    example(work)
    assert 0 == work.apply().code

    creates = platform.requests(route="course.create")

    assert 2 == len(creates)
    assert 12 <= creates[0]["body"].count('"kind"') or 12 <= len(platform.dump("courses")) - 2


def test_a_second_plan_has_nothing_to_do(work: Workspace) -> None:
    """After an apply, a second plan has nothing to do."""
    example(work)
    work.apply()

    done = work.run("plan", "--detailed-exitcode")

    assert 0 == done.code
    assert done.out.startswith("No changes")


def test_a_second_apply_sends_nothing(work: Workspace, platform: Platform) -> None:
    """An apply with nothing to do does not even ask whether the platform is there."""
    example(work)
    work.apply()
    before = len(platform.requests())

    assert 0 == work.apply().code
    assert before == len(platform.requests())


def test_an_edit_plans_exactly_the_field(work: Workspace) -> None:
    """After the edit of a line, the plan shows one field of one course, before and after."""
    work.course("a", "priceInCents: 100\n")
    work.course("b")
    work.apply()
    work.course("a", "priceInCents: 250\n")

    (change,) = work.plan()["changes"]

    assert ("course.a", "update", "commerce") == (
        change["address"],
        change["action"],
        change["effect"],
    )
    assert [{"path": "priceInCents", "before": 100, "after": 250}] == change["fields"]


def test_related_courses_may_form_a_circle(work: Workspace, platform: Platform) -> None:
    """Courses may be related in a circle: an update closes it once both exist."""
    work.course("a", "relatedCourses: [b]\n")
    work.course("b", "relatedCourses: [a]\n")
    assert 0 == work.apply().code

    groups = {group["title"]: group for group in platform.dump("courseGroups")}

    assert [groups["Title of b"]["id"]] == groups["Title of a"]["relatedCourseGroupIds"]
    assert [groups["Title of a"]["id"]] == groups["Title of b"]["relatedCourseGroupIds"]


def test_a_prerequisite_is_there_before_what_needs_it(work: Workspace, platform: Platform) -> None:
    """A course is never open without its prerequisite, not even for a second."""
    work.course("a", "prerequisiteCourses: [b]\n")
    work.course("b")
    assert 0 == work.apply().code

    first, second = platform.requests(route="course.create")

    assert "Title of b" in first["body"]
    assert "prerequisiteCourseIds" in second["body"]


def test_a_criterion_names_the_topic_by_its_id(work: Workspace, platform: Platform) -> None:
    """A criterion uses the topic's id, which is read back after the course is made."""
    work.course(
        "a", "completionCriteria: [{id: p, type: courseAssessmentPassed, topic: start/one/check}]\n"
    )
    assert 0 == work.apply().code

    (criterion,) = platform.dump("completionCriteria")
    (topic,) = [topic for topic in platform.dump("topics") if topic["title"] == "Check"]

    assert topic["id"] == criterion["courseAssessmentPassed"]


def test_markdown_arrives_as_html(work: Workspace, platform: Platform) -> None:
    """The author writes Markdown; the platform gets HTML."""
    work.course("a", edit=("Good morning", '"# Morning"'))
    work.apply()

    (topic,) = [topic for topic in platform.dump("topics") if topic["title"] == "Hello"]

    assert "<h1>Morning</h1>\n" == topic["body"]


def test_what_leaves_the_catalog_is_forgotten_and_stays(
    work: Workspace, platform: Platform
) -> None:
    """A resource that leaves the catalog is no longer managed and stays on the platform."""
    work.course("a")
    work.course("b")
    work.apply()
    (work.root / "b.yaml").unlink()

    assert "forget" == work.plan()["changes"][0]["action"]
    assert 1 == work.apply("--json").json["summary"]["forgotten"]
    assert ["Title of a", "Title of b"] == platform.titles()
    assert 1 == work.plan()["summary"]["unchanged"]
