"""Reports of a plan and of an apply: `--format` and `--report`."""

import re

import orjson
import pytest

from .conftest import Platform, Workspace

FORMS = ("r.txt", "r.json", "r.md", "r.html")
WRITTEN = re.compile(r"(?<=<dt>Written</dt><dd>)[^,]+")
"""When a page was written."""
TOO_LONG = "x" * 300 + ".md"


@pytest.fixture
def edited(work: Workspace) -> Workspace:
    """A course that was applied and edited, and one that is new."""
    work.course("a")
    assert 0 == work.apply().code
    work.course("a", "priceInCents: 400\n")
    work.course("b")
    return work


@pytest.mark.parametrize(
    ("form", "begins"),
    [
        ("text", "Plan for sandbox"),
        ("json", '{\n  "format": "lmssync.plan/1"'),
        ("markdown", "<!-- lmssync:plan sandbox -->\n"),
        ("html", "<!doctype html>\n"),
    ],
)
def test_a_saved_plan_is_shown_in_each_form(edited: Workspace, form: str, begins: str):
    """`plan --format` prints what `show --format` prints of the same plan when it is saved."""
    saved = edited.run("plan", "--out", "p.json", "--format", form)
    shown = edited.run("show", "p.json", "--format", form)
    assert (0, 0) == (saved.code, shown.code)
    assert saved.out.startswith(begins)
    if form != "json":
        assert WRITTEN.sub("", saved.out) == WRITTEN.sub("", shown.out)


def test_a_resource_is_no_page(edited: Workspace):
    """What is not a plan has neither Markdown nor HTML."""
    done = edited.run("show", "course.a", "--format", "html")
    assert (64, "") == (done.code, done.out)
    assert "a resource has no html" in done.err


def test_an_apply_leaves_a_receipt_in_each_form(edited: Workspace, platform: Platform):
    """Each receipt has the ids of what was made, and says what was done with what."""
    reports = [word for name in FORMS for word in ("--report", name)]
    assert 0 == edited.run("apply", "--yes", *reports).code
    ids = {one["title"]: one["id"] for one in platform.dump("courses")}
    for name in FORMS:
        text = (edited.root / name).read_text("utf-8")
        assert ids["Title of b"] in text, name
        assert re.search("(?s)created.*course.b", text) or name == "r.json", name
    document = orjson.loads((edited.root / "r.json").read_bytes())
    assert {"course.a": "updated", "course.b": "created"} == document["results"]


def test_a_receipt_has_forecast_and_fact(edited: Workspace):
    """A receipt says how many calls were forecast, and how many were made."""
    assert 0 == edited.run("apply", "--yes", "--report", "r.md").code
    assert re.search(r"took \d+ calls .*the forecast was \d", (edited.root / "r.md").read_text())


def test_a_receipt_says_what_was_not_done(work: Workspace):
    """What was refused comes first, with the reason."""
    work.course("a", "ribbon: nonsense\n")
    work.course("b")
    work.run("apply", "--yes", "--report", "r.md")
    text = (work.root / "r.md").read_text("utf-8")
    assert text.index("What was not done (1)") < text.index("What learners will notice (1)")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("r.pdf", "does not say which form the report is to have"),
        ("nowhere/r.md", "there is no folder nowhere for the report"),
    ],
)
def test_a_report_that_cannot_be_is_refused_first(
    edited: Workspace, platform: Platform, name: str, message: str
):
    """A name without a form, and a folder that is not there: nothing is asked or sent."""
    before = len(platform.requests())
    done = edited.run("apply", "--yes", "--report", name)
    assert (64, before) == (done.code, len(platform.requests()))
    assert message in done.err


@pytest.mark.parametrize(
    "words",
    [("plan", "--out", "p.json", "--report", "p.json"), ("apply", "p.json", "--report", "p.json")],
)
def test_a_report_takes_no_place_of_a_plan(edited: Workspace, words: tuple[str, ...]):
    """A report with the name of the saved plan is refused, and the plan stays."""
    assert 0 == edited.run("plan", "--out", "p.json").code
    before = (edited.root / "p.json").read_bytes()
    done = edited.run(*words)
    assert (64, before) == (done.code, (edited.root / "p.json").read_bytes())
    assert "cannot hold both the saved plan and a report" in done.err


def test_a_receipt_that_cannot_be_written_is_told(edited: Workspace):
    """What was applied stays applied, and the exit code is not 0."""
    done = edited.run("apply", "--yes", "--report", TOO_LONG)
    assert (1, True) == (done.code, "1 created, 1 updated" in done.out)
    assert "the report cannot be written" in done.err
    assert 0 == edited.run("plan", "--detailed-exitcode").code
