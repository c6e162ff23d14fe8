"""What `lmssync watch` knows, as metrics in Prometheus' text format, version 0.0.4.

Labels are kinds, routes, actions, statuses and exit codes, of which there are few: no address, no
person, no message.
"""

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Literal

from .. import __version__
from ..sync.rounds import Ending, WatchOverview

TYPE = "text/plain; version=0.0.4"
Labels = Mapping[str, str]
Sample = tuple[Labels, float | None]


def metrics(overview: WatchOverview) -> str:
    """One family after the other; one of which nothing is known has no sample."""
    return "".join(line + "\n" for line in _lines(overview))


def _lines(now: WatchOverview) -> Iterator[str]:
    info = {"version": __version__, "environment": now.environment}
    yield from _gauge("build_info", "Version and environment.", 1, info)
    yield from _of_rounds(now)
    yield from _of_plan(now)
    yield from _of_state(now)
    calls = [
        ({"route": route, "status": str(status or "none")}, number)
        for (route, status), number in sorted(now.calls.items())
    ]
    yield from _family("calls_total", "counter", "Requests to the platform.", calls)
    left = [({"route": route}, number) for route, number in sorted(now.remaining.items())]
    text = "Requests that the window of a route still takes, by its latest answer."
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
    text = "When the latest round ended that ended well, in Unix time."
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
    text = "When the resource was compared whose comparison is oldest, in Unix time."
    moment = datetime.fromisoformat(oldest).timestamp() if oldest else None
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
            yield f"lmssync_{name}{f'{{{inner}}}' if inner else ''} {_number(value)}"


def _number(value: float) -> str:
    return str(int(value)) if value == int(value) else f"{value:.3f}"


def _escape_label(label: str) -> str:
    return label.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")
