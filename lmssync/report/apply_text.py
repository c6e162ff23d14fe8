"""What an apply did, for people."""

import re
from collections.abc import Iterator

from ..address import Address
from ..apply import Done, Report
from ..plan import Plan
from ..visible import visible
from . import words
from .by_hand import due
from .ink import PLAIN, Colour, Ink

_DONE = (
    (Done.CREATED, "created"),
    (Done.UPDATED, "updated"),
    (Done.ADOPTED, "adopted"),
    (Done.MOVED, "moved"),
    (Done.FORGOTTEN, "forgotten"),
)
_NOT_DONE = (
    (Done.FAILED, "failed", Colour.RED),
    (Done.SKIPPED, "skipped", Colour.YELLOW),
    (Done.UNKNOWN, "unknown", Colour.RED),
)
_NAMES = 8
"""How many addresses are listed for one cause."""


def apply_text(
    report: Report, ink: Ink = PLAIN, *, plan: Plan | None = None, full: bool = False
) -> str:
    """What failed and why, jobs that failed, steps for people, and one line that sums it up."""
    if report.declined:
        return "Nothing was applied.\n"
    lines = [*_troubles(report, ink, full=full), *_in_part(report, ink)]
    lines += [*_jobs(report, ink), *_by_hand(report, plan, ink)]
    lines.append(ink(_sum(report, plan), Colour.BOLD))
    if not report.complete:
        lines.append(
            "Stopped before the end; the journal is intact: run `lmssync apply` to continue."
        )
    return "\n".join(lines) + "\n"


def _sum(report: Report, plan: Plan | None) -> str:
    """`Applied: 2 created, 1 failed; 7 calls.`, and never `Applied` if nothing was."""
    counts = report.summary
    done = [f"{counts[word]:,} {told}" for word, told in _DONE if counts[word]]
    not_done = [f"{counts[word]:,} {told}" for word, told, _ in _NOT_DONE if counts[word]]
    steps = len(due(report, plan))
    by_hand = [f"{words.counted(steps, 'step')} for a person"] * bool(steps)
    calls = words.counted(sum(report.calls.values()), "call")
    told = ", ".join([*done, *by_hand, *not_done])
    if done or not told:
        return f"Applied: {told or 'nothing to do'}; {calls}."
    if counts[Done.UNKNOWN]:
        return f"Nothing is known to have been applied: {told}; {calls}."
    return f"Nothing was applied: {told}; {calls}."


def _troubles(report: Report, ink: Ink, *, full: bool) -> Iterator[str]:
    for done, word, colour in _NOT_DONE:
        causes: dict[str, list[tuple[Address, str]]] = {}
        for address, because in report.of(done):
            causes.setdefault(_cause(address, because), []).append((address, because))
        for cause, told in causes.items():
            if len(told) == 1:
                address, because = told[0]
                yield f"  {ink(f'{word:<7}', colour)} {address}: {visible(because)}"
                continue
            yield f"  {ink(f'{word:<7}', colour)} {len(told):,} resources: {visible(cause)}"
            shown = told if full or len(told) <= _NAMES + 1 else told[:_NAMES]
            yield from (f"      {address}" for address, _ in shown)
            if len(shown) < len(told):
                yield f"      … {len(told) - len(shown):,} more: --json lists them all"


def _in_part(report: Report, ink: Ink) -> Iterator[str]:
    for address, left in sorted(report.partly.items()):
        yield f"  {ink('in part', Colour.YELLOW)} {address}: {visible(left)}"


def _cause(address: Address, because: str) -> str:
    """The reason without the address that it was given for, so that many may share it."""
    return re.sub(rf"(?<![\w.-]){re.escape(str(address))}(?![\w.-])", "ADDRESS", because)


def _jobs(report: Report, ink: Ink) -> Iterator[str]:
    for job in report.jobs:
        if job.status != "complete":
            told = job.message or "still running when we stopped waiting"
            text = visible(f"{job.status}: {job.description} {told} ({job.id})")
            yield f"  {ink('job', Colour.YELLOW)} {text}"


def _by_hand(report: Report, plan: Plan | None, ink: Ink) -> Iterator[str]:
    for address, step in due(report, plan):
        told = visible(f"{address}, {step.field}: {step.text}")
        yield f"  {ink('by hand', Colour.YELLOW)} {told}"
