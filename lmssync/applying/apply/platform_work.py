"""What the platform may still do for a call: by itself, for a while, and in background jobs.

Jobs do the work of a call, or are left behind by it. They are followed, and those that the state
waits for are listed.
"""

import math
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

from ...kind import Kind
from ...kinds import KINDS
from ...platform import client
from ...platform.client import WORK, JobEnd, follow_jobs
from ...state import CallStatus, JournaledCall, Store
from ...vocabulary.iso_dates import parse_moment
from .session import ApplySession

LAG, MARGIN = client.LAG, client.MARGIN
SKEW = 120.0
"""Seconds by which the clocks of two machines that share a state may differ."""


def seconds_since_sent(session: ApplySession, call: JournaledCall) -> float:
    """Seconds since the call was announced, at least; it was sent at once, or not at all.

    Another machine may have announced it, by its own clock: what this one has waited is certain.
    """
    started = parse_moment(call.started_at)
    by_clocks = max(0.0, (datetime.now(UTC) - started).total_seconds())
    # Clocks of two machines cannot be compared exactly. That this run has held the lease for so
    # long is certain: the other one has sent nothing since.
    held = session.store.log.held_for
    return by_clocks if held is None else max(min(held, by_clocks), by_clocks - SKEW)


def seconds_left(session: ApplySession, call: JournaledCall) -> float:
    """Seconds until reads show whatever the call has done; zero or less once that is certain."""
    return session.prompt + session.timeout + MARGIN + LAG - seconds_since_sent(session, call)


def announce_wait(session: ApplySession, seconds: float) -> None:
    left = math.ceil(seconds)
    session.note(f"waiting up to {left} s: the platform may still be working on what was sent")


def left_behind(answer: Any) -> list[str]:
    """Ids of the background jobs that go on after a call has done its work (O6, O15).

    An answer may name a job without an id: nobody can follow that one.
    """
    if not isinstance(answer, dict):
        return []
    # One route has a list, another a single object (O6, O15).
    named = answer.get("backgroundJobs") or answer.get("backgroundJob") or []
    listed = named if isinstance(named, list) else [named]
    ids = (job.get("id") for job in listed if isinstance(job, dict))
    return [id_ for id_ in ids if isinstance(id_, str) and id_]


def job_ids_in(kind: Kind, answer: Any) -> list[str]:
    """The jobs that do the work of a call, by its answer; none where it does not say."""
    try:
        return [str(job) for job in kind.calls.jobs(answer) if job]
    except (KeyError, TypeError, IndexError):
        return []


def follow_call_jobs(session: ApplySession, call: JournaledCall) -> JobEnd | None:
    """How the jobs of an acknowledged call ended; None if it has no jobs.

    If a job did not succeed, the first such job is returned.
    """
    if not call.parts:
        return None
    kind = KINDS[call.parts[0].address.kind]
    if not kind.calls.works_in_jobs(call.route):
        return None
    about = ", ".join(str(part.address) for part in call.parts)
    session.note(f"waiting for the background job of {about}")
    ids = job_ids_in(kind, call.answer)
    ends = follow_jobs(session.reader, ids, WORK, lambda: session.stop.asked)
    ended = next((end for end in ends if not end.has_succeeded), ends[0])
    session.report.interrupted |= session.stop.asked and not ended.is_over
    return (
        ended
        if ended.is_lost
        else ended._replace(message=session.people.conceal_message(ended.message))
    )


def follow_left_jobs(session: ApplySession) -> None:
    """Polls the jobs that the calls of this run or an earlier run have queued."""
    for call in session.store.open_calls():
        if call.status is not CallStatus.JOB:
            continue
        ends = follow_jobs(session.reader, left_behind(call.answer))
        session.report.jobs += ends
        if all(end.is_over or end.is_lost for end in ends):
            ended = {end.id: end.message or end.status for end in ends}
            session.store.settle_call(call.op, because={"jobs": ended})


class AwaitedJob(NamedTuple):
    """A job of a call that is open in the state."""

    id: str
    route: str
    since: str
    """When the call was begun; ISO 8601, UTC."""
    addresses: Sequence[str]


def find_awaited_jobs(store: Store) -> Iterator[AwaitedJob]:
    """Jobs that do the work of open calls, and those that calls have left behind.

    What is recorded is no part of an open call any more: then the journal says what it was about.
    """
    of_calls = [(call, _job_ids(call)) for call in store.open_calls()]
    bare = {call.op for call, jobs in of_calls if jobs and not call.parts}
    entries = store.journal_entries() if bare else ()
    about = {e.op: e.data["addresses"] for e in entries if e.type == "intent" and e.op in bare}
    for call, jobs in of_calls:
        addresses = [str(part.address) for part in call.parts] or about.get(call.op, [])
        yield from (AwaitedJob(job, call.route, call.started_at, addresses) for job in jobs)


def _job_ids(call: JournaledCall) -> list[str]:
    work = []
    if call.parts and (kind := KINDS[call.parts[0].address.kind]).calls.works_in_jobs(call.route):
        work = job_ids_in(kind, call.answer)
    return list(dict.fromkeys([*work, *left_behind(call.answer)]))
