"""What is recorded in the state, what has happened to it, and where things stand, for people and as
JSON."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from ..state import Event, JournaledCall, OpenStep, Record
from ..support.invisible_characters import escape_invisible
from ..sync.recorded_status import AssignedStep, OpenRows, Status, SyncStatus
from .evidence_text import (
    FoundTitles,
    coverage_line,
    describe_age,
    drift_line,
    finding_json,
    moment_text,
)
from .markdown_escape import escape_message
from .release_report import list_releases_json, progress_lines
from .value_words import count_kinds, count_noun, join_some, name_with_title, shorten_list

_NAMES = 3
"""How many addresses a line names."""
_STATUS_NAMES = 8
"""The same in a status."""
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
    # Where no read has shown its ids yet: what is known of them.
    new = record.unpaired
    made = new and {"batch": new.batch, "expected": new.expected, "mark": new.marker}
    return {
        "address": str(record.address),
        "ids": record.known_ids.own,
        "parts": dict(record.known_ids.parts),
        **({"made": made} if made else {}),
        "fingerprint": record.fingerprint,
        "appliedAt": record.applied_at,
        "plan": record.plan,
        "commit": record.commit,
        "manual": [_step(step) for step in steps if step.address == record.address],
        "form": record.form,
    }


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
    entries = [
        event._asdict() | {"addresses": list(event.addresses), "moved": dict(event.moved)}
        for event in events
    ]
    return {"format": "lmssync.history/1", "entries": entries}


def status_text(status: Status, environment: str) -> str:
    """A line for each thing that a person asks about; then steps and calls that are open."""
    where = f" ({status.instance})" if status.instance else ""
    lines = [escape_invisible(f"Environment {environment}{where}"), "", *_counts(status)]
    counted = status.sync is SyncStatus.UNKNOWN and status.uncompared
    coverage = coverage_line(status.truth, describe_age, unread=0 if counted else status.unread)
    lines += [_sync(status), _proofs(status), *[coverage] * bool(coverage)]
    open_things = list(_open_lines(status))
    return "\n".join([*lines, *[""] * bool(open_things), *open_things]) + "\n"


def _counts(status: Status) -> Iterator[str]:
    of_kinds = count_kinds(status.managed)
    total = sum(status.managed.values())
    yield f"managed     {total:,}{f' ({of_kinds})' if of_kinds else ''}"
    yield "unmanaged   not counted: `lmssync drift --unmanaged` asks the platform"
    listed = f": {join_some(status.forgotten, _STATUS_NAMES)}" if status.forgotten else ""
    yield f"forgotten   {len(status.forgotten):,}{listed}"
    yield f"by hand     {count_noun(len(status.steps), 'open step')}"
    rows = sum(one.rows for one in status.open_rows)
    of_lists = f", {count_noun(rows, 'row')} of lists" if rows else ""
    yield f"undecided   {count_noun(len(status.waiting), 'call')}{of_lists}"
    if status.releases:
        yield f"releases    {len(status.releases):,} not complete"


def _sync(status: Status) -> str:
    """Whether the platform was as recorded at the last look, and when that was."""
    if status.findings:
        found = drift_line(status.findings, status.titles)
        return f"platform    {found.replace('Out of', 'out of', 1)}"
    if status.sync is SyncStatus.IN_SYNC:
        return "platform    in sync: no comparison has found a difference"
    if not status.uncompared:
        why = (
            "no route shows what is managed"
            if any(status.managed.values())
            else "nothing is managed"
        )
        return f"platform    not known: {why}"
    never = count_noun(status.uncompared, "resource")
    new = f", {status.unread:,} of them new" if status.unread else ""
    return f"platform    not known yet: `lmssync drift` compares {never}{new}"


def _proofs(status: Status) -> str:
    proofs = status.proofs
    if proofs.oldest is None:
        return "compared    nothing yet"
    resources = count_noun(proofs.current, "resource")
    return f"compared    {resources}, the oldest {describe_age(proofs.oldest)}"


def _open_lines(status: Status) -> Iterator[str]:
    for step in status.steps:
        name = name_with_title(status.titles.get(step.address, {}).get(""), step.address)
        since = moment_text(step.since)
        yield escape_invisible(f"! {name}: {step.manual.text} (since {since})")
        owner = f"{step.owner}; " if step.owner else ""
        yield escape_invisible(f"    {owner}{confirm_words(step)}")
    for call in status.waiting:
        for part in call.parts:
            yield escape_invisible(
                f"? {part.address}: {call.route} of {moment_text(call.started_at)} ({call.status})"
            )
    if status.waiting:
        yield "  `lmssync resolve` says what to do about it"
    yield from (escape_invisible(_of_list(one)) for one in status.open_rows)
    for release in status.releases:
        first, *rest = progress_lines(release)
        yield from (f"! release {first}", *rest)


def confirm_words(step: AssignedStep) -> str:
    """How a step is confirmed: by a look for drift, or by a person, and why not by a look."""
    if step.shown_by:
        return f"`lmssync drift` closes it when {step.shown_by} shows that it is done"
    return f"no route shows it: `lmssync resolve {step.address} --done` confirms it"


def steps_markdown(owner: str, steps: Sequence[AssignedStep], titles: FoundTitles) -> str:
    """The steps of one owner for an issue, the oldest first."""
    lines = []
    for step in steps:
        name = name_with_title(titles.get(step.address, {}).get(""), step.address)
        since = f"since {moment_text(step.since)}; {confirm_words(step)}"
        lines.append(f"1. {escape_message(f'{name}: {step.manual.text}')}  \n   {since}.")
    called = f"{owner}: o" if owner else "No line of APPROVERS says who does this. O"
    head = f"{called}nly a person can do this, in the admin interface. The oldest is first."
    return "\n".join([head, "", *lines, ""])


def _of_list(one: OpenRows) -> str:
    about = f"{one.list}, " if one.list else ""
    occasion = f"occasion {one.occasion}, " if one.occasion else ""
    rows = f"{count_noun(one.rows, 'row')} of {moment_text(one.since)}"
    return (
        f"? {one.operation}, {about}{occasion}{rows} "
        "without a clear answer: run the same command again, with the same list"
    )


def status_json(status: Status, environment: str) -> dict[str, Any]:
    """`unmanaged` is null: only a call can tell."""
    return {
        "format": "lmssync.status/1",
        "environment": environment,
        "instance": status.instance,
        "serial": status.serial,
        "managed": {"total": sum(status.managed.values()), "byKind": dict(status.managed)},
        "unmanaged": None,
        "forgotten": [str(address) for address in status.forgotten],
        "manualSteps": [
            {
                "address": str(step.address),
                "field": step.manual.field,
                "text": step.manual.text,
                "since": step.since,
                "owner": step.owner or None,
                "shownBy": step.shown_by or None,
            }
            for step in status.steps
        ],
        "unknown": [
            {
                "address": str(part.address),
                "route": call.route,
                "status": call.status,
                "since": call.started_at,
            }
            for call in status.waiting
            for part in call.parts
        ],
        "openRows": [one._asdict() for one in status.open_rows],
        "proofs": status.proofs._asdict(),
        "truth": {**status.truth._asdict(), "unread": status.unread},
        "sync": {
            "status": status.sync.value,
            "uncompared": status.uncompared,
            "findings": [finding_json(one) for one in status.findings],
        },
        **({"releases": list_releases_json(status.releases)} if status.releases else {}),
    }
