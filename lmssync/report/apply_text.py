"""What an apply did, for people."""

import re
from collections.abc import Iterator

from ..applying.apply import DONE, UNDONE, ApplyOutcome, Report
from ..kind import ManualStep
from ..planning.plan import Action, Plan
from ..resource import Address
from ..support.invisible_characters import escape_invisible
from .changes import cost_lines
from .release_report import release_lines
from .terminal_style import PLAIN, Colour, TextStyle
from .value_words import count_noun, shorten_list

_DONE = (
    (ApplyOutcome.CREATED, "created"),
    (ApplyOutcome.UPDATED, "updated"),
    (ApplyOutcome.ADOPTED, "adopted"),
    (ApplyOutcome.MOVED, "moved"),
    (ApplyOutcome.FORGOTTEN, "forgotten"),
)
_NOT_DONE = (
    (ApplyOutcome.FAILED, "failed", Colour.RED),
    (ApplyOutcome.BLOCKED, "blocked", Colour.YELLOW),
    (ApplyOutcome.SKIPPED, "skipped", Colour.YELLOW),
    (ApplyOutcome.UNKNOWN, "unknown", Colour.RED),
)
_NOTHING = "nothing to do"
STOPPED = "Stopped before the end; the journal is intact: run `lmssync apply` to continue."
_NAMES = 8
"""How many addresses are listed for one cause."""


def apply_text(
    report: Report, style: TextStyle = PLAIN, *, plan: Plan | None = None, full: bool = False
) -> str:
    """What failed and why, jobs that failed, steps for people, and one line that sums it up."""
    before = list(recovered_lines(report))
    if report.declined:
        return "\n".join([*before, f"Nothing {'of the plan ' * bool(before)}was applied.\n"])
    lines = [
        *before,
        *approval_lines(report),
        *_troubles(report, style, full=full),
        *_left(report, plan, style),
    ]
    calls = count_noun(sum(report.calls.values()), "call")
    result = add_apply_counts(phrase_outcome(report, plan), report, plan)
    lines.append(style(f"{result}; {calls}.", Colour.BOLD))
    lines += release_lines(report.release)
    lines += unread_lines(report)
    lines += cost_lines(report, plan) if full else []
    if not report.complete:
        lines.append(STOPPED)
    return "\n".join(lines) + "\n"


def recovered_lines(report: Report) -> Iterator[str]:
    """What became of calls of an earlier run; nothing where it had left none open."""
    done, left, undecided = report.recovered
    if done or left:
        calls = count_noun(done + left, "call")
        yield f"Settled before the plan was made: {calls} of an earlier run."
    if done:
        yield f"  {count_noun(done, 'call')} had done everything, which is recorded now."
    if left:
        calls = count_noun(left, "call")
        yield f"  {calls} had done a part at most, or may be repeated: the next plan has the rest."
    if undecided:
        calls = count_noun(undecided, "call")
        yield f"Still open: {calls} of an earlier run; `lmssync resolve` shows what to decide."


def unread_lines(report: Report) -> Iterator[str]:
    """How much of what was created is proven by a read, where not all of it is."""
    created, unread = report.summary[ApplyOutcome.CREATED], len(report.unread)
    # Counted: a set of a hundred thousand addresses would be the most that a run needs memory for.
    read = sum(report.done.get(address) is ApplyOutcome.CREATED for address in report.shown)
    if unread:
        counts = [f"{created:,} created", f"{read:,} verified"]
        hidden = created - read - unread
        counts += [f"{hidden:,} cannot be read back"] * (hidden > 0)
        others = "The remaining one is" if unread == 1 else f"The remaining {unread:,} are"
        later = f"{others} verified at first use, or by `lmssync drift`."
        yield f"{'; '.join(counts)}. {later}"


def approval_lines(report: Report) -> Iterator[str]:
    """Which guards the approvals of a pull request have released, and of whom."""
    released: dict[str, list[str]] = {}
    for one in report.approved:
        released.setdefault(one.reason, []).append(str(one.address))
    for reason, addresses in released.items():
        yield escape_invisible(f"{', '.join(addresses)}: {reason}")


def list_apply_counts(report: Report, plan: Plan | None) -> list[str]:
    """`2 created`, `1 step for a person`, `1 failed`; none for a run that did not get so far."""
    counts = report.summary
    done = [f"{counts[done]:,} {word}" for done, word in _DONE if counts[done]]
    not_done = [f"{counts[done]:,} {word}" for done, word, _ in _NOT_DONE if counts[done]]
    in_part = sum(
        report.done.get(address) in DONE
        for address in report.partly.keys() | report.undecided_fields
    )
    done += [f"{in_part:,} of these in part"] * bool(in_part)
    steps = len(list_due_steps(report, plan))
    found = [*done, *[f"{count_noun(steps, 'step')} for a person"] * bool(steps), *not_done]
    return found or [_NOTHING] * (report.complete and not report.declined)


def phrase_outcome(report: Report, plan: Plan | None) -> str:
    """`Applied`, and never that if nothing was."""
    did_something = any(report.summary[done] for done, _ in _DONE)
    if did_something or list_apply_counts(report, plan) == [_NOTHING]:
        return "Applied"
    unknown = report.summary[ApplyOutcome.UNKNOWN]
    return "Nothing is known to have been applied" if unknown else "Nothing was applied"


def add_apply_counts(outcome: str, report: Report, plan: Plan | None) -> str:
    """`Applied: 2 created, 1 failed`."""
    counts = ", ".join(list_apply_counts(report, plan))
    return f"{outcome}: {counts}" if counts else outcome


def _troubles(report: Report, style: TextStyle, *, full: bool) -> Iterator[str]:
    groups = [(word, colour, report.with_outcome(done)) for done, word, colour in _NOT_DONE]
    groups.append(("in part", Colour.YELLOW, sorted(report.partly.items())))
    groups.append(("blocked", Colour.YELLOW, sorted(report.undecided_fields.items())))
    for word, colour, group in groups:
        causes: dict[str, list[tuple[Address, str]]] = {}
        for address, because in group:
            causes.setdefault(_cause(address, because), []).append((address, because))
        for cause, troubles in causes.items():
            if len(troubles) == 1:
                address, because = troubles[0]
                yield f"  {style(f'{word:<7}', colour)} {address}: {escape_invisible(because)}"
                continue
            counted = f"{len(troubles):,} resources"
            yield f"  {style(f'{word:<7}', colour)} {counted}: {escape_invisible(cause)}"
            shown = shorten_list(troubles, _NAMES, full=full)
            yield from (f"      {address}" for address, _ in shown)
            if len(shown) < len(troubles):
                yield f"      … {len(troubles) - len(shown):,} more: --json lists them all"


def _cause(address: Address, because: str) -> str:
    """The reason without the address that it was given for, so that many may share it."""
    return re.sub(rf"(?<![\w.-]){re.escape(str(address))}(?![\w.-])", "ADDRESS", because)


def _left(report: Report, plan: Plan | None, style: TextStyle) -> Iterator[str]:
    """Jobs that are not complete, and steps for people."""
    lines = [("job", line) for line in job_lines(report)]
    steps = list_due_steps(report, plan)
    titles = (
        {one.address: f"“{one.title}” ({one.address})" for one in plan.changes if one.title}
        if plan
        else {}
    )
    lines += [
        ("by hand", f"{titles.get(address, address)}: {step.text}") for address, step in steps
    ]
    return (f"  {style(word, Colour.YELLOW)} {escape_invisible(text)}" for word, text in lines)


def job_lines(report: Report) -> Iterator[str]:
    """`failed: Clone client the slug is taken (7d1c…)`: the jobs that did not do their work."""
    for job in report.jobs:
        if job.status != "complete":
            message = job.message or "still running when we stopped waiting"
            yield f"{job.status}: {job.description} {message} ({job.id})"


def list_due_steps(report: Report, plan: Plan | None) -> list[tuple[Address, ManualStep]]:
    """Each step that is left to people, with its resource, in the order of the plan.

    Resources that were not done, or are blocked, have no manual steps yet.
    """
    if plan is None or report.declined:
        return []
    return [
        (planned.address, step)
        for planned in plan.changes
        if planned.action is Action.MANUAL
        or report.done.get(planned.address) not in {None, *UNDONE}
        for step in planned.manual
    ]
