"""What a person has found on the platform, and `adopt` refuses, is not made a second time."""

import pytest

from tests.served_catalog import Platform, Workspace, actions

from .platform_import.filled_courses import create_course

MANIFEST = """\
resource: course
key: unit
kind: microCourse
title: TITLE
topics: [{title: a, type: text, body: <p>x</p>}]
"""


@pytest.fixture
def refused(work: Workspace, platform: Platform) -> str:
    """The id of a course of others, for which the manifest has another title."""
    id_ = create_course(platform)
    work.write("unit.yaml", MANIFEST.replace("TITLE", "Something else"))
    work.write("other.yaml", MANIFEST.replace("TITLE", "Other").replace("key: unit", "key: other"))
    work.write("ids.csv", f"course.unit,{id_}\n")
    assert 0 != work.run("adopt", "--from", "ids.csv").code
    return id_


def test_a_plan_asks_about_it_and_an_apply_makes_the_rest(
    work: Workspace, platform: Platform, refused: str
) -> None:
    """The words are those for a license that no list shows, with the id that was named."""
    plan = work.plan()
    assert {"course.unit": "blocked", "course.other": "create"} == actions(plan)
    (change,) = (one for one in plan["changes"] if one["address"] == "course.unit")
    assert "it may be on the platform already" in change["reasons"][0]
    assert f"`adopt` has refused it as {refused}" in change["reasons"][0]

    work.apply()
    assert ["Other", "Unit"] == platform.titles()


def test_a_repaired_manifest_is_adopted(work: Workspace, platform: Platform, refused: str) -> None:
    """Then the plan asks no more, nor after a second course has been allowed."""
    work.write("unit.yaml", MANIFEST.replace("TITLE", "Unit"))
    assert 0 == work.run("adopt", f"course.unit={refused}").code
    work.apply()

    assert ["Other", "Unit"] == platform.titles()
    assert {} == actions(work.plan())


def test_a_person_may_allow_a_second_one(work: Workspace, platform: Platform, refused: str) -> None:
    """What was named was another course after all."""
    work.apply("--allow", "course.unit")
    assert ["Other", "Something else", "Unit"] == platform.titles()
