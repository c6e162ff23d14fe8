"""What an apply did, for people and as JSON."""

from collections.abc import Iterator
from typing import Any

from ..apply import Done, Report
from ..plan import Plan
from ..visible import visible
from .ink import PLAIN, Colour, Ink
from .words import by_hand, counted

_WORDS = (
    (Done.CREATED, "created"),
    (Done.UPDATED, "updated"),
    (Done.ADOPTED, "adopted"),
    (Done.MOVED, "moved"),
    (Done.FORGOTTEN, "forgotten"),
    (Done.FAILED, "failed"),
    (Done.SKIPPED, "skipped"),
    (Done.UNKNOWN, "unknown"),
)


def apply_text(report: Report, ink: Ink = PLAIN) -> str:
    """What failed and why, jobs that failed, and one line that sums it up."""
    if report.declined:
        return "Nothing was applied.\n"
    lines = list(_troubles(report, ink))
    counts = report.summary
    told = [f"{counts[done]} {word}" for done, word in _WORDS if counts[done]]
    told += [by_hand(report.steps)] * bool(report.steps)
    calls = counted(sum(report.calls.values()), "call")
    lines.append(ink(f"Applied: {', '.join(told) or 'nothing to do'}; {calls}.", Colour.BOLD))
    if not report.complete:
        lines.append("Stopped before the end; the journal is whole: run `lmssync apply` to go on.")
    return "\n".join(lines) + "\n"


def _troubles(report: Report, ink: Ink) -> Iterator[str]:
    for word, done, colour in (
        ("failed ", Done.FAILED, Colour.RED),
        ("skipped", Done.SKIPPED, Colour.YELLOW),
        ("unknown", Done.UNKNOWN, Colour.RED),
    ):
        for address, because in report.of(done):
            yield f"  {ink(word, colour)} {address}: {visible(because)}"
    for address, left in sorted(report.partly.items()):
        yield f"  {ink('in part', Colour.YELLOW)} {address}: {visible(left)}"
    for job in report.jobs:
        if job.status != "complete":
            told = job.message or "still running when we stopped waiting"
            yield f"  {ink('job', Colour.YELLOW)} {job.status}: {job.description} {told} ({job.id})"


def apply_json(report: Report, plan: Plan | None = None) -> dict[str, Any]:
    """The document of `apply --json`."""
    troubles = report.of(Done.FAILED, Done.SKIPPED, Done.UNKNOWN)
    return {
        "format": "lmssync.apply/1",
        "summary": report.summary,
        "manualSteps": report.steps,
        "calls": {
            "total": sum(report.calls.values()),
            "byRoute": dict(sorted(report.calls.items())),
        },
        "results": {str(address): done for address, done in sorted(report.done.items())},
        "failures": [
            {"address": str(address), "outcome": report.done[address], "message": because}
            for address, because in troubles
        ]
        + [
            {"address": str(address), "outcome": report.done[address], "message": left}
            for address, left in sorted(report.partly.items())
        ],
        "jobs": [job._asdict() for job in report.jobs],
        "complete": report.complete,
        "error": report.error.message if report.error else None,
        "environment": plan.environment if plan else None,
    }
