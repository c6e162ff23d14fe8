"""The background jobs that the state waits for, and what they are about."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ...kinds import KINDS
from ...state import JournaledCall, Store
from .jobs import job_ids_in, left_behind


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
    about = dict(_intended_jobs(store, bare)) if bare else {}
    for call, jobs in of_calls:
        addresses = [str(part.address) for part in call.parts] or about.get(call.op, [])
        yield from (AwaitedJob(job, call.route, call.started_at, addresses) for job in jobs)


def _job_ids(call: JournaledCall) -> list[str]:
    """The ids of its jobs, each once."""
    work = []
    if call.parts and (kind := KINDS[call.parts[0].address.kind]).calls.works_in_jobs(call.route):
        work = job_ids_in(kind, call.answer)
    return list(dict.fromkeys([*work, *left_behind(call.answer)]))


def _intended_jobs(store: Store, ops: set[str]) -> Iterator[tuple[str, list[str]]]:
    for entry in store.journal_entries():
        if entry.type == "intent" and entry.op in ops:
            yield entry.op, entry.data["addresses"]
