"""What is recorded, for people and as JSON."""

from collections.abc import Sequence
from typing import Any

from ..state import JournaledCall, OpenStep, Record
from ..visible import visible
from . import words


def state_list(
    records: Sequence[Record], waiting: Sequence[JournaledCall], steps: Sequence[OpenStep] = ()
) -> str:
    """A line a resource, then steps for people and the calls that are not settled."""
    width = max((len(str(record.address)) for record in records), default=0)
    lines = [f"{r.address!s:<{width}}  {_main_id(r)}  {r.applied_at[:19]}" for r in records]
    lines += [
        f"! {s.address}: by hand, {s.manual.field}: {s.manual.text} (since {s.since[:19]})"
        for s in steps
    ]
    lines += [
        f"? {call.route} of {call.started_at}: {part.address} ({call.status})"
        for call in waiting
        for part in call.parts
    ]
    lines.append(f"{words.counted(len(records), 'resource')} recorded.")
    return "".join(f"{visible(line)}\n" for line in lines)


def _main_id(record: Record) -> str:
    return next(iter(record.ids.own.values()), "-")


def state_json(record: Record, steps: Sequence[OpenStep] = ()) -> dict[str, Any]:
    """One record in full, with its manual steps."""
    return {
        "address": str(record.address),
        "ids": record.ids.own,
        "parts": dict(record.ids.parts),
        "fingerprint": record.fingerprint,
        "appliedAt": record.applied_at,
        "plan": record.plan,
        "commit": record.commit,
        "manual": [_step(step) for step in steps if step.address == record.address],
        "form": record.form,
    }


def _step(step: OpenStep) -> dict[str, Any]:
    return {**step.manual._asdict(), "since": step.since}


def states_json(records: Sequence[Record], steps: Sequence[OpenStep] = ()) -> dict[str, Any]:
    return {
        "format": "lmssync.state/1",
        "resources": [
            {"address": str(r.address), "ids": r.ids.own, "appliedAt": r.applied_at}
            for r in records
        ],
        "manual": [{"address": str(step.address), **_step(step)} for step in steps],
    }
