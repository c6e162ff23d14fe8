"""The status page of `lmssync watch`: what is managed, what waits and for whom, what came last."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ...support.visible import escape_invisible
from ...sync.rounds import WatchOverview
from ..guards_text import said
from ..truth import truth_line
from ..watch_report import moment, round_text
from ..words import count_noun, seconds
from .template import pages

_ROWS = 50
"""Rows of a list that are shown."""


class WatchList(NamedTuple):
    """Something that waits, or differs."""

    title: str
    number: int
    rows: Sequence[tuple[str, str]]
    """Addresses, and what is said of each."""
    more: str


def watch_html(overview: WatchOverview) -> str:
    """The whole page."""
    does = "applies what no guard stops" if overview.applies else "applies nothing"
    page = pages(
        "watch.html",
        title=f"Watching {overview.environment or 'a catalog'}",
        where=f"Plans every {seconds(overview.interval)} and {does}.",
        counts=list(_counts(overview)),
        guards=said(overview.planned.guards) if overview.planned else [],
        notes=[escape_invisible(note) for note in _notes(overview)],
        sections=[],
        lists=list(_lists(overview)),
        facts=list(_facts(overview)),
    )
    return b"".join(page).decode()


def _counts(now: WatchOverview) -> Iterator[str]:
    if now.status:
        yield f"{sum(now.status.managed.values()):,} managed"
    if now.planned and not (now.last and now.last.done):
        yield from (f"{number:,} to {word}" for word, number in now.planned.wanted_changes.items())
    if now.drift:
        yield f"{len(now.drift.drifted):,} drifted"


def _notes(now: WatchOverview) -> Iterator[str]:
    if now.last is None:
        yield "The first round has not ended yet."
    elif now.last.message:
        yield f"Exit code {now.last.code} of the last round: {now.last.message}"
        yield from filter(None, [now.last.hint])


def _lists(now: WatchOverview) -> Iterator[WatchList]:
    if now.planned:
        blocked = [(str(address), why) for address, why in now.planned.blocked]
        yield from _list("Waits for a decision", blocked)
    if now.status:
        unknown = [
            (str(part.address), f"the outcome of {call.route} is unknown: `lmssync resolve`")
            for call in now.status.waiting
            for part in call.parts
        ]
        yield from _list("Unknown calls", unknown)
        steps = [
            (str(step.address), f"{step.manual.field}: {step.manual.text}")
            for step in now.status.steps
        ]
        yield from _list("Waits for a person", steps)
    if now.drift:
        drifted = [(str(a), f"`lmssync drift {a}`") for a in sorted(now.drift.drifted)]
        yield from _list("Changed on the platform", drifted)


def _list(title: str, rows: Sequence[tuple[str, str]]) -> Iterator[WatchList]:
    """A list, if there is anything in it."""
    if rows:
        shown = [(escape_invisible(name), escape_invisible(text)) for name, text in rows[:_ROWS]]
        more = f"and {len(rows) - _ROWS:,} more" if len(rows) > _ROWS else ""
        yield WatchList(title, len(rows), shown, more)


def _facts(now: WatchOverview) -> Iterator[tuple[str, str]]:
    last, status = now.last, now.status
    if last:
        yield "Last round", f"{moment(last.began)}, took {seconds(last.seconds)}"
        yield "Outcome", round_text(last) or "nothing"
    yield "Next round", moment(now.due) if now.due else "one is running"
    if now.drift:
        left = (
            f"; {count_noun(now.drift.left, 'resource')} left for the next"
            if now.drift.left
            else ""
        )
        yield "Last look for drift", f"{moment(now.drift.at)}{left}"
    if status:
        yield "Managed", ", ".join(f"{k} {n:,}" for k, n in status.managed.items()) or "nothing yet"
        yield from (("Evidence", line) for line in filter(None, [truth_line(status.truth)]))
        yield "Forgotten", count_noun(len(status.forgotten), "resource")
        yield "State", f"{status.instance or 'of no instance yet'}, serial {status.serial:,}"
