"""Reports of a plan and of an apply: `--format` and `--report`."""

import re

import orjson
import pytest

from tests.kinds.test_assignments_applied import CHLOE, GITA, IDA, assign
from tests.served_catalog import Done, Platform, Workspace, actions

FORMS = ("r.txt", "r.json", "r.md", "r.html")
QUIZ = "          - {id: check, title: Check, type: quiz}\n"
UNKNOWN, PARTIAL = 4, 7
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


@pytest.mark.parametrize("form", ["r.md", "r.html"])
def test_a_receipt_says_a_reason_once(work: Workspace, platform: Platform, form: str):
    """A conflict that is blocked shows its fields and, in one place, why it is not done."""
    work.course("a")
    work.apply()
    course = platform.dump("courses")[0]["id"]
    platform.change({"courses": [{"id": course, "title": "By hand"}]})
    work.course("a", edit=("Title of KEY", "From git"))

    work.run("apply", "--yes", "--report", form)

    text = (work.root / form).read_text("utf-8")
    assert 1 == text.count("changed on the platform and in git"), text


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
        ("r.pdf", "lmssync writes no report with the ending of"),
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
    assert "is named both for the plan and for a report" in done.err


def test_a_receipt_that_cannot_be_written_is_told(edited: Workspace):
    """What was applied stays applied, and the exit code is not 0."""
    done = edited.run("apply", "--yes", "--report", TOO_LONG)
    assert (1, True) == (done.code, "1 created, 1 updated" in done.out)
    assert "the report cannot be written" in done.err
    assert 0 == edited.run("plan", "--detailed-exitcode").code


def test_a_deletion_that_waits_for_a_person_is_not_done(work: Workspace, platform: Platform):
    """What calls have changed is done; a deletion waits, and learners still see the topic."""
    work.course("a")
    work.apply()
    work.course("a", "priceInCents: 400\n", edit=(QUIZ, ""))
    reports = [word for form in FORMS for word in ("--report", form)]

    lines = work.apply("--json", *reports).json["lines"]

    markdown, page = (work.root / name for name in ("r.md", "r.html"))
    assert [("done", "updated", None), ("waiting", "waiting", "a person")] == [
        (line["status"], line["outcome"], line["waitsFor"]) for line in lines
    ]
    assert ["priceInCents"] == lines[0]["fields"]
    assert "Check" in platform.topics("Title of a")
    assert re.search("updated .*course.a</code> · commerce: .*4.00", markdown.read_text())
    assert "waiting <b>“Title of a”</b>" in markdown.read_text()
    assert "→ (not set)" not in markdown.read_text()
    assert "removed" not in page.read_text().partition("<body")[2]


def test_what_was_made_is_made_though_a_later_call_is_refused(work: Workspace, platform: Platform):
    """A course that was created is no failure because its next call is refused."""
    work.course("a", "relatedCourses: [b]\n")
    work.course("b", "relatedCourses: [a]\n")
    no = {"errors": ["not today"]}
    platform.fault("answer", "course.update", status=400, body=no, when="before", times=10)

    done = work.apply("--json", "--report", "r.md")

    assert 2 == len(platform.titles())
    counts = done.json["summary"]
    assert (PARTIAL, 2, 0) == (done.code, counts["created"], counts["failed"])
    undone, made = done.json["lines"][:2]
    assert ("not done", ["relatedCourses"]) == (undone["status"], undone["fields"])
    assert ("done", False) == (made["status"], "relatedCourses" in made["fields"])
    platform.let_go()
    assert {"course.a", "course.b"} >= actions(work.plan()).keys() > set()
    assert 0 == work.apply().code
    assert "in part <b>“Title of" in (work.root / "r.md").read_text()


def related(work: Workspace) -> None:
    """Two courses that name each other: one of the names is sent once both are made."""
    work.course("a", "relatedCourses: [b]\n")
    work.course("b", "relatedCourses: [a]\n")


def statuses(receipt: Done) -> list[tuple[str, str, str | None]]:
    """Status, outcome and what it waits for of each line, sorted."""
    keys = ("status", "outcome", "waitsFor")
    return sorted((tuple(line[key] for key in keys) for line in receipt.json["lines"]), key=str)


def test_what_no_answer_tells_waits_for_the_next_look(work: Workspace, platform: Platform):
    """A course is made; of the call after that nobody knows whether it was done."""
    related(work)
    platform.fault("drop-after", "course.update")

    done = work.apply("--json", "--report", "r.md")

    assert (UNKNOWN, 2) == (done.code, done.json["summary"]["created"])
    assert ("waiting", "in part", "the next look") == statuses(done)[-1]
    text = (work.root / "r.md").read_text()
    assert "#### What the next apply will look for (2)" in text
    assert "What was not done" not in text


def test_what_a_stopped_run_did_not_send_is_not_done(work: Workspace, platform: Platform):
    """The key is refused after the courses were made: what they refer to is not set."""
    related(work)
    platform.fault("answer", "course.update", status=401, body={"errors": ["no"]}, when="before")

    done = work.apply("--json")
    lines = done.json["lines"]

    assert "run ended before its turn" in done.json["failures"][0]["message"]
    undone = [line for line in lines if line["status"] == "not done"]
    assert {("in part", "relatedCourses")} == {(x["outcome"], *x["fields"]) for x in undone}
    assert "the run ended before its turn" in {line["why"] for line in undone}


def test_a_receipt_is_not_headed_applied_where_nothing_was(work: Workspace, platform: Platform):
    """Where the only call is refused, the heading says that nothing was applied."""
    work.course("a", "ribbon: none-such\n")

    done = work.apply("--report", "r.md", "--report", "r.html")

    assert "Nothing was applied: 1 failed;" in done.out
    markdown, page = ((work.root / name).read_text() for name in ("r.md", "r.html"))
    assert "### Nothing was applied to <code>sandbox</code>: 1 failed" in markdown
    assert "<h1>Nothing was applied to sandbox</h1>" in page


def test_people_who_were_served_are_no_failure(work: Workspace):
    """Three of four people get their license; the receipt says that of one list, in part."""
    assign(work, CHLOE, GITA, IDA, "nobody")

    done = work.apply("--report", "r.json", "--report", "r.md")
    undone, served = (work.root / "r.md").read_text().split("#### What customers will notice")

    assert PARTIAL == done.code
    assert "Applied: 1 created, 1 of these in part;" in done.out
    assert "users: 3 people → 4 people" in undone
    assert "users: 3 people\n" in served
    assert re.search(r"in part +assignment.staff: .*staff.yaml", done.out)
    assert 0 == orjson.loads((work.root / "r.json").read_bytes())["summary"]["failed"]
