"""What an apply did, in the sections of its plan: done, not done, left to people.

In Markdown it is a comment on a pull request, or the record of a release; programs get it as JSON.
"""

from collections.abc import Iterator, Mapping, Sequence, Set
from enum import StrEnum
from types import MappingProxyType
from typing import Any, NamedTuple

from ..applying.apply import NO_TURN, UNDONE, ApplyOutcome, Report
from ..kind import Effect
from ..kinds import KINDS
from ..planning.diff import FieldChange
from ..planning.plan import (
    Action,
    ApprovedChange,
    Card,
    CardReader,
    Consequence,
    Plan,
    PlannedChange,
    fields_of_change,
    find_fields_by_hand,
    plan_budget,
    plan_digest,
)
from ..resource import Address
from ..support.invisible_characters import escape_invisible
from .apply_text import (
    STOPPED,
    add_apply_counts,
    approval_lines,
    job_lines,
    list_due_steps,
    phrase_outcome,
    recovered_lines,
    unread_lines,
)
from .changes import (
    Entry,
    PlanView,
    ReportPart,
    Section,
    SectionKind,
    build_report_marker,
    build_sections,
    compose_report,
    cost_lines,
    entries_of_change,
    keep_steps,
)
from .field_words import name_field
from .markdown_escape import escape_code, shorten_escaped
from .release_report import release_json, release_lines

IdsOf = Mapping[Address, Mapping[str, str]]
"""Ids of what was applied, by their names."""
_LEFT = frozenset({Action.MANUAL, Action.UNCHANGED})
"""What no call is made for."""
_ACTS = frozenset({Action.CREATE, Action.UPDATE, Action.FORGET})
_NOTE = 2_000
"""Characters of one note."""
_EVERYTHING = "the output of `lmssync apply`"


class LineStatus(StrEnum):
    """What came of a planned change, or of some of its fields."""

    DONE = "done"
    UNDONE = "not done"
    WAITING = "waiting"


class ReceiptLine(NamedTuple):
    """One line of a receipt: some fields of a resource, and what came of them."""

    planned: PlannedChange
    """With the fields and the steps of this line only."""
    status: LineStatus
    outcome: str
    why: str = ""
    """Why it is not done, or what is to be done."""
    waits_for: str = ""
    """`a person`, `a decision` or `the next look`."""


def make_receipt_lines(report: Report, plan: Plan) -> Iterator[ReceiptLine]:
    """What came of each planned change, in the order of the plan."""
    for planned in () if report.declined else plan.changes:
        yield from _make_lines(report, plan, planned)


def _make_lines(report: Report, plan: Plan, planned: PlannedChange) -> Iterator[ReceiptLine]:
    """What was not done, what was done, what waits; a change may be in several of them."""
    blocked, planned = planned.split_blocked_fields()
    for one in [blocked, planned]:
        if one and one.action is Action.BLOCKED:
            why = one.block_reason
            yield ReceiptLine(one, LineStatus.WAITING, ApplyOutcome.BLOCKED, why, "a decision")
    if planned.action is Action.BLOCKED:
        return
    if report.unreached.get(planned.address):  # of something new, everything that its calls make
        planned = planned._replace(fields=fields_of_change(plan, planned))
    done, split = _find_outcome(report, planned), _split_fields(report, plan, planned)
    if done in UNDONE or split.left or planned.address in report.partly:
        yield _make_undone_line(report, planned, done, split)
    if split.reached or (done not in UNDONE and _does_more(planned)):
        word = ApplyOutcome.UPDATED if done in UNDONE else done or planned.action
        reached = _with_fields(planned, split.reached)
        if planned.action is Action.CREATE:
            # Of something new the effect is that of the whole, and not of the fields that were
            # reached.
            reached = reached._replace(effect=planned.effect)
        yield ReceiptLine(reached, LineStatus.DONE, word)
    if planned.manual and done not in UNDONE:
        steps = "; ".join(step.text for step in planned.manual)
        asked = _with_fields(planned, split.by_hand)._replace(manual=planned.manual)
        yield ReceiptLine(asked, LineStatus.WAITING, LineStatus.WAITING, steps, "a person")


def list_receipt_lines(report: Report, plan: Plan, ids: IdsOf) -> Iterator[str]:
    """`updated   course.a  price  (7d1c…)`: why is said elsewhere in a text."""
    for line in make_receipt_lines(report, plan):
        address = line.planned.address
        named = ids.get(address, {}).values() if line.status is LineStatus.DONE else ()
        titles = line.planned.part_titles
        paths = ", ".join(name_field(field.path, titles) for field in line.planned.fields)
        words = [str(address), paths, f"({', '.join(named)})" if named else ""]
        if line.outcome != Action.UNCHANGED:
            yield escape_invisible(f"{line.outcome:<9} {'  '.join(filter(None, words))}")


class _Split(NamedTuple):
    """The fields of a change by what came of them."""

    reached: Sequence[FieldChange]
    left: Sequence[FieldChange]
    by_hand: Sequence[FieldChange]


def _split_fields(report: Report, plan: Plan, planned: PlannedChange) -> _Split:
    by_hand = find_fields_by_hand(plan, planned)
    asked = {one.path for one in by_hand}
    calls = [one for one in planned.fields if one.path not in asked]
    every = calls if _find_outcome(report, planned) in UNDONE else ()
    left = {one.path: one for one in report.unreached.get(planned.address, every)}
    now = (one._replace(after=left[one.path].before) if one.path in left else one for one in calls)
    reached = [one for one in now if one.before != one.after]
    return _Split(reached, [left[one.path] for one in calls if one.path in left], by_hand)


def _make_undone_line(
    report: Report, planned: PlannedChange, done: ApplyOutcome | None, split: _Split
) -> ReceiptLine:
    """A line with the fields that are not done; without any where nothing was done."""
    address = planned.address
    why = report.because.get(address) if done in UNDONE else report.partly.get(address)
    missing = planned
    if split.reached or done not in UNDONE:
        rest = _with_fields(planned, split.left)
        missing = rest._replace(action=Action.UPDATE, consequence=None)
    outcome = str(done) if done in UNDONE else "in part"
    if done is ApplyOutcome.UNKNOWN or address in report.unsettled:
        return ReceiptLine(missing, LineStatus.WAITING, outcome, why or "", "the next look")
    return ReceiptLine(missing, LineStatus.UNDONE, outcome, why or NO_TURN)


def _find_outcome(report: Report, planned: PlannedChange) -> ApplyOutcome | None:
    """The outcome; what a call was to make or change, and no outcome names, is skipped."""
    # An apply that stopped early has no outcome for what it never reached.
    skipped = ApplyOutcome.SKIPPED if planned.action in _ACTS else None
    done = report.done.get(planned.address)
    return skipped if done in {None, ApplyOutcome.MANUAL} else done


def _does_more(planned: PlannedChange) -> bool:
    """True if a change does more than to set its fields and to leave steps to people."""
    if planned.action in _LEFT:
        return not planned.manual or bool(planned.drift)
    return planned.action is not Action.UPDATE or not planned.fields


def _with_fields(planned: PlannedChange, some: Sequence[FieldChange]) -> PlannedChange:
    """The change as if only these fields changed."""
    if [*some] == [*planned.fields]:
        return planned._replace(manual=())
    impact = KINDS[planned.address.kind].impact
    effect = (
        Effect.strictest_effect(impact.of(one.path) for one in some) if some else planned.effect
    )
    cards = planned.consequence.cards if planned.consequence else {}
    # Numbers of people were counted for certain fields together: of others they would be wrong.
    meant = _find_meaning(planned.consequence, cards, {one.path for one in some})
    return planned._replace(fields=some, manual=(), effect=effect, consequence=meant)


def _find_meaning(
    whole: Consequence | None, cards: Mapping[CardReader, Card], paths: Set[str]
) -> Consequence | None:
    """What some of the fields mean; None where that was only counted with others."""
    own = {reader: card for reader, card in cards.items() if paths >= {*card.paths}}
    if not own or whole is None or paths != {path for card in own.values() for path in card.paths}:
        return None
    first, *others = own.values()
    return whole._replace(cards=own) if others else first.consequence


def receipt_sections(report: Report, plan: Plan, ids: IdsOf) -> list[Section]:
    """What the plan showed, with what came of it."""

    def entries_of(view: PlanView, planned: PlannedChange) -> Iterator[tuple[SectionKind, Entry]]:
        named = tuple(f"{name} {id_}" for name, id_ in ids.get(planned.address, {}).items())
        for line in _make_lines(report, plan, planned):
            for kind, entry in _place_line(view, line):
                # What the plan has no outcome for may be drift.
                same = line.outcome == line.planned.action
                action = entry.action if same else line.outcome
                own = () if kind in {SectionKind.UNDONE, SectionKind.UNKNOWN} else named
                yield kind, entry._replace(action=action, ids=own)

    return [] if report.declined else build_sections(plan, entries_of)


def _place_line(view: PlanView, line: ReceiptLine) -> Iterator[tuple[SectionKind, Entry]]:
    """Who is told of a line."""
    if line.status is LineStatus.DONE or line.waits_for == "a decision":
        yield from entries_of_change(view, line.planned)
        return
    entry = view.entry(line.planned)
    if line.waits_for == "a person":
        shown = entry if line.planned.action in _LEFT else keep_steps(entry)
        yield SectionKind.OPERATORS, shown._replace(drift=())
    else:
        whole = not line.planned.fields or line.planned.consequence is not None
        bare = entry._replace(
            reasons=(escape_invisible(line.why),), steps=(), drift=(), meaning="", undo=""
        )
        kind = SectionKind.UNDONE if line.status is LineStatus.UNDONE else SectionKind.UNKNOWN
        yield kind, bare._replace(items=()) if whole else bare


def receipt_notes(report: Report) -> Iterator[str]:
    """What stands before the sections: why it ended early, and jobs that did not do their work."""
    yield from recovered_lines(report)
    yield from approval_lines(report)
    yield from release_lines(report.release)
    if report.declined:
        yield "The plan was not approved: nothing of it was applied."
    if report.error:
        yield escape_invisible(report.error.message)
    if not report.complete:
        yield STOPPED
    yield from unread_lines(report)
    yield from (escape_invisible(f"Job {line}") for line in job_lines(report))


def receipt_facts(report: Report, plan: Plan | None) -> Iterator[tuple[str, str]]:
    """Calls in fact and as forecast, or those that were made without a forecast."""
    forecast, *routes = [*cost_lines(report, plan)] or [""]
    made = [f"{number:,} {route}" for route, number in sorted(report.calls.items())]
    if forecast:
        yield "Forecast and fact", forecast
        yield "By route", "; ".join(line.strip() for line in routes)
    elif made:
        yield "Calls", ", ".join(made)


def receipt_markdown(report: Report, plan: Plan | None, ids: IdsOf, environment: str) -> str:
    """The receipt of an apply; `plan` is the one that was applied, if there was one."""
    changes = receipt_sections(report, plan, ids) if plan else []
    where = f"### {phrase_outcome(report, plan)} to {escape_code(environment)}"
    title = add_apply_counts(where, report, plan)
    heading = [build_report_marker(environment, "apply"), "", title, ""]
    notes = [f"{shorten_escaped(line, _NOTE)}\n" for line in receipt_notes(report)]
    facts = receipt_facts(report, plan)
    costs = [f"<sub>{name}: {shorten_escaped(text, _NOTE)}</sub><br>" for name, text in facts]
    by = [f"<sub>Digest of the plan {escape_code(plan_digest(plan))}</sub>"] if plan else []
    before = [ReportPart(heading, 2_000), ReportPart(notes, 8_000, "note", _EVERYTHING)]
    return compose_report(before, changes, [ReportPart(costs, 6_000), ReportPart(by, 2_000)])


def apply_json(
    report: Report,
    plan: Plan | None = None,
    environment: str = "",
    ids: IdsOf = MappingProxyType({}),
) -> dict[str, Any]:
    """The document of `apply --json`; `plan` is the one that was applied."""
    troubles = [
        *report.with_outcome(*UNDONE),
        *sorted(report.partly.items()),
        *sorted(report.undecided_fields.items()),
    ]
    steps = list_due_steps(report, plan)
    lost_jobs = any(job.is_lost or job.status == "failed" for job in report.jobs)
    return {
        "format": "lmssync.apply/1",
        "summary": report.summary,
        "verified": len(report.shown),
        "unread": len(report.unread),
        "manualSteps": len(steps),
        "calls": {
            "total": sum(report.calls.values()),
            "byRoute": dict(sorted(report.calls.items())),
            **_forecast(report, plan),
        },
        "results": {str(address): done for address, done in sorted(report.done.items())},
        **({"ids": {str(address): dict(of) for address, of in sorted(ids.items())}} if ids else {}),
        **(
            {"approved": [_approval_json(one) for one in report.approved]}
            if report.approved
            else {}
        ),
        **({"release": release_json(report.release)} if report.release else {}),
        "failures": [
            {"address": str(address), "outcome": report.done[address], "message": because}
            for address, because in troubles
        ],
        "manual": [
            {"address": str(address), "field": step.field, "text": step.text}
            for address, step in steps
        ],
        "lines": [_line_json(line) for line in make_receipt_lines(report, plan)] if plan else [],
        "jobs": [job._asdict() for job in report.jobs],
        "recovered": report.recovered._asdict(),
        "complete": report.complete and not (report.declined or report.fell_short or lost_jobs),
        "error": report.error.message if report.error else None,
        "environment": environment or (plan.environment if plan else None),
    }


def _approval_json(one: ApprovedChange) -> dict[str, Any]:
    return {
        "address": str(one.address),
        "approvers": list(one.approvers),
        "pullRequest": one.pull_request,
        "commit": one.reviewed,
        "lines": list(one.lines),
    }


def _line_json(line: ReceiptLine) -> dict[str, Any]:
    """Some fields of a resource, and what came of them; no fields stand for all of it."""
    return {
        "address": str(line.planned.address),
        "status": line.status,
        "outcome": line.outcome,
        "fields": [field.path for field in line.planned.fields],
        "why": line.why or None,
        "waitsFor": line.waits_for or None,
    }


def _forecast(report: Report, plan: Plan | None) -> dict[str, Any]:
    """What the plan forecast and what it took, without what was read to make it."""
    if plan is None or report.spent is None or not plan.steps:
        return {}
    cost, spent = plan_budget(plan), report.spent
    return {
        "forecast": {
            "byRoute": {name: list(cost.range(name)) for name in cost.by_route},
            "total": [cost.fewest, cost.total],
            "minutes": list(cost.minutes),
        },
        "spent": {
            "byRoute": dict(spent.calls),
            "total": sum(spent.calls.values()),
            "minutes": round(spent.seconds / 60, 2),
        },
    }
