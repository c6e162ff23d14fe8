"""Where things stand, as text and as JSON."""

from collections.abc import Iterator
from typing import Any

from ..support.invisible_characters import escape_invisible
from ..sync.recorded_status import OpenRows, Status, SyncStatus
from .evidence_text import ago, coverage_line, drift_line, finding_json, moment_text
from .value_words import count_kinds, count_noun, join_some

_NAMES = 8
"""How many addresses a line names."""


def status_text(status: Status, environment: str) -> str:
    """A line for each thing that a person asks about; then steps and calls that are open."""
    where = f" ({status.instance})" if status.instance else ""
    lines = [escape_invisible(f"Environment {environment}{where}"), "", *_counts(status)]
    coverage = coverage_line(status.truth, ago, unread=status.unread)
    lines += [_sync(status), _proofs(status), *[coverage] * bool(coverage)]
    open_things = list(_open_lines(status))
    return "\n".join([*lines, *[""] * bool(open_things), *open_things]) + "\n"


def _counts(status: Status) -> Iterator[str]:
    of_kinds = count_kinds(status.managed)
    total = sum(status.managed.values())
    yield f"managed     {total:,}{f' ({of_kinds})' if of_kinds else ''}"
    yield "unmanaged   not known without a call: `lmssync drift --unmanaged` lists it"
    listed = f": {join_some(status.forgotten, _NAMES)}" if status.forgotten else ""
    yield f"forgotten   {len(status.forgotten):,}{listed}"
    yield f"by hand     {count_noun(len(status.steps), 'open step')}"
    rows = sum(one.rows for one in status.open_rows)
    of_lists = f", {count_noun(rows, 'row')} of lists" if rows else ""
    yield f"unknown     {count_noun(len(status.waiting), 'open call')}{of_lists}"


def _sync(status: Status) -> str:
    """Whether the platform was as recorded at the last look, and when that was."""
    if status.findings:
        found = drift_line(status.findings, status.titles)
        return f"platform    {found.replace('Out of', 'out of', 1)}"
    if status.sync is SyncStatus.IN_SYNC:
        return "platform    in sync: no look has found a difference"
    if not status.uncompared:
        why = (
            "no route shows what is managed"
            if any(status.managed.values())
            else "nothing is managed"
        )
        return f"platform    unknown: {why}"
    never = count_noun(status.uncompared, "resource")
    return f"platform    unknown: {never} not compared as recorded; `lmssync drift` does it"


def _proofs(status: Status) -> str:
    proofs = status.proofs
    if proofs.oldest is None:
        return "compared    nothing yet: `lmssync drift` does it"
    return f"compared    {count_noun(proofs.current, 'resource')}, the oldest {ago(proofs.oldest)}"


def _open_lines(status: Status) -> Iterator[str]:
    for step in status.steps:
        title = status.titles.get(step.address, {}).get("")
        name = f"“{title}” ({step.address})" if title else str(step.address)
        text = f"! {name}: {step.manual.text}"
        yield escape_invisible(f"{text} (since {moment_text(step.since)})")
    for call in status.waiting:
        for part in call.parts:
            yield escape_invisible(
                f"? {part.address}: {call.route} of {moment_text(call.started_at)} ({call.status})"
            )
    if status.waiting:
        yield "  `lmssync resolve` says what to do about it"
    yield from (escape_invisible(_of_list(one)) for one in status.open_rows)


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
    }
