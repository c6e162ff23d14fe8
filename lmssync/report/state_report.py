"""What is recorded in the state, and what has happened to it, for people and as JSON."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from ..state import Event, JournaledCall, OpenStep, Record
from ..support.invisible_characters import escape_invisible
from .evidence_text import moment_text
from .value_words import count_noun, join_some, shorten_list

_NAMES = 3
"""How many addresses a line names."""
_DIGITS = 7
"""Digits of a digest and of a commit that people compare."""
Picks = Callable[[str], bool]
"""True for an address that was asked for."""


class StateListing(NamedTuple):
    """What a list of the state shows."""

    records: Sequence[Record] = ()
    forgotten: Sequence[Record] = ()
    """What is no longer managed; its ids are kept."""
    steps: Sequence[OpenStep] = ()
    waiting: Sequence[JournaledCall] = ()
    """Calls that are not settled."""


def state_list(listed: StateListing) -> str:
    """A line a resource, then what was forgotten, steps for people and calls that are open."""
    every = [*listed.records, *listed.forgotten]
    width = max((len(str(record.address)) for record in every), default=0)
    lines = [f"{r.address!s:<{width}}  {_main_id(r)}  {moment_text(r.applied_at)}" for r in every]
    for number in range(len(listed.records), len(every)):
        lines[number] += "  (forgotten)"
    lines += [
        f"! {s.address}: by hand: {s.manual.text} (since {moment_text(s.since)})"
        for s in listed.steps
    ]
    lines += [
        f"? {call.route} of {moment_text(call.started_at)}: {part.address} ({call.status})"
        for call in listed.waiting
        for part in call.parts
    ]
    count = count_noun(len(listed.records), "resource")
    forgotten = f", {len(listed.forgotten):,} forgotten" if listed.forgotten else ""
    return "".join(
        f"{escape_invisible(line)}\n" for line in [*lines, f"{count} recorded{forgotten}."]
    )


def _main_id(record: Record) -> str:
    return "not read yet" if record.unpaired else next(iter(record.known_ids.own.values()), "-")


def state_json(record: Record, steps: Sequence[OpenStep] = ()) -> dict[str, Any]:
    """One record in full, with its manual steps."""
    return {
        "address": str(record.address),
        "ids": record.known_ids.own,
        "parts": dict(record.known_ids.parts),
        **_made(record),
        "fingerprint": record.fingerprint,
        "appliedAt": record.applied_at,
        "plan": record.plan,
        "commit": record.commit,
        "manual": [_step(step) for step in steps if step.address == record.address],
        "form": record.form,
    }


def _made(record: Record) -> dict[str, Any]:
    """What is known of its ids where no read has shown them yet."""
    one = record.unpaired
    made = one and {"batch": one.batch, "expected": one.expected, "mark": one.marker}
    return {"made": made} if made else {}


def _step(step: OpenStep) -> dict[str, Any]:
    return {**step.manual._asdict(), "since": step.since}


def states_json(listed: StateListing) -> dict[str, Any]:
    return {
        "format": "lmssync.state/1",
        "resources": [_row(record) for record in listed.records],
        "forgotten": [_row(record) for record in listed.forgotten],
        "manual": [{"address": str(step.address), **_step(step)} for step in listed.steps],
        "calls": [_call(call) for call in listed.waiting],
    }


def _row(record: Record) -> dict[str, Any]:
    ids = record.known_ids.own
    return {"address": str(record.address), "ids": ids, "appliedAt": record.applied_at}


def _call(call: JournaledCall) -> dict[str, Any]:
    return {
        "route": call.route,
        "status": call.status,
        "since": call.started_at,
        "plan": call.plan,
        "commit": call.commit,
        "resources": [{"address": str(part.address), "mark": part.marker} for part in call.parts],
    }


def history_text(events: Sequence[Event], picks: Picks = lambda _address: True) -> str:
    """A line an event; of many addresses it names the first that were asked for."""
    width = max((len(event.what) for event in events), default=0)
    lines = [f"{e.time[:19]}Z  {e.what:<{width}}  {_line(e, picks)}".rstrip() for e in events]
    return "".join(f"{escape_invisible(line)}\n" for line in [*lines, *["Nothing."] * (not events)])


def _line(event: Event, picks: Picks) -> str:
    names = [_name(event, address) for address in event.addresses if picks(address)]
    names += [_name(event, address) for address in event.addresses if not picks(address)]
    named = join_some(names, len(shorten_list(names, _NAMES, full=False)))
    about = f"{event.route}: {named}" if event.route else named
    note = f"{': ' if names else ''}{event.note}" if event.note else ""
    return f"{about}{note}{_origin(event)}"


def _name(event: Event, address: str) -> str:
    """`old → new` for what has moved there."""
    was = next((old for old, new in event.moved.items() if new == address), "")
    return f"{was} → {address}" if was else address


def _origin(event: Event) -> str:
    named = {"plan": event.plan, "commit": event.commit}
    words_ = [f"{what} {value[:_DIGITS]}" for what, value in named.items() if value]
    return f"  ({', '.join(words_)})" if words_ else ""


def history_json(events: Sequence[Event]) -> dict[str, Any]:
    """Whole, with every address; oldest first."""
    return {"format": "lmssync.history/1", "entries": [_entry(event) for event in events]}


def _entry(event: Event) -> dict[str, Any]:
    return event._asdict() | {"addresses": list(event.addresses), "moved": dict(event.moved)}
