"""Whole reports, as they are read: each case has its text in `golden/`.

To accept a new text, look at it and write it there: `GOLDEN=write pytest tests/report`.
"""

import json
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from lmssync import __version__
from lmssync.applying.apply import ApplyOutcome, Recovered, Report
from lmssync.errors import KeyRefused
from lmssync.kind import Ids, LivePart, ManualStep
from lmssync.planning import plan
from lmssync.planning.diff import Drift, ProofBuffer
from lmssync.planning.verification_coverage import VerificationCoverage
from lmssync.platform.client import JobEnd
from lmssync.problems import Problem, Severity
from lmssync.report import state_report
from lmssync.report.apply_receipt import apply_json, receipt_markdown
from lmssync.report.apply_text import apply_text
from lmssync.report.changes import plan_markdown, plan_text
from lmssync.report.drift_report import drift_text
from lmssync.report.problems import Checked, Display, problems_json, problems_text, valid_text
from lmssync.report.state_report import StateListing, status_text
from lmssync.report.terminal_style import TextStyle, wrap_text
from lmssync.resource import Address, Origin, Place
from lmssync.state import Store
from lmssync.sync.drift import Drifted, DriftResult
from lmssync.sync.recorded_status import AssignedStep, OpenRows, Proofs, Status
from tests import making
from tests.making import course, criterion, lesson, license_, section, topic
from tests.planning.plan.planning import document, open_call, planned

from .terminal_cases import list_terminal_cases

GOLDEN = Path(__file__).parent / "golden"
PASS = {"type": "courseAssessmentPassed", "topic": "habit/why/check"}
WRITE = os.environ.get("GOLDEN") == "write"


def a_plan(store: Store) -> plan.Plan:
    """A plan with something of everything."""
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
    """A plan in which parts are added, removed and moved."""
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
            "name what its holders may use",
            Address("license", "staff"),
            Severity.WARNING,
            Place("licenses.yaml", 3, 1),
        ),
        Problem("unreadable", "the file cannot be read: Permission denied", Origin("x.yaml")),
    ]


def a_new_catalog(store: Store) -> plan.Plan:
    """What creates show: fields, the beginnings of texts, an outline, what only people can do."""
    body = "A clear desk is easier to start at.\n\nNothing gets lost there."
    topics = topic("why", markdown=body), topic("check", "quiz")
    return planned(
        store,
        [
            course(
                "tidy",
                description="How ten minutes on a Friday save an hour on a Monday, each week.",
                tags=["Wellbeing", "Office"],
                priceInCents=500,
                customFields={"owner": "People team"},
                sections=[section("habit", lesson("why", *topics)), section("rest")],
            ),
            criterion("tidy.pass", course="tidy", percent=None, **PASS),
            license_(courses=["tidy"], replaceCourseIds=True, seatsLimit=3),
            making.path("tidy.shop", course="tidy"),
            {"resource": "client", "key": "acme", "cloneOf": "golden", "name": "Acme"},
        ],
    )


def hidden(store: Store) -> plan.Plan:
    """Values that differ only in what is usually not shown."""
    tail = "x" * 80
    body = "\n".join(f"- - line {n}" for n in range(20))
    return planned(
        store,
        [
            course("a", title="Title ", sku="a\u200bb", metaTitle=f"{tail}2"),
            making.micro("b", topic(markdown=body.replace("- -", "--"))),
        ],
        [
            course("a", title="Title", sku="ab", metaTitle=f"{tail}1"),
            making.micro("b", topic(markdown=body)),
        ],
    )


def an_apply() -> Report:
    """A report with something of everything."""
    done = Report(calls={"course.create": 2, "course.read": 5})
    done.note(Address("course", "a"), ApplyOutcome.CREATED)
    done.note(Address("course", "b"), ApplyOutcome.UPDATED)
    done.note(Address("course", "c"), ApplyOutcome.FAILED, "ribbon: there is no such ribbon")
    done.note(
        Address("criterion", "c.x"), ApplyOutcome.SKIPPED, "it needs course.c, which was not made"
    )
    done.note(
        Address("course", "d"), ApplyOutcome.UNKNOWN, "no answer in time; run `lmssync apply` again"
    )
    done.note(Address("course", "e"), ApplyOutcome.FORGOTTEN)
    done.jobs = [
        JobEnd("j1", "complete", "fetch asset", ""),
        JobEnd("j2", "failed", "fetch package", "HTTP 404"),
        JobEnd("j3", "processing", "fetch video", ""),
    ]
    return done


def stopped() -> Report:
    done = Report(calls={"course.create": 1}, error=KeyRefused("the key may not do this"))
    done.note(Address("course", "a"), ApplyOutcome.CREATED)
    return done


def lost() -> Report:
    """A report with one cause for many outcomes, none of them a success."""
    done = Report(calls={"course.create": 1})
    for n in range(12):
        address = Address("course", f"c{n:02}")
        because = f"no answer in time; run `lmssync apply` again, or `lmssync resolve {address}`"
        done.note(address, ApplyOutcome.UNKNOWN, because)
        needs = "it needs course.c00, which was not made"
        done.note(Address("criterion", f"c{n:02}.x"), ApplyOutcome.SKIPPED, needs)
    return done


def by_hand(store: Store) -> tuple[Report, plan.Plan]:
    """An apply that leaves steps to people."""
    made = a_plan(store)
    done = Report(calls={"course.update": 1})
    done.note(Address("course", "old"), ApplyOutcome.UPDATED)
    done.note(Address("license", "staff"), ApplyOutcome.MANUAL)
    return done, made


def as_json(document: Any) -> str:
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def stable(document: dict[str, Any]) -> dict[str, Any]:
    """The document without what differs from run to run."""
    return document | {"lineage": "LINEAGE", "lmssync": "VERSION", "digest": "DIGEST"}


def steady(text: str) -> str:
    """The text without digests, of plans and of states, and without versions."""
    return re.sub(r"\b[0-9a-f]{64}\b", "DIGEST", text).replace(__version__, "VERSION")


def by_hand_text(done: Report, made: plan.Plan) -> str:
    return apply_text(done, plan=made)


def by_hand_markdown(done: Report, made: plan.Plan) -> str:
    done.note(Address("course", "prose"), ApplyOutcome.FAILED, "no `ribbon` @octocat #1")
    return receipt_markdown(done, made, {Address("course", "old"): {"course": "C-1"}}, "test")


def a_look() -> DriftResult:
    """A look for drift that has found a bit of everything."""
    page = "sections[start].lessons[why].topics[hello]"
    titles = {page: "Hello", page.rpartition(".")[0]: "Why it burns"}
    drift = [
        Drift("priceInCents", 4900, 5900),
        Drift(f"{page}.title", "Hello", "How fires start, and what keeps them alive for so long"),
        Drift("enrollmentEndDate", "2027-01-31", "2027-02-28"),
    ]
    extra = LivePart("sections[start].lessons[why].topics[x]", "topic", "Quiz", (), {}, {})
    changed = Drifted(
        Address("course", "fire"),
        "Fire safety",
        gone=["start/why/hello"],
        drift=drift,
        came=[extra],
        part_titles={**titles, extra.path: extra.title},
    )
    missing = Drifted(Address("license", "acme"), "Acme, all courses", missing=True)
    known = VerificationCoverage(50, 30, 0, 20)
    unseen = [Address("license", "staff")]
    return DriftResult([changed, missing], 9, unseen, (), 12, (), "", ProofBuffer(), known)


def a_status() -> Status:
    """A state in which a step and a call are open."""
    text = "set up what the clone lacks and the manifest leaves out: sku, seatsLimit"
    step = AssignedStep(Address("client", "acme"), ManualStep("notCopied", text), MOMENT, "@sales")
    return Status(
        "http://127.0.0.1:1",
        7,
        {"client": 1, "course": 12},
        [Address("course", "gone")],
        [step],
        (),
        [OpenRows("attempts finish", "staff.csv", "", 3, MOMENT)],
        Proofs(0, 13, None, None),
        VerificationCoverage(50, 30, 0, 20),
        (),
        {},
        13,
        4,
    )


MOMENT = "2027-01-31T08:00:00.000000Z"
AT_A_TERMINAL: dict[str, Callable[[], str]] = {
    "apply": lambda: apply_text(an_apply()),
    "drift": lambda: drift_text(a_look(), currency="EUR"),
    "status": lambda: status_text(a_status(), "test"),
}


def wrapped_cases() -> Iterator[tuple[str, Callable[[Store], str]]]:
    """What other commands print, at terminals of two widths."""
    for columns in (80, 120):
        display = Display(columns=columns)
        yield f"problems-{columns}.txt", lambda _, at=display: problems_text(problems(), at)
        for name, make in AT_A_TERMINAL.items():
            yield f"{name}-{columns}.txt", lambda _, m=make, c=columns: wrap_text(m(), c)


CASES: dict[str, Callable[[Store], str]] = {
    "plan.txt": lambda store: steady(plan_text(a_plan(store), next_step="`lmssync apply`")),
    "plan-80.txt": lambda store: steady(plan_text(a_plan(store), columns=80)),
    "plan-120.txt": lambda store: steady(plan_text(a_plan(store), columns=120)),
    "plan-structure-80.txt": lambda store: steady(plan_text(structure(store), columns=80)),
    "plan-new-80.txt": lambda store: steady(plan_text(a_new_catalog(store), columns=80)),
    "plan-colours.txt": lambda store: steady(plan_text(structure(store), TextStyle(on=True))),
    "plan-structure.txt": lambda store: steady(plan_text(structure(store))),
    "plan-structure-full.txt": lambda store: steady(plan_text(structure(store), full=True)),
    "plan-new.txt": lambda store: steady(plan_text(a_new_catalog(store))),
    "plan-new-full.txt": lambda store: steady(plan_text(a_new_catalog(store), full=True)),
    "plan-new.json": lambda store: as_json(stable(document(a_new_catalog(store)))),
    "plan-hidden.txt": lambda store: steady(plan_text(hidden(store))),
    "plan-hidden-full.txt": lambda store: steady(plan_text(hidden(store), full=True)),
    "plan-nothing.txt": lambda store: plan_text(no_plan(store)),
    "plan.md": lambda store: steady(plan_markdown(a_plan(store))),
    "plan-new.md": lambda store: steady(plan_markdown(a_new_catalog(store))),
    "plan.json": lambda store: as_json(stable(document(structure(store)))),
    "problems.txt": lambda _: problems_text(problems()),
    "problems-colours.txt": lambda _: problems_text(problems(), Display(TextStyle(on=True))),
    "problems.json": lambda _: as_json(problems_json(problems())),
    "apply.txt": lambda _: apply_text(an_apply()),
    "apply.json": lambda _: as_json(apply_json(an_apply(), environment="test")),
    "apply-lost.txt": lambda _: apply_text(lost()),
    "apply-lost-full.txt": lambda _: apply_text(lost(), full=True),
    "apply-by-hand.txt": lambda store: by_hand_text(*by_hand(store)),
    "apply-by-hand.json": lambda store: as_json(apply_json(*by_hand(store))),
    "apply-by-hand.md": lambda store: steady(by_hand_markdown(*by_hand(store))),
    "apply-stopped.md": lambda _: receipt_markdown(stopped(), None, {}, "test"),
    "apply-stopped.txt": lambda _: apply_text(stopped()),
    "apply-nothing.txt": lambda _: apply_text(Report()),
    "apply-declined.txt": lambda _: apply_text(Report(declined=True)),
    "apply-declined-after-recovery.txt": lambda _: apply_text(
        Report(declined=True, recovered=Recovered(6, 2, 1))
    ),
    **dict(wrapped_cases()),
    **dict(list_terminal_cases()),
}


@pytest.mark.parametrize(("name", "made"), CASES.items(), ids=list(CASES))
def test_reports(store: Store, name: str, made: Callable[[Store], str]):
    """Each report has the text that somebody has looked at."""
    text = made(store)
    if WRITE:
        (GOLDEN / name).write_text(text, "utf-8")
    assert (GOLDEN / name).read_text("utf-8") == text


@pytest.mark.parametrize("columns", [80, 120])
def test_the_plan_of_an_edit_has_twelve_lines_at_most(columns: int):
    """An edit of a price and of a rule is read at a glance."""
    text = (GOLDEN / f"example-edit-{columns}.txt").read_text("utf-8")
    assert 12 >= len(text.splitlines())


def test_every_golden_text_has_a_case():
    """Every golden text belongs to a case."""
    assert CASES.keys() == {file.name for file in GOLDEN.iterdir()}


def test_a_warning_alone_is_no_error():
    """A single warning is counted as a warning and not as an error."""
    assert "1 warning.\n" == problems_text(problems()[1:2]).splitlines(keepends=True)[-1]


def test_the_rest_of_many_problems_is_counted():
    """Of very many problems the rest is counted."""
    many = problems()[:1] * 1_200
    text = problems_text(many)
    assert "… and 1,000 more\n" in text
    assert text.endswith("\n1,200 errors.\n")


def test_a_valid_catalog():
    """A valid catalog is reported in one line."""
    assert "Valid: 1 resource in 2 files.\n" == valid_text(Checked(2, 1))


RECORD = making.record(course("a"), Ids({"course": "C", "courseGroup": "G"}, {"start": "S"}))


def test_what_is_recorded(store: Store):
    """A state lists each resource with its main id and the time."""
    record = RECORD._replace(applied_at="2027-01-01T00:00:00.000000Z")
    assert "course.a  C  1 January 2027, 00:00 UTC\n1 resource recorded.\n" == (
        state_report.state_list(StateListing([record]))
    )


def test_what_is_open(store: Store):
    """A state lists the calls that wait for a decision."""
    open_call(store, course("a"))
    waiting = [call._replace(started_at=MOMENT) for call in store.open_calls()]
    text = state_report.state_list(StateListing(waiting=waiting))
    line = "? course.create of 31 January 2027, 08:00 UTC: course.a (intent)\n"
    assert f"{line}0 resources recorded.\n" == text


def test_what_was_forgotten():
    """A state lists what was forgotten below the rest, with the ids that are kept."""
    record = RECORD._replace(applied_at="2027-01-01T00:00:00.000000Z")
    text = state_report.state_list(StateListing(forgotten=[record]))
    assert (
        "course.a  C  1 January 2027, 00:00 UTC  (forgotten)\n0 resources recorded, 1 forgotten.\n"
        == text
    )


def test_one_record(store: Store):
    """A record is shown as JSON with everything in it."""
    shown = state_report.state_json(RECORD)
    assert ("course.a", {"start": "S"}, "Safety") == (
        shown["address"],
        shown["parts"],
        shown["form"]["title"],
    )
