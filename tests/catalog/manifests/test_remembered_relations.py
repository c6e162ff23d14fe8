"""What is wrong between resources is recalled where nothing has changed that a rule looks at."""

from pathlib import Path

import pytest

from lmssync.catalog import graph
from lmssync.catalog.catalog_validation import validate_catalog
from tests import making

COURSE = """\
resource: course
key: {key}
kind: microCourse
title: {title}
{more}
topics: [{{id: {topic}, title: T, type: text, body: B}}]
"""
CRITERION = """\
resource: completionCriterion
key: a.done
course: a
type: courseTopicViewed
topic: t
"""


def course(root: Path, key: str, title: str = "A", more: str = "", topic: str = "t") -> None:
    text = COURSE.format(key=key, title=title, more=more, topic=topic)
    making.put(root, f"{key}.yaml", text)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    making.put(tmp_path, "lmssync.yaml", making.PROJECT)
    course(tmp_path, "a", more="relatedCourses: [b]")
    course(tmp_path, "b", more="sku: one")
    return tmp_path


def codes(root: Path) -> list[str]:
    return [problem.code for problem in validate_catalog(root).problems]


def test_an_edit_of_a_text_judges_no_relations(root: Path, monkeypatch: pytest.MonkeyPatch):
    """What is wrong between resources is recalled, since no rule about it looks at the text."""
    course(root, "a", more="relatedCourses: [c]")
    assert ["unknown-reference"] == codes(root)
    course(root, "a", title="New", more="relatedCourses: [c]")
    monkeypatch.delattr(graph, "check_references")
    assert ["unknown-reference"] == codes(root)


def test_another_reference_is_judged(root: Path):
    """A reference that leads nowhere now is found, and found no more once it is mended."""
    assert [] == codes(root)
    course(root, "a", more="relatedCourses: [c]")
    assert ["unknown-reference"] == codes(root)
    course(root, "a", more="relatedCourses: [b]")
    assert [] == codes(root)


def test_what_is_named_may_go(root: Path):
    """A file that goes is missed by the resources of other files."""
    assert [] == codes(root)
    (root / "b.yaml").unlink()
    assert ["unknown-reference"] == codes(root)


def test_a_message_names_the_file_as_it_is_called_now(root: Path):
    """A file with another name is another one, although its text is what it was."""
    course(root, "c", more="sku: one")
    (before,) = validate_catalog(root).problems
    (root / "b.yaml").rename(root / "b2.yaml")
    (after,) = validate_catalog(root).problems
    assert [True, True] == ["in b.yaml" in before.message, "in b2.yaml" in after.message]


def test_a_rule_that_opens_a_form_is_asked_again(root: Path):
    """A topic that another file names is looked for whenever anything has changed."""
    making.put(root, "done.yaml", CRITERION)
    assert [] == codes(root)
    course(root, "a", more="relatedCourses: [b]", topic="other")
    assert ["unknown-topic"] == codes(root)


def test_another_environment_has_relations_of_its_own(root: Path):
    """What an overlay changes for one environment is judged there."""
    assert [] == codes(root)
    overlay = "resource: course\nkey: a\nrelatedCourses: [c]\n"
    making.put(root, "overlays/sandbox/a.yaml", overlay)
    assert ["unknown-reference"] == codes(root)
