"""What a plan comes to, a line for each thing: how many changes, the cost, what guards say."""

import re
import shlex
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from ...kind import Effect, Undo
from ...planning.diff import Drift, Resolution
from ...planning.plan import (
    HELD,
    PUBLISHED,
    Action,
    Budget,
    GuardVerdict,
    Plan,
    PlannedChange,
    is_left_open,
    plan_budget,
    plan_digest,
    stopping_verdicts,
)
from ...problems import Severity
from ...support.decisions import Limits, Refresh
from ...support.invisible_characters import escape_invisible
from ..evidence_text import coverage_line, drift_line, unasked_line
from ..terminal_style import Colour, TextStyle
from ..value_words import count_noun, join_some, spell_minutes, spell_seconds
from .consequence_text import learners_line, total_lines

if TYPE_CHECKING:
    from ...applying.apply import Report

WORDS = {
    Action.CREATE: "to create",
    Action.UPDATE: "to update",
    Action.ADOPT: "to adopt",
    Action.MOVE: "to move",
    Action.FORGET: "to forget",
    Action.MANUAL: "for a person",
    Action.BLOCKED: "blocked",
    Action.UNCHANGED: "unchanged",
}
"""Each action in the summary."""
_SENT = {Action.CREATE, Action.UPDATE, Action.MANUAL, Action.FORGET}
"""Actions after which something is another way for people."""
_ABOUT = {Effect.COMMERCE: "money", Effect.ACCESS: "access", Effect.PROGRESS: "progress"}
"""What people are asked about first."""
_NAMES = 8
"""How many addresses a line names."""


class GuardLine(NamedTuple):
    """What one guard says."""

    word: str
    """`blocked`, `warning` or `allowed`."""
    colour: Colour
    text: str
    allow: str
    """The options that release what it blocks; empty if it only warns, or if they are given."""


def describe_verdicts(verdicts: Sequence[GuardVerdict]) -> list[GuardLine]:
    """All of them but those that hold a change back, which says so itself."""
    return [
        GuardLine(
            *_word(one),
            escape_invisible(f"[{one.guard}] {one.message}"),
            ""
            if one.permitted or one.severity is not Severity.ERROR
            else escape_invisible(one.allow),
        )
        for one in verdicts
        if one.guard not in HELD
    ]


def guard_lines(verdicts: Sequence[GuardVerdict], style: TextStyle) -> Iterator[str]:
    """`Guards:` and a line or two each: what it is about, and the options that allow it."""
    lines = describe_verdicts(verdicts)
    if lines:
        yield style("Guards:", Colour.BOLD)
    for one in lines:
        yield style(f"  {one.word} {one.text}", one.colour)
        if one.allow:
            yield f"      release it with: {one.allow}"


def _word(one: GuardVerdict) -> tuple[str, Colour]:
    if one.permitted:
        return "allowed", Colour.DIM
    if one.severity is Severity.ERROR:
        return "blocked", Colour.RED
    return "warning", Colour.YELLOW


def cost_lines(report: "Report", plan: Plan | None) -> Iterator[str]:
    """`The plan took 5 calls in 2 s; the forecast was 4 to 7 calls, under a minute.`, and a line
    for each route."""
    if plan is None or report.spent is None or not plan.steps:
        return
    cost, spent = plan_budget(plan), report.spent
    number = count_noun(sum(spent.calls.values()), "call")
    if cost.follows_jobs:
        number += f" ({cost.count_polls(spent.calls):,} of them reads of jobs)"
    sure = cost.exclude_polls()
    forecast = f"{spell_range(sure.fewest, sure.total)} calls, {describe_minutes(sure)}"
    besides = ", and reads of jobs while they run" * cost.follows_jobs
    took = f"The plan took {number} in {spell_seconds(spent.seconds)}"
    yield f"{took}; the forecast was {forecast}{besides}."
    for route in sorted({*cost.by_route, *spent.calls}):
        yield f"  {route}: {spent.calls.get(route, 0):,} ({spell_range(*cost.range(route))})"


def spell_range(low: int, high: int) -> str:
    """`4`, `4 to 7`."""
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"


def describe_minutes(cost: Budget) -> str:
    """`under a minute`, `under a minute to 12 min`; the limits of the account, if they decide."""
    short, long = map(spell_minutes, cost.minutes)
    if short == long:
        return short
    if cost.is_bound_by_account:
        return f"{short}, or {long} where the limits of the whole account apply"
    return f"{short} to {long}"


def is_left(planned: PlannedChange) -> bool:
    """True if people have changed it on the platform, and an apply leaves that as it is."""
    parts = planned.action is Action.UNCHANGED and planned.edited_parts
    return bool(parts) or any(map(_stays, planned.drift))


def unseen_drift(drift: Iterable[Drift]) -> Iterator[Drift]:
    """What people have changed on the platform, and no change of the plan shows."""
    return (one for one in drift if _stays(one) or one.decision is Resolution.CONVERGED)


def _stays(one: Drift) -> bool:
    """Whether an apply leaves it without asking anybody."""
    return one.decision.stays and not one.decision.is_undecided


def list_plan_counts(plan: Plan) -> list[str]:
    """`2 to create`, `1 to update`, `1 step for a person`."""
    numbers: dict[Action, int | str] = {action: plan.summary[action] for action in WORDS}
    numbers[Action.MANUAL] = count_noun(plan.by_hand, "step") if plan.by_hand else 0
    parts = [f"{number:,}" if isinstance(number, int) else number for number in numbers.values()]
    named = zip(parts, WORDS.values(), strict=True)
    drifted = sum(map(is_left, plan.changes))
    shown = [f"{number} {word}" for number, word in named if number != "0"]
    blocked = sum(len(planned.blocked_fields) for planned in plan.changes)
    shown += [f"{count_noun(blocked, 'field')} blocked"] * bool(blocked)
    return shown + [f"{drifted:,} changed on the platform"] * bool(drifted)


def limits_line(limits: Limits) -> str:
    """`Limited to course.safety-*: 41 other changes are not in this plan.`"""
    since = f"changed since {limits.changed_since}" if limits.changed_since else ""
    what = ", ".join(limits.target) or "what has"
    to = [f"release {limits.release}"] * bool(limits.release)
    to += [f"limited to {what} {since}".rstrip()] * bool(limits.target or since)
    kept = [f"what the release {name} changes" for name in limits.held if not limits.release]
    left = [*limits.exclude, *kept]
    without = [f"without {', '.join(left)}"] * bool(left)
    number = limits.left_out
    are = "is" if number == 1 else "are"
    rest = f"{count_noun(number, 'other change')} {are} not in this plan"
    text = f"{', '.join(to + without)}: {rest if number else 'nothing else has changed'}."
    return escape_invisible(text[0].upper() + text[1:])


def scope_lines(plan: Plan) -> Iterator[str]:
    """What looks for drift have found, what the plan leaves out, and what nobody has looked at."""
    yield from filter(None, [drift_line(plan.known_drift, plan.drift_titles)])
    if plan.limits:
        yield limits_line(plan.limits)
    if plan.refresh == Refresh.OFFLINE and plan.has_changes:
        yield (
            "Made offline: what people changed on the platform, and whether names like tags exist "
            "there, was not checked."
        )


def blocked_line(plan: Plan) -> Iterator[str]:
    """`1 change is blocked. An apply leaves it undone and ends with exit code 7.`"""
    blocked = plan.undecided_changes
    if not blocked:
        return
    in_part = sum(bool(one.blocked_fields) for one in blocked)
    if plan.forbidden_all:
        code = "3, because guards stop every change"
    elif any(map(is_left_open, blocked)):
        code = "4 while the outcome of a call is unknown, otherwise with 7"
    else:
        code = "7"
    is_, it = ("is", "it") if len(blocked) == 1 else ("are", "them")
    how = f"{is_} blocked"
    if in_part == len(blocked):
        how, it = f"{how} in part", "that part" if in_part == 1 else "those parts"
    elif in_part:
        how, it = f"{how}, {in_part:,} of them in part", "that"
    number = count_noun(len(blocked), "change")
    yield f"{number} {how}. An apply leaves {it} undone and ends with exit code {code}."


_COMMAND = re.compile(
    r"(?:^|(?<=`))lmssync (?=[a-z])(?!(?:completion|demo|explain|init|sandbox|schema)\b)"
)


def name_environment(text: str, environment: str) -> str:
    """The text with the environment in the commands that it names, between backquotes or as the
    whole text: who reads a comment or a page copies them into a shell that knows nothing of the
    run."""
    return _COMMAND.sub(f"lmssync -e {shlex.quote(environment)} ", text)


def confirm_line(plan: Plan) -> Iterator[str]:
    """How people confirm manual steps."""
    if plan.by_hand:
        yield "After doing a step by hand, confirm it: `lmssync resolve ADDRESS --done`."


def matters_line(plan: Plan) -> Iterator[str]:
    """What matters most to people, on one line: what is blocked and how it is released, what guards
    warn of, what is about money, access or progress, what nobody can undo, and who is enrolled."""
    said = [*_guard_sentences(plan.guards), *_blocked_by(plan), *_effects(plan)]
    sentences = [*said, *learners_line(plan)]
    yield from [" ".join(sentences)] if sentences else []


def _guard_sentences(verdicts: Iterable[GuardVerdict]) -> Iterator[str]:
    """`Blocked: this changes the price of course.a. Release it with --allow course.a.`

    What approvals have released is said too; what `--allow` names, whoever typed it knows.
    """
    for one in verdicts:
        message = escape_invisible(one.message)
        if one.guard in HELD or (one.permitted and one.allow):
            continue
        if one.permitted:
            yield f"Released: {message}."
        elif one.severity is Severity.ERROR:
            release = f" Release it with {escape_invisible(one.allow)}." if one.allow else ""
            yield f"Blocked: {message}.{release}"
        else:
            yield f"Warning: {message}."


def _blocked_by(plan: Plan) -> Iterator[str]:
    """`3 changes are blocked: 2 by the guard published, 1 by a conflict.`"""
    causes = Counter(map(_name_cause, plan.undecided_changes))
    number = sum(causes.values())
    if number:
        are = f"{count_noun(number, 'change')} {'is' if number == 1 else 'are'} blocked"
        by = ", ".join(f"{times:,} {cause}" for cause, times in causes.items())
        yield f"{are} {next(iter(causes))}." if len(causes) == 1 else f"{are}: {by}."


def _name_cause(planned: PlannedChange) -> str:
    if planned.guard:
        return f"by the guard {planned.guard}"
    if is_left_open(planned):
        return "by a call whose outcome is unknown"
    if any(one.decision.is_undecided for one in planned.drift):
        return "in part by a conflict" if planned.blocked_fields else "by a conflict"
    return "until somebody decides"


def _effects(plan: Plan) -> Iterator[str]:
    """`1 change is about money, 2 about access; 1 cannot be undone.`"""
    counts = Counter(one.effect for one in plan.changes if one.action in _SENT)
    for one in plan.guards:  # what a guard says of an effect is not said again
        for address in one.addresses if one.guard == PUBLISHED and not one.permitted else ():
            counts.subtract(p.effect for p in plan.changes if p.address == address)
    lost = plan.undo.get(Undo.PERMANENT, 0)
    touched = [(counts[one], f"about {what}") for one, what in _ABOUT.items() if counts[one]]
    if touched:
        (first, what), *others = touched
        said = f"{count_noun(first, 'change')} {'is' if first == 1 else 'are'} {what}"
        said = ", ".join([said, *(f"{number:,} {about}" for number, about in others)])
        yield f"{said}; {lost:,} cannot be undone." if lost else f"{said}."
    elif lost:
        yield f"{count_noun(lost, 'change')} cannot be undone."


def next_line(plan: Plan, next_step: str) -> Iterator[str]:
    """What somebody does next: `next_step`, which applies the plan, or what must come before it."""
    if not next_step:
        return
    steps = count_noun(plan.by_hand, "step")
    left = [str(planned.address) for planned in plan.changes if planned.manual]
    address = left[0] if len(left) == 1 else "ADDRESS"
    confirm = f"{steps} by hand (`lmssync resolve {address} --done` confirms)"
    if stopping_verdicts(plan.guards):
        yield "Next: release what may pass with --allow, or change the manifests; then plan again."
    elif plan.does_anything:
        then = f", then {confirm}" if plan.by_hand else ""
        yield escape_invisible(f"Next: {next_step}{then}. More: --full.")
    elif plan.by_hand:
        yield f"Next: {confirm}."
    elif plan.undecided_changes:
        yield "Next: decide what is blocked, then plan again."


def nothing_line(plan: Plan) -> str:
    """What can be said when nothing is to be done: the platform was not asked about everything."""
    number = plan.summary[Action.UNCHANGED] + sum(i.still_open for i in plan.changes)
    if not plan.planning:
        return unasked_line(number)
    resources = count_noun(number, "resource")
    are = "is" if number == 1 else "are"
    drifted = sum(map(is_left, plan.changes))
    about = {
        Refresh.ALL: "the platform was asked about all of them",
        Refresh.NONE: "the platform was not asked about them",
    }.get(
        Refresh(plan.refresh or Refresh.CHANGED),
        "the platform was asked only about what may have changed",
    )
    if drifted:
        others = f"{drifted:,} changed on the platform"
        return f"No changes in git: {resources} recorded, {others}; {about}."
    return f"No changes: {resources} {are} as the catalog wants; {about}."


def call_lines(plan: Plan) -> Iterator[str]:
    """`Calls: 2 writes (1 course.create, 1 criteria.update) and 4 to 6 reads; under a minute.`"""
    if not plan.steps:
        return
    cost = plan_budget(plan).exclude_polls()
    number = sum(cost.writes.values())
    routes = ", ".join(f"{n:,} {route}" for route, n in sorted(cost.writes.items()))
    fewest = f"; {cost.fewest_writes:,} if nothing had to wait" * (cost.fewest_writes < number)
    low, high = cost.reads
    span = "" if low == high else f"{low:,} to " if low else "up to "
    reads = f"{span}{count_noun(high, 'read')}"
    calls = f"{count_noun(number, 'write')} ({routes}{fewest}) and {reads}"
    yield f"Calls: {calls}; {describe_minutes(cost)}."
    if plan_budget(plan).follows_jobs:
        yield "Jobs are also read while they run; how often depends on the platform."
    if cost.planning:
        again = count_noun(sum(cost.planning.values()), "read")
        yield f"Planning took {again}; an apply without a saved plan repeats them."


def protection_lines(plan: Plan, *, full: bool) -> Iterator[str]:
    """Changes of protection, which an apply records and does not send."""
    for wanted, text in ((True, "Protected from now on"), (False, "No longer protected")):
        names = [str(address) for address, on in plan.protections.items() if on is wanted]
        if names:
            yield f"{text}: {join_some(names, len(names) if full else _NAMES)}."


def lowered_lines(plan: Plan) -> Iterator[str]:
    """What a pull request lowers of what guards the catalog, and what that means."""
    if plan.lowered:
        named = [f"{one.setting} (was {one.before}, is {one.after})" for one in plan.lowered]
        yield f"This pull request lowers: {', '.join(named)}."
        yield "This plan applies the stricter of both; plans after the merge do not."


def list_plan_notes(plan: Plan) -> Iterator[str]:
    """What stands before the changes on a page."""
    if not plan.has_changes:
        yield nothing_line(plan)
    yield from scope_lines(plan)
    yield from map(escape_invisible, lowered_lines(plan))
    yield from map(escape_invisible, protection_lines(plan, full=True))


def list_plan_facts(plan: Plan) -> Iterator[tuple[str, str]]:
    """What stands below them: names and texts."""
    for line in total_lines(plan):
        name, _, text = line.partition(": ")
        yield name, text
    for line in call_lines(plan):
        name, _, text = line.partition(": ")
        yield (name, text) if text else ("Planning", line.removeprefix("Planning took "))
    if verified := coverage_line(plan.truth):
        yield "Verified", verified.removeprefix("Verified against the platform: ")
    yield from [("Commit", escape_invisible(plan.commit))] if plan.commit else []
    yield from [("Intentions", plan.intentions)] if plan.intentions else []
    yield from [("Digest", plan_digest(plan))] if plan.has_changes else []
    yield "lmssync", escape_invisible(plan.version)
