"""`lmssync outline` and `lmssync tags`: what an author sees of her catalog."""

import json
from pathlib import Path

import pytest

from tests import making

from .conftest import Run

COURSE = """\
resource: course
key: desk
kind: courseGroup
title: A tidy desk
status: draft
tags: [Wellbeing, Office]
priceInCents: 500
sections:
  - id: habit
    title: The habit
    releaseDate: 2027-01-31
    lessons:
      - id: why
        title: Why it helps
        openType: studentsOnly
        topics:
          - {id: reasons, title: Three reasons, type: text, markdown: One two three.}
          - {id: check, title: Three questions, type: quiz}
completionCriteria:
  - {id: pass, type: courseAssessmentPassed, topic: habit/why/check}
"""
LICENSE = """\
resource: license
key: staff
client: acme
name: Staff
courses: [desk]
learningPaths: []
courseTags: [Office]
"""
SHOWN = """\
course.desk  “A tidy desk”
  courses/desk.yaml:1
  course group, draft, price: 5.00, tags: Wellbeing, Office

  habit        The habit (releaseDate: 31 January 2027)
    why        Why it helps (enrolled learners)
      reasons  Three reasons (text, 3 words)
      check    Three questions (quiz, to be filled by hand)

  1 section, 1 lesson, 2 pages; 3 words, under a minute to read.

  criterion.desk.pass  Pass \u2018Three questions\u2019 in \u2018Why it helps\u2019

  Referred to by: license.staff
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A catalog of a course and a license for it."""
    return making.write(tmp_path, courses__desk=COURSE, licenses__staff=LICENSE)


def test_the_outline_of_a_course(root: Path, run: Run):
    """The outline of a course shows its parts, values, rules and what refers to it."""
    assert (0, SHOWN, "") == run("outline", "course.desk", "-C", root)


def test_the_outline_of_a_catalog(root: Path, run: Run):
    """The outline of a catalog has a line for each resource with a manifest of its own."""
    wanted = "course.desk    A tidy desk (1 section, 1 lesson, 2 pages)\nlicense.staff  Staff\n"
    assert (0, wanted, "") == run("outline", "-C", root)


def test_patterns(root: Path, run: Run):
    """Patterns select each resource once, in the order of the arguments."""
    found = json.loads(run("outline", "license.*", "*", "course.desk", "--json", "-C", root).out)
    assert ["license.staff", "course.desk", "criterion.desk.pass"] == [
        resource["address"] for resource in found["resources"]
    ]


def test_a_program_gets_the_parts(root: Path, run: Run):
    """In JSON, each part has its path as manifests write it."""
    found = json.loads(run("outline", "course.desk", "--json", "-C", root).out)
    (course,) = found["resources"]
    (page, quiz) = course["parts"][0]["parts"][0]["parts"]
    assert ("lmssync.outline/1", 3) == (found["format"], page["facts"]["words"])
    assert ("habit/why/check", True) == (quiz["path"], quiz["empty"])


def test_long_lists_are_told_and_long_texts_are_not(root: Path, run: Run):
    """A long list of tags is shown, and a long text or address is not."""
    tags = ", ".join(f"A tag with number {number}" for number in range(9))
    text = COURSE.replace("tags: [Wellbeing, Office]", f"tags: [{tags}]\ndescription: {'x' * 41}")
    making.put(root, "courses/desk.yaml", text)
    out = run("outline", "course.desk", "-C", root).out
    assert f"  course group, draft, price: 5.00, tags: {tags}\n" in out


def test_a_price_has_the_currency_of_the_project_file(root: Path, run: Run):
    project = (root / "lmssync.yaml").read_text("utf-8")
    making.put(root, "lmssync.yaml", f"{project}\ncurrency: EUR\n")
    making.put(root, "courses/desk.yaml", COURSE)
    assert "price: 5.00 EUR, " in run("outline", "course.desk", "-C", root).out


def test_a_mistake_elsewhere_hides_nothing(root: Path, run: Run):
    """Errors elsewhere do not hide the outline; they are counted on stderr."""
    making.put(
        root, "other.yaml", COURSE.replace("key: desk", "key: other").replace("kind:", "kin:")
    )
    code, out, err = run("outline", "course.desk", "-C", root)
    assert (0, SHOWN) == (code, out)
    assert err.startswith("warning: the catalog has ")
    said = run("outline", "course.other", "-C", root)
    assert (64, True) == (said.code, "error: course.other has errors\n" in said.err)


def test_an_address_that_is_not_there(root: Path, run: Run):
    """An unknown address gets a suggestion."""
    code, out, err = run("outline", "course.dsk", "-C", root)
    assert (64, "") == (code, out)
    assert "there is no course.dsk in the catalog\n    did you mean `course.desk`" in err


def test_people_are_not_named(root: Path, run: Run):
    """An outline does not show who holds licenses."""
    who = "resource: licenseAssignment\nkey: who\nlicenses: [staff]\n"
    making.put(root, "who.yaml", f"{who}users: [{{email: ana@example.com}}]\n")
    for options in ([], ["--json"]):
        assert "ana@" not in run("outline", "*", *options, "-C", root).out


def test_an_empty_catalog(tmp_path: Path, run: Run):
    """`outline` and `tags` say that the catalog is empty."""
    root = making.write(tmp_path)
    assert "The catalog is empty.\n" == run("outline", "-C", root).out
    assert "The catalog uses no tags.\n" == run("tags", "-C", root).out


def test_tags(root: Path, run: Run):
    """`tags` lists the tags in alphabetical order, with the number of their uses."""
    wanted = "Office     2 resources\nWellbeing  1 resource\n"
    assert (0, wanted, "") == run("tags", "-C", root)


def test_what_has_a_tag(root: Path, run: Run):
    """`tags TAG` lists what uses the tag, as lines or as JSON."""
    assert "course.desk\nlicense.staff\n" == run("tags", "Office", "-C", root).out
    (tag,) = json.loads(run("tags", "Wellbeing", "--json", "-C", root).out)["tags"]
    assert {"label": "Wellbeing", "resources": ["course.desk"]} == tag


def test_a_tag_that_nothing_has(root: Path, run: Run):
    """An unknown tag gets a suggestion."""
    code, _, err = run("tags", "Ofice", "-C", root)
    assert 64 == code
    assert "nothing in the catalog has the tag `Ofice`\n    did you mean `Office`?" in err
