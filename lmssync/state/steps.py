"""Steps that only a person can do: what the state keeps of them until somebody confirms them."""

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ..kind import ManualStep
from ..resource import Address
from .records import OpenStep, Record

Key = tuple[str, str]
"""Address and field."""


STEP = "address, field, text, since, lasting"


def step_of(row: tuple[Any, ...]) -> OpenStep:
    address, field, text, since, lasting = row
    return OpenStep(Address.parse(address), ManualStep(field, text), since, bool(lasting))


def leave_steps(db: sqlite3.Connection, records: Iterable[Record], time: str) -> None:
    """What creations leave to people; to be called in the transaction that records them."""
    db.executemany(
        "INSERT OR REPLACE INTO step VALUES (?, ?, ?, ?, 1)",
        [(str(r.address), step.field, step.text, time) for r in records for step in r.leaves],
    )


def changed_requests(
    steps: Sequence[OpenStep], asked: Mapping[Address, Sequence[ManualStep]]
) -> Mapping[Key, str] | None:
    """What an apply has found for people to do, if it is not what `steps` say already."""
    lasting = {_step_key(step) for step in steps if step.lasting}
    before = {_step_key(step): step.manual.text for step in steps if not step.lasting}
    wanted = {(str(a), step.field): step.text for a, manual in asked.items() for step in manual}
    after = {key: text for key, text in wanted.items() if key not in lasting}
    return after if after != before else None


def _step_key(step: OpenStep) -> Key:
    return str(step.address), step.manual.field


def replace_steps(
    db: sqlite3.Connection, steps: Iterable[OpenStep], wanted: Mapping[Key, str], time: str
) -> None:
    """Puts `wanted` in the place of what the last apply had found; what stays keeps its time."""
    for step in steps:
        if not step.lasting and _step_key(step) not in wanted:
            db.execute("DELETE FROM step WHERE address = ? AND field = ?", _step_key(step))
    db.executemany(
        "INSERT INTO step VALUES (?, ?, ?, ?, 0)"
        " ON CONFLICT (address, field) DO UPDATE SET text = excluded.text",
        [(*key, text, time) for key, text in wanted.items()],
    )


def close_steps(db: sqlite3.Connection, addresses: Iterable[str]) -> None:
    db.executemany("DELETE FROM step WHERE address = ?", [(name,) for name in addresses])


def move_steps(db: sqlite3.Connection, old: str, new: str) -> None:
    db.execute("UPDATE OR REPLACE step SET address = ? WHERE address = ?", (new, old))
