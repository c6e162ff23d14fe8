"""A round of `lmssync watch` as a line for people, and as a line of JSON."""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from ..support.visible import escape_invisible
from ..sync.rounds import Round
from . import words
from .truth import drift_line

FORMAT = "lmssync.watch/1"


def round_text(one: Round) -> str:
    """What came of a round; what stopped it comes last."""
    parts = [*_found(one), *filter(None, [one.message])]
    return escape_invisible("; ".join(parts))


def _found(one: Round) -> Iterator[str]:
    if one.planned and not one.done:
        yield f"planned: {_counts(one.planned.wanted_changes) or 'no changes'}"
    if one.done:
        yield f"applied: {_counts(one.done)}"
    if one.drift:
        drift = f"drift: {words.count_noun(len(one.drift.drifted), 'resource')}"
        known = one.status.findings if one.status else ()
        yield f"{drift} ({drift_line(known).rstrip('.')})" if known else drift
    elif one.status and one.status.findings:
        yield drift_line(one.status.findings).rstrip(".")


def _counts(numbers: Mapping[str, int]) -> str:
    return ", ".join(f"{number:,} {word}" for word, number in numbers.items())


def round_json(one: Round) -> dict[str, Any]:
    """`planned` and `drift` are null where the round did not get that far."""
    return {
        "format": FORMAT,
        "environment": one.environment,
        "at": moment(one.began),
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


def moment(seconds: float) -> str:
    """`2027-01-31T08:00:00Z`."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
