"""Files of questions beside manifests: which topic each belongs to, and which belong to none."""

from pathlib import Path

import pytest

from lmssync.catalog.catalog_validation import validate_catalog
from lmssync.catalog.manifests.question_files import FOR_WHOM, QuestionFiles
from lmssync.problems import Problem
from lmssync.resource import Address
from tests import making

COURSE = """\
resource: course
key: desk
kind: courseGroup
title: A tidy desk
sections:
  - id: habit
    title: The habit
    lessons:
      - id: why
        title: Why
        openType: open
        topics:
          - {id: page, title: Page, type: text, bodyFile: questions/a/b/page.md}
          - {id: check, title: Check, type: quiz}
"""
CHECK = "habit/why/check.md"


def unused(root: Path) -> list[Problem]:
    found = (problem for problem in making.problems(root) if problem.code == "questions-unused")
    return sorted(found, key=lambda problem: problem.origin.file)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A course in a folder with its key, and a body in the folder of questions."""
    making.put(tmp_path, "desk/questions/a/b/page.md", "The page")
    return making.write(tmp_path, desk__course=COURSE)


@pytest.mark.parametrize("key", ["", "desk/"])
def test_a_file_with_the_path_of_a_topic_is_used(root: Path, key: str):
    """With the key of the course or without; so is a body, and one of a topic that is filled."""
    making.put(root, f"desk/questions/{key}{CHECK}", "How many pens?")
    assert [] == unused(root)
    attested = COURSE.replace("type: quiz", "type: quiz, attested: {by: Ana, on: 2027-01-29}")
    making.put(root, "desk/course.yaml", attested)
    assert [] == unused(root)


def test_a_file_whose_topic_has_another_id_is_named(root: Path):
    """With the name that it should have."""
    making.put(root, f"desk/questions/{CHECK}", "How many pens?")
    making.put(root, "desk/course.yaml", COURSE.replace("id: check", "id: checks"))
    (problem,) = unused(root)
    file = f"desk/questions/{CHECK}"
    assert file == problem.origin.file
    assert f"no topic has the file `{file}`, so nobody sees the questions in it" == problem.message
    assert "did you mean `desk/questions/habit/why/checks.md`?" == problem.hint


def test_a_name_that_is_nothing_like_the_new_one(root: Path):
    """Then the hint has all topics without questions."""
    making.put(root, f"desk/questions/{CHECK}", "How many pens?")
    other = COURSE.replace("id: habit", "id: order").replace("id: why", "id: tools-of-all-sorts")
    making.put(root, "desk/course.yaml", other.replace("id: check", "id: a-final-examination"))
    (problem,) = unused(root)
    wanted = "desk/questions/order/tools-of-all-sorts/a-final-examination.md"
    assert f"topics without such a file would have it as `{wanted}`" == problem.hint


def test_a_topic_that_has_no_questions_is_not_proposed(root: Path):
    """An external tool is empty as well, and nobody writes questions for it."""
    making.put(root, f"desk/questions/{CHECK}", "How many pens?")
    tool = COURSE.replace("id: check, title: Check, type: quiz", "id: checks, title: C, type: lti")
    making.put(root, "desk/course.yaml", tool)
    (problem,) = unused(root)
    assert "checks" not in f"{problem.message} {problem.hint}"


def test_files_that_a_manifest_left_behind(root: Path):
    """What an import wrote is known without a manifest beside it; other texts are nobody's."""
    making.put(root, f"desk/questions/{CHECK}", f"# Check\n\n{FOR_WHOM}\n")
    making.put(root, "notes/questions/a/b/c.md", "Who pays for it?")
    (root / "desk/course.yaml").rename(root / "course.yaml")
    making.put(root, "questions/a/b/page.md", "The page")
    (problem,) = unused(root)
    assert f"desk/questions/{CHECK}" == problem.origin.file
    assert f"did you mean `questions/desk/{CHECK}`?" == problem.hint


def test_two_courses_of_one_folder_share_no_file(root: Path):
    """The folder has the key of one, whose files need no key; those of the other need theirs."""
    making.put(root, "desk/lamp.yaml", COURSE.replace("key: desk", "key: lamp"))
    making.put(root, f"desk/questions/{CHECK}", "How many pens?")
    making.put(root, f"desk/questions/lamp/{CHECK}", "How many lamps?")
    resources = making.loaded(root).resources
    names = QuestionFiles(resources)
    read = {
        key: names.read_questions(root, resources[Address("course", key)], "habit/why/check")
        for key in ("desk", "lamp")
    }
    assert {"desk": "How many pens?", "lamp": "How many lamps?"} == read
    assert [] == unused(root)


def test_two_courses_in_a_folder_with_the_key_of_neither(root: Path):
    """A file without a key could be of both: it is of none, and named."""
    (root / "desk").rename(root / "office")
    making.put(root, f"office/questions/{CHECK}", "How many pens?")
    assert [] == unused(root)
    making.put(root, "office/lamp.yaml", COURSE.replace("key: desk", "key: lamp"))
    (problem,) = unused(root)
    assert f"office/questions/desk/{CHECK}" in problem.hint


def test_a_topic_of_one_environment_has_its_file(root: Path):
    """An overlay takes it out of another."""
    making.put(root, f"desk/questions/{CHECK}", "How many pens?")
    project = making.PROJECT + "  other: {baseUrl: 'http://127.0.0.1:2'}\n"
    making.put(root, "lmssync.yaml", project)
    without = "[{id: habit, lessons: [{id: why, topics: [{id: check, $patch: delete}]}]}]"
    making.put(
        root, "overlays/other/desk.yaml", f"resource: course\nkey: desk\nsections: {without}\n"
    )
    problems = validate_catalog(root).problems
    assert [] == [problem for problem in problems if problem.severity == "error"]
    assert "questions-unused" not in {problem.code for problem in problems}
    of_other = validate_catalog(root, "other").problems
    assert "questions-unused" in {problem.code for problem in of_other}


def test_beside_a_manifest_with_a_mistake_nothing_is_judged(root: Path):
    """Its topics are not known."""
    making.put(root, f"desk/questions/{CHECK}", "How many pens?")
    making.put(root, "desk/course.yaml", COURSE.replace("  - id: habit", "  - id: habit: no"))
    assert [] == unused(root)
