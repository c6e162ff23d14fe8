"""Courses of the platform that have lost what a manifest begins with."""

import pytest

from tests.served_catalog import Platform, Workspace

from .filled_courses import create_course


@pytest.mark.parametrize("words", [("--all",), ("--all", "--dry-run"), ()], ids=" ".join)
def test_a_course_without_a_session_is_named(
    work: Workspace, instance: Platform, words: tuple[str, ...]
) -> None:
    """No manifest can describe it, and the rest comes in."""
    instance.order("edit", {"list": "courses", "id": create_course(instance), "delete": True})
    group = instance.dump("courseGroups")[0]["id"]
    create_course(instance)

    done = work.run("import", *(words or (group,)))
    assert (0, True) == (done.code, "its session has been deleted" in done.out), done.err
    assert bool(words) == ("1 course and 9 licenses" in done.out)


@pytest.mark.parametrize("kind", ["video", "article", "shareableContentObject"])
def test_a_course_without_its_topic_is_named(
    work: Workspace, instance: Platform, kind: str
) -> None:
    """The kinds with one topic are nothing without it."""
    create_course(instance, kind)
    instance.delete("topics")

    done = work.run("import", "--all")
    assert (0, True) == (done.code, "its only topic has been deleted" in done.out), done.err


def test_a_course_without_a_lesson_comes_in_empty(work: Workspace, instance: Platform) -> None:
    """Other kinds may have no topics, and the next look finds nothing that differs."""
    create_course(instance)
    instance.delete("lessons")
    work.run("import", "--all")

    done = work.run("drift")
    assert (0, True) == (done.code, "No drift" in done.out), done.out + done.err


def test_a_survey_passes_a_course_without_a_session(work: Workspace, instance: Platform) -> None:
    """It is listed as unmanaged, and nothing is asked about its parts."""
    instance.order("edit", {"list": "courses", "id": create_course(instance), "delete": True})

    done = work.run("drift", "--unmanaged")
    assert (True, 2) == ("Unit" in done.out, done.code), done.out + done.err


def test_a_probe_passes_a_course_without_a_session(work: Workspace, instance: Platform) -> None:
    """It is asked for no lists by an id that it does not have."""
    instance.order("edit", {"list": "courses", "id": create_course(instance), "delete": True})

    done = work.run("doctor", "--probe")
    assert 0 == done.code, done.out + done.err
