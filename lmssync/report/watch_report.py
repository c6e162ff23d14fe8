"""What `lmssync watch` knows: a line for each round, metrics, and the status page.

Metrics are in the text format 0.0.4 of Prometheus. Their labels are kinds, routes, actions,
statuses and exit codes, of which there are few: no address, no person, no message.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Literal, NamedTuple

from .. import __version__
from ..planning.plan import Action
from ..support.invisible_characters import escape_invisible
from ..sync.recorded_status import Status
from ..sync.watch_rounds import Ending, Planned, Round, WatchOverview
from ..vocabulary.iso_dates import parse_moment
from .changes import WORDS, describe_verdicts
from .evidence_text import coverage_line, drift_line
from .html_pages import stream_page
from .release_report import progress_lines
from .value_words import count_kinds, count_noun, spell_moment, spell_seconds

TYPE = "text/plain; version=0.0.4"
Labels = Mapping[str, str]
Sample = tuple[Labels, float | None]
_ROWS = 50
"""Rows of a list that are shown."""


def render_metrics(overview: WatchOverview) -> str:
    """One family after the other; one of which nothing is known has no sample."""
    return "".join(line + "\n" for line in _lines(overview))


def _lines(now: WatchOverview) -> Iterator[str]:
    info = {"version": __version__, "environment": now.environment}
    named = 1 if now.environment else None
    yield from _gauge("build_info", "Version and environment.", named, info)
    yield from _of_rounds(now)
    yield from _of_plan(now)
    yield from _of_state(now)
    calls = [
        ({"route": route, "status": str(status or "none")}, number)
        for (route, status), number in sorted(now.calls.items())
    ]
    yield from _family("calls_total", "counter", "Requests to the platform.", calls)
    left = [({"route": route}, number) for route, number in sorted(now.remaining.items())]
    text = "Requests that a route still allows in its time window, by its latest answer."
    yield from _family("throttle_remaining_requests", "gauge", text, left)


def _of_rounds(now: WatchOverview) -> Iterator[str]:
    last = now.last
    up = last.ending is Ending.WELL if last else None
    yield from _gauge("up", "1 if the last round ended well, else 0.", up)
    ended = [({"exit": str(code)}, number) for code, number in sorted(now.rounds.items())]
    yield from _family("rounds_total", "counter", "Rounds, by exit code.", ended)
    yield from _gauge("interval_seconds", "Time between rounds as configured.", now.interval)
    text = "When the last round began, in Unix time."
    yield from _gauge("last_round_timestamp_seconds", text, last and last.began)
    text = "How long the last round took."
    yield from _gauge("last_round_duration_seconds", text, last and last.seconds)
    yield from _gauge("last_round_exit_code", "Its exit code.", last and last.code)
    text = "When the latest successful round ended, in Unix time."
    yield from _gauge("last_success_timestamp_seconds", text, now.good)


def _of_plan(now: WatchOverview) -> Iterator[str]:
    plan, drift = now.planned, now.drift
    actions = plan.changes.items() if plan else ()
    text = "Resources in the last plan, by action."
    yield from _family("plan_resources", "gauge", text, [({"action": a}, n) for a, n in actions])
    text = "Guards and policies that stopped the last plan."
    yield from _gauge("plan_stops", text, len(plan.stopping_guards) if plan else None)
    text = "Resources that differ from their record, by the latest looks."
    yield from _gauge("drift_resources", text, len(drift.drifted) if drift else None)
    text = "When the latest look for drift ended, in Unix time."
    yield from _gauge("last_drift_timestamp_seconds", text, drift and drift.at)


def _of_state(now: WatchOverview) -> Iterator[str]:
    status = now.status
    if status is None:
        return
    kinds: Iterable[Sample] = [({"kind": kind}, n) for kind, n in status.managed.items()]
    yield from _family("managed_resources", "gauge", "Managed resources, by kind.", kinds)
    yield from _gauge("state_serial", "Serial of the state.", status.serial)
    yield from _gauge("manual_steps", "Steps that wait for a person.", len(status.steps))
    text = "Parts of calls whose outcome is unknown."
    yield from _gauge("unknown_calls", text, sum(len(call.parts) for call in status.waiting))
    text = "Resources that were never compared as they are recorded now."
    yield from _gauge("unproven_resources", text, status.proofs.never)
    oldest = status.proofs.oldest
    text = "When the resource with the oldest comparison was compared, in Unix time."
    moment = parse_moment(oldest).timestamp() if oldest else None
    yield from _gauge("oldest_proof_timestamp_seconds", text, moment)


def _gauge(
    name: str, text: str, value: float | None, labels: Labels | None = None
) -> Iterator[str]:
    return _family(name, "gauge", text, [(labels or {}, value)])


def _family(
    name: str, kind: Literal["gauge", "counter"], text: str, samples: Iterable[Sample]
) -> Iterator[str]:
    """`# HELP`, `# TYPE` and the samples of a family."""
    yield f"# HELP lmssync_{name} {text}"
    yield f"# TYPE lmssync_{name} {kind}"
    for labels, value in samples:
        if value is not None:
            inner = ",".join(f'{key}="{_escape_label(label)}"' for key, label in labels.items())
            number = str(int(value)) if value == int(value) else f"{value:.3f}"
            yield f"lmssync_{name}{f'{{{inner}}}' if inner else ''} {number}"


def _escape_label(label: str) -> str:
    return label.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")


def round_text(one: Round) -> str:
    """The result of a round in words; what stopped it comes last."""
    parts = [*_found(one), *filter(None, [one.message])]
    return escape_invisible("; ".join(parts))


def _found(one: Round) -> Iterator[str]:
    if one.planned and not one.done:
        yield f"planned: {', '.join(_count_wanted(one.planned)) or 'no changes'}"
    if one.done:
        yield f"applied: {', '.join(f'{number:,} {word}' for word, number in one.done.items())}"
    if one.drift:
        number = len(one.drift.drifted)
        drift = f"drift: {count_noun(number, 'resource')}" if number else "no drift"
        known = _name_drift(one.status) if one.status else ""
        yield f"{drift} ({known})" if known else drift
    elif one.status and one.status.findings:
        yield _name_drift(one.status)


def _name_drift(status: Status) -> str:
    return drift_line(status.findings, status.titles).rstrip(".")


def _count_wanted(planned: Planned) -> list[str]:
    """`2 to create`, `1 for a person`."""
    wanted = planned.wanted_changes.items()
    return [f"{number:,} {WORDS[Action(word)]}" for word, number in wanted]


def round_json(one: Round) -> dict[str, Any]:
    """`planned` and `drift` are null where the round did not get that far."""
    return {
        "format": "lmssync.watch/1",
        "environment": one.environment,
        "at": format_watch_moment(one.began),
        "tookSeconds": round(one.seconds, 1),
        "exit": one.code,
        "ended": one.ending.value,
        "planned": one.planned and dict(one.planned.changes),
        "applied": dict(one.done),
        "drift": one.drift and len(one.drift.drifted),
        "sync": one.status and one.status.sync.value,
        "message": escape_invisible(one.message),
        "hint": escape_invisible(one.hint),
    }


def format_watch_moment(seconds: float) -> str:
    """`2027-01-31T08:00:00Z`."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _spell_time(seconds: float) -> str:
    """`31 January 2027, 08:00:12 UTC`."""
    return spell_moment(format_watch_moment(seconds))


class WatchList(NamedTuple):
    """Something that waits, or differs."""

    title: str
    number: int
    rows: Sequence[tuple[str, str]]
    """Addresses, and what is said of each."""
    more: str


def watch_html(overview: WatchOverview) -> str:
    does = "applies what no guard stops" if overview.applies else "applies nothing"
    page = stream_page(
        "watch.html",
        title=f"Watching {overview.environment or 'a catalog'}",
        where=f"Plans every {spell_seconds(overview.interval)} and {does}.",
        counts=list(_counts(overview)),
        guards=describe_verdicts(overview.planned.guards) if overview.planned else [],
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
        yield from _count_wanted(now.planned)
    if now.drift:
        yield f"{len(now.drift.drifted):,} changed on the platform"


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
        named = [(one.name, next(progress_lines(one))) for one in now.status.releases]
        yield from _list("Releases that are not complete", named)
        steps = [(str(step.address), step.manual.text) for step in now.status.steps]
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
        yield "Last round", f"{_spell_time(last.began)}, took {spell_seconds(last.seconds)}"
        yield "Outcome", round_text(last) or "nothing"
    yield "Next round", _spell_time(now.due) if now.due else "one is running"
    if now.drift:
        left = (
            f"; {count_noun(now.drift.left, 'resource')} left for the next"
            if now.drift.left
            else ""
        )
        yield "Last look for drift", f"{_spell_time(now.drift.at)}{left}"
    if status:
        yield "Managed", count_kinds(status.managed) or "nothing yet"
        coverage = coverage_line(status.truth, unread=status.unread)
        yield from [("Evidence", coverage)] * bool(coverage)
        yield "Forgotten", count_noun(len(status.forgotten), "resource")
        yield "State", f"{status.instance or 'of no instance yet'}, serial {status.serial:,}"
