"""`lmssync graph`: what uses what in a catalog."""

import json
from pathlib import Path

import pytest

from tests import making

from .conftest import Run

COURSE = """\
resource: course
key: desk
kind: courseGroup
title: A "tidy" desk
tags: [Office]
relatedCourses: [chair]
sections:
  - id: habit
    title: The habit
    lessons:
      - id: why
        title: Why it helps
        openType: studentsOnly
        topics:
          - {id: reasons, title: Three reasons, type: text, bodyFile: reasons.md}
          - {id: check, title: Three questions, type: quiz}
          - {id: end, title: The end, type: text, body: Bye}
completionCriteria:
  - {id: pass, type: courseAssessmentPassed, topic: habit/why/check}
---
resource: course
key: chair
kind: article
title: Chairs
relatedCourses: [desk]
"""
SHOWN = """\
course.desk  “A "tidy" desk”
  course.desk/habit/why/reasons
    courses/reasons.md
  tag.Office
  course.chair  “Chairs”
    course.desk  “A "tidy" desk”  (see above)
  course.desk/habit/why/check
"""


@pytest.fixture
def graph(tmp_path: Path, run: Run) -> Run:
    """Runs `graph` on a catalog in which two courses name each other."""
    making.write(tmp_path, courses__desk=COURSE)
    making.put(tmp_path, "courses/reasons.md", "One two three.")
    return lambda *words: run("graph", "-C", tmp_path, *words)


def test_a_course_down_to_its_files(graph: Run):
    """A page is shown if it uses a file or a criterion uses it; a circle is followed once."""
    assert SHOWN == graph("course.desk").out


def test_what_uses_a_file(graph: Run):
    """Backwards from a file: its page, the course of that, and what uses the course."""
    lines = graph("courses/reasons.md", "--reverse").out.split("\n")
    expected = ["courses/reasons.md", "course.desk/habit/why/reasons", "course.desk"]
    assert expected == [line.split("  “")[0].strip() for line in lines[:3]]
    assert "      criterion.desk.pass  “Pass habit/why/check”" in lines


def test_the_whole_catalog(graph: Run):
    """It begins with what nothing uses; an edge leads to what is used, in both directions."""
    ahead, back = (json.loads(graph("--json", *more).out) for more in ([], ["--reverse"]))
    assert ["criterion.desk.pass"] == ahead["starts"]
    edges = [sorted((edge["from"], edge["to"]) for edge in one["edges"]) for one in (ahead, back)]
    assert edges[0] == edges[1]
    assert ("criterion.desk.pass", "course.desk/habit/why/check") in edges[0]


@pytest.mark.parametrize(
    ("form", "label", "edge"),
    [
        ("dot", '[shape=box, label="course.desk\\nA \\"tidy\\" desk"];', " -> "),
        ("mermaid", '["course.desk<br>A #34;tidy#34; desk"]', " --> "),
    ],
)
def test_pictures(graph: Run, form: str, label: str, edge: str):
    """Titles are quoted as the language of the picture wants it."""
    out = graph("--format", form).out
    assert label in out
    assert 8 == out.count(edge)


def test_an_unknown_name(graph: Run):
    """A name that the catalog does not have ends with 64, and near names are proposed."""
    ran = graph("course.dekk")
    assert (64, True) == (ran.code, "did you mean `course.desk`" in ran.err)


def test_a_broken_manifest(graph: Run, tmp_path: Path):
    """Beside a manifest with mistakes, the rest of the catalog is shown."""
    broken = COURSE.replace("key: desk", "key: sofa").replace("type: text", "type: txet")
    (tmp_path / "courses/broken.yaml").write_text(broken)
    ran = graph("course.desk")
    assert (0, SHOWN) == (ran.code, ran.out)
