"""Ids that are written down later are those that the state knows."""

from .conftest import Workspace

MANIFEST = """\
resource: course
key: a
kind: courseGroup
title: A
status: published
sections:
  - title: A start with a title of many more words than anybody would ever like to type
    lessons:
      - title: Welcome
        openType: studentsOnly
        topics:
          - {title: Hello, type: text, markdown: Good morning}
          - {title: Hello, type: text, markdown: Good evening}
"""


def applied(work: Workspace) -> None:
    """A course whose parts have no ids."""
    (work.root / "courses").mkdir(exist_ok=True)
    (work.root / "courses/a.yaml").write_text(MANIFEST, "utf-8")
    assert 0 == work.apply().code


def test_nothing_is_planned_for_ids_that_are_written_down(work: Workspace) -> None:
    """A state that was made without them has them all: nobody loses progress."""
    applied(work)
    assert 0 == work.run("fmt", "--ids").code
    assert 4 == (work.root / "courses/a.yaml").read_text("utf-8").count("id: ")
    assert 0 == work.run("plan", "--detailed-exitcode").code


def test_after_that_a_title_may_change(work: Workspace) -> None:
    """The part is updated; without an id the plan would ask what is meant."""
    applied(work)
    work.run("fmt", "--ids")
    file = work.root / "courses/a.yaml"
    file.write_text(file.read_text("utf-8").replace("title: Welcome", "title: Come in"), "utf-8")
    (change,) = work.run("plan", "--json").json["changes"]
    assert ("update", ["Come in"]) == (
        change["action"],
        [field["after"] for field in change["fields"]],
    )


def test_validate_says_how(work: Workspace) -> None:
    """Where a course is live, and until it is done."""
    applied(work)
    assert "`lmssync fmt --ids`" in work.run("validate").out
    work.run("fmt", "--ids")
    assert "part-id" not in work.run("validate").out
