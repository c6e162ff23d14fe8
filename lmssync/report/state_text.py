"""What is recorded, for people and as JSON."""

from collections.abc import Sequence
from typing import Any

import orjson

from ..state import Operation, Record
from . import words


def state_list(records: Sequence[Record], waiting: Sequence[Operation]) -> str:
    """A line a resource, then the calls that are not settled."""
    width = max((len(str(record.address)) for record in records), default=0)
    lines = [f"{r.address!s:<{width}}  {_main_id(r)}  {r.applied_at[:19]}" for r in records]
    lines += [
        f"? {operation.route} of {operation.started_at}: {member.address} ({operation.status})"
        for operation in waiting
        for member in operation.members
    ]
    lines.append(f"{words.counted(len(records), 'resource')} recorded.")
    return "\n".join(lines) + "\n"


def _main_id(record: Record) -> str:
    return next(iter(record.ids.own.values()), "-")


def state_show(record: Record) -> str:
    return orjson.dumps(state_json(record), option=orjson.OPT_INDENT_2).decode() + "\n"


def state_json(record: Record) -> dict[str, Any]:
    """One record, everything in it."""
    return {
        "address": str(record.address),
        "ids": record.ids.own,
        "parts": dict(record.ids.parts),
        "fingerprint": record.fingerprint,
        "appliedAt": record.applied_at,
        "plan": record.plan,
        "commit": record.commit,
        "form": record.form,
    }


def states_json(records: Sequence[Record]) -> dict[str, Any]:
    return {
        "format": "lmssync.state/1",
        "resources": [
            {"address": str(r.address), "ids": r.ids.own, "appliedAt": r.applied_at}
            for r in records
        ],
    }
