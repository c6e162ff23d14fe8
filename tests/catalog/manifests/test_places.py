"""Where a problem is: file, line and column of the value it is about."""

from pathlib import Path

import pytest

from tests import making

SAFETY = """\
resource: course
key: safety
kind: courseGroup
title: Safety
sections:
  - title: Start
    lessons:
      - title: Welcome
        openType: open
        topics:
          - {title: Hello, type: text, body: "x"}
          - title: Check
            type: quizz
completionCriteria:
  - {id: most, type: coursePercentViewed, percent: 120}
  - id: video
    type: videoPercentViewed
    percent: 50
    topic: start/welcome/helo
purchasePaths:
  - {id: shop, label: Buy, target: {url: "ftp://x", title: Shop}}
"""


def lines(root: Path, text: str) -> list[str]:
    making.write(root, courses__safety=text)
    return [making.said(problem) for problem in making.problems(root)]


def test_nested_and_short_forms(tmp_path: Path):
    """Each problem stands at its own value, however deep, in the order of the file."""
    assert [
        (
            "courses/safety.yaml:13:13: error[type-value] course.safety: "
            "`type` is `quizz`, which is not one of the allowed words"
        ),
        (
            "courses/safety.yaml:15:43: error[percent-range] criterion.safety.most: "
            "percent is 120; the platform allows 1 to 100"
        ),
        (
            "courses/safety.yaml:21:37: error[url] path.safety.shop: "
            "`url` is `ftp://x`, which is not an http or https address"
        ),
    ] == [line for line in lines(tmp_path, SAFETY) if "unknown-" not in line]


def test_the_form_of_a_line(tmp_path: Path):
    """The form that editors can jump to."""
    text = (
        SAFETY.replace("quizz", "quiz").replace("ftp://x", "https://x").replace("/helo", "/hello")
    )
    text = text.replace("type: text", "type: video").replace('body: "x"', 'videoUrl: "https://x"')
    assert [
        (
            "courses/safety.yaml:15:43: error[percent-range] criterion.safety.most: "
            "percent is 120; the platform allows 1 to 100"
        ),
    ] == lines(tmp_path, text)


def test_a_missing_field_stands_where_it_is_missing(tmp_path: Path):
    """What is not there has the place of what should hold it."""
    text = SAFETY.replace("percent: 120", "percent: 12").replace("        openType: open\n", "")
    assert "courses/safety.yaml:8:9: error[missing-field] course.safety: `openType` is missing" in (
        lines(tmp_path, text)
    )


def test_references_have_places(tmp_path: Path):
    """A reference that leads nowhere stands at its value."""
    text = SAFETY.replace("quizz", "quiz")
    found = [line for line in lines(tmp_path, text) if "unknown-topic" in line]
    assert [
        (
            "courses/safety.yaml:19:5: error[unknown-topic] criterion.safety.video: "
            "`safety` has no topic `start/welcome/helo`"
        ),
    ] == found


def test_the_second_document_of_a_file(tmp_path: Path):
    """Lines count from the top of the file, not of the document."""
    text = (
        "resource: course\nkey: a\nkind: video\nvideoUrl: https://x\ntitle: A\n---\nresource: x\n"
    )
    assert lines(tmp_path, text)[0].startswith("courses/safety.yaml:7:1: error[unknown-resource]")


def test_an_empty_document_counts(tmp_path: Path):
    """Documents without anything in them do not shift the places of the others."""
    text = "---\n# nothing\n---\nresource: x\n"
    assert lines(tmp_path, text)[0].startswith("courses/safety.yaml:4:1: error[unknown-resource]")


@pytest.mark.parametrize("text", ["a: [1\n", "a: \x07\n", "a: 1\na: 2\n", "\ta: 1\n"])
def test_a_file_that_is_no_yaml_is_one_problem(tmp_path: Path, text: str):
    """The rest of the catalog is checked all the same."""
    making.write(tmp_path, bad=text, good="resource: x\n")
    assert ["bad.yaml", "good.yaml"] == [p.where.file for p in making.problems(tmp_path)]


def test_problems_are_sorted_by_place(tmp_path: Path):
    """By file, then line, then column."""
    making.write(tmp_path, b="resource: x\n", a="resource: y\n---\nresource: z\n")
    places = [(p.where.file, p.where.line) for p in making.problems(tmp_path)]
    assert [("a.yaml", 1), ("a.yaml", 3), ("b.yaml", 1)] == places
