"""Parts with new titles and resources with new keys are not made twice without being asked."""

import pytest

from tests.kinds.test_course_updates import LICENSE
from tests.served_catalog import Platform, Workspace, actions

COURSE = """\
resource: course
key: KEY
kind: courseGroup
title: The course
sections:
  - title: Start
    lessons:
      - title: One
        openType: open
        topics:
          - {title: Hello, type: text, markdown: Good morning}
          - {title: Check, type: quiz}
"""
RULE = "completionCriteria: [{id: most, type: coursePercentViewed, percent: 80}]\n"
INVALID = 3


def course(work: Workspace, key: str = "a", *, edit: tuple[str, str] = ("", "")) -> None:
    text = COURSE.replace(*edit) if edit[0] else COURSE
    work.write(f"{key}.yaml", text.replace("KEY", key) + RULE)


@pytest.fixture
def applied(work: Workspace) -> Workspace:
    """A course none of whose parts has an id, and a license that names it."""
    course(work)
    work.write("l.yaml", LICENSE)
    assert 0 == work.apply().code
    return work


def rename(work: Workspace, key: str = "b") -> None:
    (work.root / "a.yaml").unlink()
    course(work, key)
    work.write("l.yaml", LICENSE.replace("[a]", f"[{key}]"))


NEW_TITLES = [
    ("title: Hello", "title: Good day", "id: hello, title: Good day"),
    ("title: Check", "title: Final check", "id: check, title: Final check"),
    ("title: One", "title: First", "id: one\n        title: First"),
    ("title: Start", "title: Begin", "id: start\n    title: Begin"),
]


@pytest.mark.parametrize(("old", "new", "kept"), NEW_TITLES)
def test_a_part_under_another_title_waits(
    applied: Workspace, platform: Platform, old: str, new: str, kept: str
) -> None:
    """A part with a new title is blocked until it gets the id that the plan suggests."""
    course(applied, edit=(old, new))
    (change,) = applied.plan()["changes"]
    assert ("blocked", "replace") == (change["action"], change["guard"])
    assert f"`{kept.partition(',')[0].splitlines()[0]}`" in change["reasons"][0]
    assert (INVALID, []) == (applied.apply().code, platform.requests(route="course.update"))

    course(applied, edit=(old, kept))
    assert 0 == applied.apply().code
    assert [] == applied.plan()["changes"]
    assert 2 == len(platform.dump("topics"))


def test_a_word_makes_a_new_part(applied: Workspace, platform: Platform) -> None:
    """When allowed, the part is made anew; the old one stays until a person deletes it."""
    course(applied, edit=("title: Hello", "title: Good day"))
    assert 0 == applied.apply("--allow", "course.a").code
    assert ["Hello", "Good day", "Check"] == platform.topics("The course")
    assert {"course.a": "manual"} == actions(applied.plan())


def test_a_part_with_other_content_is_only_pointed_at(applied: Workspace) -> None:
    """If the content differs too, the plan goes on and only mentions the id."""
    text = COURSE.replace("title: Hello", "title: Good day").replace("morning", "evening")
    applied.write("a.yaml", text.replace("KEY", "a") + RULE)
    (change,) = applied.plan()["changes"]
    assert "update" == change["action"]
    assert "`id: hello`" in " ".join(change["reasons"])


def test_a_new_key_waits(applied: Workspace, platform: Platform) -> None:
    """A resource with a new key is blocked, with its short forms and what refers to it."""
    rename(applied)
    changes = {change["address"]: change for change in applied.plan()["changes"]}
    assert {"blocked"} == set(actions(applied.plan()).values())
    assert "`moved: [{from: course.a}]`" in changes["course.b"]["reasons"][0]
    assert "course.b" in changes["course.a"]["reasons"][0]
    assert INVALID == applied.apply().code
    assert (["The course"], 5) == (platform.titles(), len(changes))


def test_moved_answers_it(applied: Workspace, platform: Platform) -> None:
    """With the `moved` that the reason suggests, it stays the same course."""
    rename(applied)
    applied.write("b.yaml", (applied.root / "b.yaml").read_text() + "moved: [{from: course.a}]\n")
    assert 0 == applied.apply().code
    assert [] == applied.plan()["changes"]
    assert ["The course"] == platform.titles()


def test_a_word_makes_a_second_course(applied: Workspace, platform: Platform) -> None:
    """When allowed, a second course is made and the first one is let go."""
    rename(applied)
    assert 0 == applied.apply("--allow", "course.b").code
    assert ["The course", "The course"] == platform.titles()
    assert {"license.staff": "manual"} == actions(applied.plan())


def test_another_course_is_no_question(applied: Workspace) -> None:
    """A new course with another title is not blocked by one that leaves the catalog."""
    rename(applied)
    other = (applied.root / "b.yaml").read_text().replace("The course", "Another")
    applied.write("b.yaml", other)
    assert "blocked" not in actions(applied.plan()).values()
