"""What an apply did, in the sections of its plan: done, not done, left to people."""

from collections.abc import Iterator, Mapping

from ..address import Address
from ..apply import Done, Report
from ..plan import Action, Plan
from ..visible import visible
from .apply_text import recovered_lines
from .changes import Entry, Section, Voice, sections, voiced
from .cost_text import cost_lines

IdsOf = Mapping[Address, Mapping[str, str]]
"""Ids of what was applied, by their names."""
_LOST = frozenset({Done.FAILED, Done.SKIPPED, Done.UNKNOWN})


def receipt_sections(report: Report, plan: Plan, ids: IdsOf) -> list[Section]:
    """What the plan showed, with what came of it."""

    def told(entry: Entry) -> Iterator[tuple[Voice, Entry]]:
        address = entry.planned.address
        done = report.done.get(address) or _unreached(entry)
        if done and done in _LOST:
            because = visible(report.because.get(address, "the run ended before its turn"))
            lost = entry._replace(action=done, reasons=(because,), items=(), steps=(), drift=())
            yield Voice.UNDONE, lost._replace(meaning="", undo="")
            return
        left = report.partly.get(address)
        reasons = (*entry.reasons, *[visible(f"not all of it: {left}")] * bool(left))
        named = tuple(f"{name} {id_}" for name, id_ in ids.get(address, {}).items())
        action = done if done and done is not Done.MANUAL else entry.action
        yield from voiced(entry._replace(action=action, reasons=reasons, ids=named))

    return [] if report.declined else sections(plan, told)


def _unreached(entry: Entry) -> Done | None:
    """What became of something that a call was to make or change, and that no outcome names."""
    return Done.SKIPPED if entry.planned.action in {Action.CREATE, Action.UPDATE} else None


def receipt_notes(report: Report) -> Iterator[str]:
    """What stands before the sections: why it ended early, and jobs that did not do their work."""
    yield from recovered_lines(report)
    if report.declined:
        yield "The plan was not approved: nothing of it was applied."
    if report.error:
        yield visible(report.error.message)
    if not report.complete:
        yield "Stopped before the end; the journal is intact: run `lmssync apply` to continue."
    for job in report.jobs:
        if job.status != "complete":
            message = job.message or "still running when we stopped waiting"
            yield visible(f"Job {job.status}: {job.description} {message} ({job.id})")


def receipt_facts(report: Report, plan: Plan | None) -> Iterator[tuple[str, str]]:
    """Calls in fact and as forecast, or those that were made without a forecast."""
    forecast, *routes = [*cost_lines(report, plan, full=True)] or [""]
    made = [f"{number:,} {route}" for route, number in sorted(report.calls.items())]
    if forecast:
        yield "Forecast and fact", forecast
        yield "By route", "; ".join(line.strip() for line in routes)
    elif made:
        yield "Calls", ", ".join(made)
