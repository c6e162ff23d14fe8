"""Whole reports, as they are read: each case has its text in `golden/`.

To accept a new text, look at it and write it there: `GOLDEN=write pytest tests/report`.
"""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from lmssync import plan, report
from lmssync.address import Address
from lmssync.apply import Done, Report
from lmssync.client import JobEnd
from lmssync.errors import KeyRefused
from lmssync.kinds.kind import Ids
from lmssync.problems import Problem, Severity
from lmssync.report import Ink, state_text
from lmssync.report.apply_text import apply_json, apply_text
from lmssync.report.plan_text import plan_text
from lmssync.source import Origin, Place
from lmssync.state import Store

from .. import making
from ..making import course, criterion, lesson, license_, section, topic
from ..plan.planning import open_call, planned

GOLDEN = Path(__file__).parent / "golden"
WRITE = os.environ.get("GOLDEN") == "write"


def a_plan(store: Store) -> plan.Plan:
    """Something of everything."""
    open_call(store, course("open"))
    text = "\n".join(f"line {n}" for n in range(30))
    body = making.micro("prose", topic(markdown=text))
    return planned(
        store,
        [
            course("new", title="A new course"),
            criterion("new.most", course="new"),
            course("old", title="New title", priceInCents=500, source="b", tags=["A", "B"]),
            making.micro("prose", topic(markdown=text.replace("line 7", "line seven"))),
            license_(courses=["old"], name="New name"),
            course("open"),
            course("less"),
            course("same"),
        ],
        [
            course("old", title="Old title", priceInCents=400, source="a", tags=["A"]),
            body,
            license_(courses=["old"]),
            course("gone", title="Gone"),
            course("less", ribbon="x"),
            course("same"),
        ],
    )


def no_plan(store: Store) -> plan.Plan:
    return planned(store, [course()], [course()])


def structure(store: Store) -> plan.Plan:
    """Parts that come, go and move."""
    before = [section("a", lesson("l", topic("t"), topic("u"))), section("b")]
    after = [section("b"), section("a", lesson("l", topic("t", body="new"))), section("c")]
    return planned(store, [course(sections=after)], [course(sections=before)])


def problems() -> list[Problem]:
    """An error with everything, a warning with little."""
    origin = Origin("courses/safety.yaml", 0, ("completionCriteria", 1, "percent"))
    return [
        Problem(
            "percent-range",
            "percent is 120; the platform allows 1 to 100",
            origin,
            address=Address("criterion", "safety-101.most"),
            place=Place("courses/safety.yaml", 14, 9),
        ),
        Problem(
            "license-empty",
            "the license names no course, no learning path and no tag",
            Origin("licenses.yaml"),
            "name what its holders may take",
            Address("license", "staff"),
            Severity.WARNING,
            Place("licenses.yaml", 3, 1),
        ),
        Problem("unreadable", "the file cannot be read: Permission denied", Origin("x.yaml")),
    ]


def an_apply() -> Report:
    """Something of everything."""
    done = Report(calls={"course.create": 2, "course.read": 5})
    done.note(Address("course", "a"), Done.CREATED)
    done.note(Address("course", "b"), Done.UPDATED)
    done.note(Address("course", "c"), Done.FAILED, "ribbon: there is no such ribbon")
    done.note(Address("criterion", "c.x"), Done.SKIPPED, "it needs course.c, which was not made")
    done.note(Address("course", "d"), Done.UNKNOWN, "no answer in time; run `lmssync apply` again")
    done.note(Address("course", "e"), Done.FORGOTTEN)
    done.jobs = [
        JobEnd("j1", "complete", "fetch asset", ""),
        JobEnd("j2", "failed", "fetch package", "HTTP 404"),
        JobEnd("j3", "processing", "fetch video", ""),
    ]
    return done


def stopped() -> Report:
    done = Report(calls={"course.create": 1}, error=KeyRefused("the key may not do this"))
    done.note(Address("course", "a"), Done.CREATED)
    return done


def as_json(document: Any) -> str:
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def stable(document: dict[str, Any]) -> dict[str, Any]:
    """Without what differs from run to run."""
    return document | {"lineage": "LINEAGE", "lmssync": "VERSION"}


CASES: dict[str, Callable[[Store], str]] = {
    "plan.txt": lambda store: plan_text(a_plan(store)),
    "plan-colours.txt": lambda store: plan_text(structure(store), Ink(on=True)),
    "plan-structure.txt": lambda store: plan_text(structure(store)),
    "plan-nothing.txt": lambda store: plan_text(no_plan(store)),
    "plan.json": lambda store: as_json(stable(plan.document(structure(store)))),
    "problems.txt": lambda _: report.problems_text(problems()),
    "problems-colours.txt": lambda _: report.problems_text(problems(), Ink(on=True)),
    "problems.json": lambda _: as_json(report.problems_json(problems())),
    "apply.txt": lambda _: apply_text(an_apply()),
    "apply.json": lambda _: as_json(apply_json(an_apply())),
    "apply-stopped.txt": lambda _: apply_text(stopped()),
    "apply-nothing.txt": lambda _: apply_text(Report()),
    "apply-declined.txt": lambda _: apply_text(Report(declined=True)),
}


@pytest.mark.parametrize(("name", "made"), CASES.items(), ids=list(CASES))
def test_reports(store: Store, name: str, made: Callable[[Store], str]):
    """The text is the one that was looked at."""
    text = made(store)
    if WRITE:
        (GOLDEN / name).write_text(text, "utf-8")
    assert (GOLDEN / name).read_text("utf-8") == text


def test_every_golden_text_has_a_case():
    """None is left behind."""
    assert CASES.keys() == {file.name for file in GOLDEN.iterdir()}


def test_a_warning_alone_is_no_error():
    """The last line counts each by its own word."""
    assert "1 warning.\n" == report.problems_text(problems()[1:2]).splitlines(keepends=True)[-1]


def test_the_rest_of_many_problems_is_counted():
    """Nobody reads a thousand lines."""
    many = problems()[:1] * 1_200
    text = report.problems_text(many)
    assert "… and 1,000 more\n" in text
    assert text.endswith("\n1,200 errors.\n")


def test_a_valid_catalog():
    """In one line."""
    assert "Valid: 1 resource in 2 files.\n" == report.valid_text(2, 1)


RECORD = making.record(course("a"), Ids({"course": "C", "courseGroup": "G"}, {"start": "S"}))


def test_what_is_recorded(store: Store):
    """A line a resource: address, main id, when."""
    record = RECORD._replace(applied_at="2027-01-01T00:00:00.000000Z")
    assert "course.a  C  2027-01-01T00:00:00\n1 resource recorded.\n" == (
        state_text.state_list([record], [])
    )


def test_what_is_open(store: Store):
    """Calls that wait for a decision stand below."""
    open_call(store, course("a"))
    text = state_text.state_list([], store.open_operations())
    assert "? course.create of : course.a (intent)\n0 resources recorded.\n" == text


def test_one_record(store: Store):
    """Everything in it, as JSON."""
    shown = json.loads(state_text.state_show(RECORD))
    assert ("course.a", {"start": "S"}, "Safety") == (
        shown["address"],
        shown["parts"],
        shown["form"]["title"],
    )
