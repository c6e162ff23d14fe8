"""Retiring a course: its plan says what changes, what stays, and what nobody knows (O11, O39)."""

import html
import re

import pytest

from tests.docs import pages
from tests.served_catalog import Platform, Workspace

UNKNOWN = "nothing shows what enrolled learners still see"
MAY_LOSE = "so they may lose access"
MAJOR = "major (may break something for learners)"
KEPT = "licenses, purchase paths and completion criteria stay as they are"
NO_ROUTE = "no route of the specification changes it"
CALL = "`--allow course.a` lets lmssync do it by a call"


def published(work: Workspace) -> None:
    """A published course that its manifest then takes back to draft."""
    work.course("a", "status: published\n")
    assert 0 == work.apply().code
    work.course("a", "status: draft\n")


def read_plan(work: Workspace, *args: str) -> str:
    """A plan as a reader of plain text or of Markdown sees it, on one line."""
    return " ".join(html.unescape(work.run("plan", *args).out).split())


FORMATS = pytest.mark.parametrize("args", [("--full",), ("--format", "markdown")], ids=str)


@FORMATS
def test_a_retirement_is_left_to_a_person(
    work: Workspace, platform: Platform, args: tuple[str, ...]
) -> None:
    """No route changes the status: the plan says who does it, what stays, and how to undo it."""
    published(work)

    text = read_plan(work, *args)

    assert all(part in text for part in (UNKNOWN, KEPT, NO_ROUTE))
    assert "--allow" not in text
    assert "no longer see" not in text
    assert "an apply alone does not undo it" in text


@FORMATS
def test_a_retirement_by_a_call_is_said_in_one_way(
    work: Workspace, instance: Platform, args: tuple[str, ...]
) -> None:
    """Where the instance has the route, no sentence says that no route changes the status."""
    published(work)

    text = read_plan(work, *args)
    allowed = read_plan(work, *args, "--allow", "course.a")

    assert CALL in re.sub("</?code>", "`", text)
    assert all(part in shown for part in (UNKNOWN, KEPT) for shown in (text, allowed))
    assert all(wrong not in text + allowed for wrong in (NO_ROUTE, "no longer see", "has left"))


@FORMATS
def test_a_retirement_claims_no_more_than_is_known(
    work: Workspace, platform: Platform, args: tuple[str, ...]
) -> None:
    """The card, the version and the chapter all say that learners may lose the course."""
    published(work)

    text = read_plan(work, *args)

    assert all(part in text for part in (UNKNOWN, MAY_LOSE, MAJOR))
    chapter = pages.text("docs/guide.md").partition("## Retire a course")[2].partition("\n## ")[0]
    chapter = " ".join(chapter.split())
    assert all(part in chapter for part in (UNKNOWN, MAY_LOSE, MAJOR, "a major version"))


def test_a_removed_manifest_retires_nothing(work: Workspace, platform: Platform) -> None:
    """A plan without the manifest says that the platform keeps the course, and what retires it."""
    work.course("a", "status: published\n")
    assert 0 == work.apply().code
    (work.root / "a.yaml").unlink()

    text = read_plan(work)

    assert "everybody who can see it still can" in text
    assert "see “Retire a course” in docs/guide.md" in text
