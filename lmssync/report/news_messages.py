"""What people are told about a run where they are: short, and without the name of any learner.

A message names resources by title and address. It quotes no value, no reason and no answer of the
platform, because those may name people; the command in its last line shows them.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

from ..applying.apply import DONE, ApplyOutcome, Report, Undecided
from ..kinds import KINDS
from ..planning.plan import Plan, stopping_verdicts
from ..resource import Address
from ..state import OpenStep
from ..support.invisible_characters import escape_invisible
from ..support.notification_settings import Occasion
from ..support.redaction import redact_secrets
from ..sync.news_delivery import Message
from ..vocabulary.iso_dates import parse_moment
from .apply_text import list_apply_counts, phrase_outcome
from .markdown_escape import escape_message
from .value_words import count_noun, join_some, shorten_list

if TYPE_CHECKING:
    from ..sync.drift import DriftResult

_LINES, _WIDTH = 10, 160
"""Resources that a message names, and characters of a line."""
_CALLING = str.maketrans({"<": "\u2039", ">": "\u203a", "@": "\uff20"})
"""Chat tools ring for everybody at `@channel` and `<!here>`: a title must not."""
_TROUBLE = (ApplyOutcome.FAILED, ApplyOutcome.UNKNOWN, ApplyOutcome.BLOCKED, ApplyOutcome.SKIPPED)
_ADVICE: dict[Occasion, str] = {
    "applied": "`lmssync status -e {}` shows what is open.",
    "blocked": "`lmssync plan -e {}` says why, and what allows it.",
    "drift": "`lmssync drift -e {}` shows the values; `lmssync pull` takes them into manifests.",
    "overdueSteps": "`lmssync resolve ADDRESS --done -e {}` confirms what is done.",
    "unknownCalls": "`lmssync resolve -e {}` says what to look for, and how to answer.",
}


class NewsSource(NamedTuple):
    """The run that a message is about."""

    environment: str
    """As titles call it: with the slice, where the run was about one."""
    page: str = ""
    """The address of its page on the code host."""
    chosen: str = ""
    """What a command says to be about the same, if that is not the environment alone."""

    def compose_message(self, occasion: Occasion, title: str, lines: Sequence[str]) -> Message:
        """A message with the first of the lines, what to do, and where the run is shown."""
        shown = [_cut_line(line) for line in shorten_list(lines, _LINES, full=False)]
        shown += [f"and {len(lines) - len(shown):,} more"] * (len(lines) > len(shown))
        after = [_ADVICE[occasion].format(self.chosen or self.environment)]
        after += [f"The run: {self.page}"] * bool(self.page)
        listed = [f"- {escape_message(line)}" for line in shown]
        text = "\n".join([*shown, *[""] * bool(shown), *after])
        markdown = "\n".join([f"{escape_message(title)}.", "", *listed, "", *after, ""])
        texts = map(redact_secrets, (escape_invisible(title), text, markdown))
        return Message(occasion, self.environment, *texts)


def _cut_line(line: str) -> str:
    line = escape_invisible(line)
    return line if len(line) <= _WIDTH else f"{line[: _WIDTH - 1]}…"


def name_in_message(address: Address, title: str | None) -> str:
    """`“Fire safety” (course.fire)`; lists of people are named by their address alone."""
    named = title and not KINDS[address.kind].concealed
    return f"“{title.translate(_CALLING)}” ({address})" if title and named else str(address)


def applied_message(source: NewsSource, report: Report, made: Plan | None) -> Message | None:
    """What an apply has done; nothing where it had nothing to do."""
    titles = {one.address: one.title for one in made.changes} if made else {}
    # Trouble first: of ten thousand lines a message has ten.
    outcomes = sorted(report.done.items(), key=lambda item: (item[1] not in _TROUBLE, item[0]))
    lines = [
        f"{outcome.value}: {name_in_message(address, titles.get(address))}"
        for address, outcome in outcomes
        if outcome in DONE or outcome in _TROUBLE
    ]
    counted = ", ".join(list_apply_counts(report, made))
    title = f"{phrase_outcome(report, made)} on {source.environment}: {counted}"
    stopped = "; stopped before the end" * bool(report.error or report.interrupted)
    return source.compose_message("applied", title + stopped, lines) if lines else None


def blocked_message(source: NewsSource, made: Plan, *, is_stopped: bool = False) -> Message | None:
    """What guards stop, and what waits for a decision; `is_stopped` says that a run was ended."""
    undecided = made.undecided_changes
    guards = list(dict.fromkeys(one.guard for one in stopping_verdicts(made.guards)))
    wait = f"{count_noun(len(undecided), 'change')} to be decided"
    by = join_some(guards, _LINES) or "a guard"
    why = [f"stopped by {by}"] * bool(guards or is_stopped) + [wait] * bool(undecided)
    lines = [name_in_message(one.address, one.title) for one in undecided]
    title = f"Blocked on {source.environment}: {', '.join(why)}"
    return source.compose_message("blocked", title, lines) if why else None


def unknown_message(source: NewsSource, waiting: Sequence[Undecided]) -> Message | None:
    """Resources of which nobody knows what a call has done to them."""
    lines = [name_in_message(one.address, one.title) for one in waiting]
    count = count_noun(len(lines), "resource")
    title = f"Decide on {source.environment}: nobody knows what calls for {count} have done"
    return source.compose_message("unknownCalls", title, lines) if lines else None


def overdue_message(
    source: NewsSource, steps: Sequence[OpenStep], days: int, now: datetime
) -> Message | None:
    """The steps for people that are open for longer than some days, the oldest first."""
    ages = ((now - parse_moment(step.since)).days for step in steps)
    aged = [(age, step) for age, step in zip(ages, steps, strict=True) if age >= days]
    lines = [
        f"{step.address}: open for {count_noun(age, 'day')}"
        + f": {step.manual.text.translate(_CALLING)}" * (not KINDS[step.address.kind].concealed)
        for age, step in sorted(aged, key=lambda pair: (-pair[0], pair[1].address))
    ]
    count = count_noun(len(lines), "step")
    title = f"Overdue on {source.environment}: {count} for people, open for {days} days or more"
    return source.compose_message("overdueSteps", title, lines) if lines else None


def drift_message(source: NewsSource, look: "DriftResult") -> Message | None:
    lines = [
        f"{name_in_message(one.address, one.title)}: "
        + ("not there any more" if one.missing else count_noun(len(one.paths), "difference"))
        for one in look.findings
    ]
    title = f"Drift on {source.environment}: {count_noun(len(lines), 'resource')}"
    return source.compose_message("drift", title, lines) if lines else None
