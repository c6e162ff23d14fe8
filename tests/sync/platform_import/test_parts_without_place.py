"""Parts of a course that a manifest of its kind has no place for."""

from typing import Any

import pytest

from tests.served_catalog import Platform, Workspace

from .filled_courses import create_course

NOTHING: dict[str, Any] = {
    name: [] for name in ("courseGroups", "courses", "sections", "lessons", "topics")
}


@pytest.fixture
def _second_topic(instance: Platform) -> None:
    """A video to which somebody has added a page."""
    create_course(instance, "video")
    page = {"title": "second", "type": "text", "body": "<p>two</p>"}
    lesson = instance.dump("lessons")[0]["id"]
    instance.change(NOTHING | {"topics": [{"lessonId": lesson, **page}]})


@pytest.mark.usefixtures("_second_topic")
def test_an_import_names_a_second_topic(work: Workspace, instance: Platform) -> None:
    """The video comes in, and a note says what is not in its manifest."""
    done = work.run("import", "--all")
    assert (0, True) == (done.code, "a video has no place for topic “second”" in done.out)


@pytest.mark.usefixtures("_second_topic")
def test_each_look_names_a_second_topic(work: Workspace, instance: Platform) -> None:
    """Nothing has drifted, and not everything is compared."""
    work.run("import", "--all")

    for _ in range(2):
        done = work.run("drift")
        assert (0, True) == (done.code, "has no place for it: topic “second”." in done.out)
    (course,) = work.run("drift", "--json").json["undescribed"]
    assert {"address": "course.unit", "parts": ["topic “second”"]} == course


def test_sections_of_a_micro_course_are_named(work: Workspace, instance: Platform) -> None:
    """Its topics are one list in the manifest, whatever sections they have."""
    course = create_course(instance)
    instance.change(NOTHING | {"sections": [{"courseId": course, "title": "More"}]})

    done = work.run("import", "--all")
    assert "a microCourse has no place for section “More”; the topics in it" in done.out
    assert "has no place for it: section “More”." in work.run("drift").out
