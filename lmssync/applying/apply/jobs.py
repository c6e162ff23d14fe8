"""Follows the background jobs that do the work of a call, and those that a call leaves behind.

It also lists the jobs that the state waits for, and says what they are about.
"""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from ...kind import Kind
from ...kinds import KINDS
from ...platform.client import WORK, JobEnd, follow_jobs
from ...state import CallStatus, JournaledCall, Store
from .session import ApplySession


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
    """The ids of its jobs, each once."""
    work = []
    if call.parts and (kind := KINDS[call.parts[0].address.kind]).calls.works_in_jobs(call.route):
        work = job_ids_in(kind, call.answer)
    return list(dict.fromkeys([*work, *left_behind(call.answer)]))
