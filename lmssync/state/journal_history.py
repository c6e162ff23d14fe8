"""The journal as events that people understand: what happened, to what, and why."""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from .log_entries import LEASE, PAIR, ROWS, LogEntry
from .state_records import CallStatus, JournalEntry

Data = Mapping[str, Any]

_SAID = "a person says: "
_REASONS = {
    "on the platform before it was recorded": "adopted",
    "it was there before it was to be made": "adopted",
    "imported from the platform": "imported",
    "pulled from the platform": "pulled",
}
"""Reasons of records that a word of their own says better."""


class Event(NamedTuple):
    """Something that has happened, with what an entry of the journal says of it."""

    seq: int
    time: str
    what: str
    """In one word: sent, answered, recorded, moved, ..."""
    addresses: Sequence[str] = ()
    note: str = ""
    """Why, or what exactly."""
    route: str = ""
    """Of a call."""
    plan: str = ""
    """Digest of the plan that did it."""
    commit: str = ""
    moved: Mapping[str, str] = {}
    """Old addresses to new ones."""


def journal_events(entries: Iterable[JournalEntry]) -> Iterator[Event]:
    """One event an entry, oldest first, and one a run that sent a list.

    What is said of a call also says what it was about.
    """
    calls: dict[str, Event] = {}
    for entry in _join_list_runs(entries):
        data = dict(entry.data)
        # An outcome names its call alone: what that was about was said when it was announced.
        about = calls.get(entry.op, Event(0, "", ""))._replace(seq=entry.seq, time=entry.time)
        event = about._replace(what=entry.type)
        if describe := _EVENTS.get(entry.type):  # a later lmssync may know more types
            event = describe(event, data)
        if entry.type == "intent":
            calls[entry.op] = event
        yield event


def _join_list_runs(entries: Iterable[JournalEntry]) -> Iterator[JournalEntry]:
    """The many entries of a run that sent a list as one, in the place of the first."""
    runs: dict[str, Counter[str]] = {}
    joined: list[JournalEntry] = []
    for entry in entries:
        if entry.op not in runs:
            joined.append(entry)
        if entry.type == ROWS:
            if entry.op not in runs:
                runs[entry.op] = Counter()
                # The counter goes on counting after this: the entries below add to it.
                joined[-1] = entry._replace(data=entry.data | {"counts": runs[entry.op]})
            runs[entry.op].update({"sent": entry.data["sent"], **entry.data.get("ended", {})})
    return iter(joined)


def _describe_intent(event: Event, data: Data) -> Event:
    origin = {"route": data["route"], "plan": data["plan"], "commit": data["commit"]}
    return event._replace(what="sent", addresses=data["addresses"], **origin)


def _describe_outcome(event: Event, data: Data) -> Event:
    if data["status"] == CallStatus.UNKNOWN:
        return event._replace(what="unknown", note=data.get("doubt") or "its outcome is unknown")
    if data["status"] != CallStatus.SETTLED:
        return event._replace(what="answered")
    what = "unsent" if data.get("fate") == "unsent" else "refused"
    return event._replace(what=what, note=data.get("message") or "")


def _describe_settling(event: Event, data: Data) -> Event:
    recorded = data["recorded"]
    if "adopted" in data:
        return event._replace(what="said", addresses=recorded, note=f"it is {data['adopted']}")
    if "done" in data:
        return event._replace(what="said", addresses=recorded, note="it was done")
    if "jobs" in data:
        return event._replace(what="ended", note="its background jobs")
    if not recorded:
        return event._replace(what="closed", note="no part of it is open any more")
    return event._replace(what="recorded", addresses=recorded)


def _describe_refusal(event: Event, data: Data) -> Event:
    reasons = list(dict.fromkeys(data["refused"].values()))
    dropped = event._replace(what="dropped", addresses=list(data["refused"]))
    # A person has decided this with `resolve`: it is no refusal of the platform.
    if reasons and all(reason.startswith(_SAID) for reason in reasons):
        return dropped._replace(what="said", note=reasons[0].removeprefix(_SAID))
    return dropped._replace(note="; ".join(reasons))


def _describe_record(event: Event, data: Data) -> Event:
    reason, addresses = data["reason"], data["addresses"]
    if reason.startswith(_SAID):
        return event._replace(what="said", addresses=addresses, note=reason.removeprefix(_SAID))
    what = _REASONS.get(reason, "recorded")
    note = reason if what == "recorded" else ""
    return event._replace(what=what, addresses=addresses, note=note)


def _describe_pairing(event: Event, data: Data) -> Event:
    note = "a read has shown which ids it has"
    return event._replace(what="paired", addresses=data["addresses"], note=note)


def _describe_forgetting(event: Event, data: Data) -> Event:
    ids = "; also its ids" if data["wholly"] else ""
    return event._replace(
        what="forgotten", addresses=data["addresses"], note=f"{data['reason']}{ids}"
    )


def _describe_request(event: Event, data: Data) -> Event:
    addresses = list(dict.fromkeys(step.partition(" ")[0] for step in data["steps"]))
    note = "of a person" if addresses else "no more steps for a person"
    return event._replace(addresses=addresses, note=note)


def _describe_confirmation(event: Event, data: Data) -> Event:
    what = "seen" if "recorded" not in data else "said"  # by a read, or by a person
    return event._replace(what=what, addresses=data["addresses"], note="done by hand")


def _describe_move(event: Event, data: Data) -> Event:
    origin = {"plan": data.get("plan", ""), "commit": data.get("commit", "")}
    addresses, note = list(data["moved"].values()), data.get("reason", "")
    return event._replace(
        what="moved", addresses=addresses, moved=data["moved"], note=note, **origin
    )


def _describe_protection(event: Event, data: Data) -> Event:
    on, off = data["protected"], data["released"]
    note = f"no longer protected: {', '.join(off)}" if on and off else ""
    return event._replace(what="protected" if on else "released", addresses=[*on, *off], note=note)


def _describe_rebinding(event: Event, data: Data) -> Event:
    note = f"the instance, from {data['from'] or 'none'} to {data['to']}"
    return event._replace(what="rebound", note=note)


def _describe_import(event: Event, data: Data) -> Event:
    return event._replace(what="restored", note=f"a state of serial {data['serial']}")


def _describe_rows(event: Event, data: Data) -> Event:
    counts = [
        f"{count:,} {said.replace('-', ' ')}" for said, count in data["counts"].items() if count
    ]
    occasion = f"occasion {data['occasion']}" if data["occasion"] else ""
    about = ", ".join(filter(None, [data["list"], occasion]))
    note = f"{about}: {', '.join(counts)}" if about else ", ".join(counts)
    return event._replace(what="list", route=data["route"], note=note)


_EVENTS: Mapping[str, Callable[[Event, Data], Event]] = {
    "intent": _describe_intent,
    "outcome": _describe_outcome,
    "settled": _describe_settling,
    "refused": _describe_refusal,
    "record": _describe_record,
    "forget": _describe_forgetting,
    "asked": _describe_request,
    "done": _describe_confirmation,
    "move": _describe_move,
    "protect": _describe_protection,
    "rebind": _describe_rebinding,
    "import": _describe_import,
    ROWS: _describe_rows,
    PAIR: _describe_pairing,
}
"""How an entry of each type becomes an event."""


def describe_segment(entries: Sequence[LogEntry]) -> str:
    """What entries announce and record, for people who see them listed; no value is named.

    Addresses are counted: the one of a person who is served holds what that person is called.
    """
    announced, recorded = Counter[str](), Counter[str]()
    for entry in entries:
        data = json.loads(entry.data)
        if entry.type == "intent":
            announced[data["route"]] += len(data["addresses"])
        else:
            recorded[_deed_of_lease(data) if entry.type == LEASE else entry.type] += 1
    calls = [f"{route} {_count_resources(number)}" for route, number in announced.items()]
    rest = [f"{number} {what}" if number > 1 else what for what, number in recorded.items()]
    return ", ".join([*calls, *rest])


def _deed_of_lease(data: Data) -> str:
    return "lease" if data.get("until") else "lease released"


def _count_resources(number: int) -> str:
    return "1 resource" if number == 1 else f"{number:,} resources"
