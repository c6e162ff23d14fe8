"""Sends the rows that are not done yet, one after the other, each written down before."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ..client import Fate, Outcome, Writer, problem
from ..errors import LmssyncError, Refused, Stopped, Unreachable
from ..events import moment_of
from ..vocabulary.routes import ROUTES
from .journal import Journal, RowEntry, RowState
from .operation import Operation, OperationRow
from .result import Ended, OperationReport, RowResult

_NO_FEATURE = re.compile(r"\bfeature\b.*\bnot\b|\bnot\b.*\bfeature\b", re.IGNORECASE)
"""No specification says in which words an account is told that it lacks a feature."""
_KEY_REFUSED = frozenset({401, 403})
_THROTTLED = 429
_UNKNOWN_MOST = 10
"""Calls in a row whose outcome is unknown: then the platform is ill, and the run stops."""
_ILL = "the last {} calls have ended without a clear answer, so no more are sent"


class _Said(NamedTuple):
    """What an outcome means for its row, and what stops the run."""

    ended: Ended
    reason: str = ""
    stops: LmssyncError | None = None


@dataclass
class OperationRun:
    """One list on its way to the platform."""

    operation: Operation
    writer: Writer
    journal: Journal
    timeout: float
    """Seconds after which an answer is no longer waited for."""
    occasion: str = ""
    signed: bool = False
    """Whether the attributes go in a signed `jwt` (spec 4)."""
    stops: Callable[[], bool] = lambda: False
    tell: Callable[[int, int], None] = lambda _done, _total: None
    unknown: int = 0
    """How many of the latest calls in a row have ended unknown."""

    def now(self) -> int:
        """By the platform's clock, in milliseconds since 1970."""
        return moment_of(self.writer.now()) or 0

    def key(self, row: OperationRow) -> bytes:
        return self.journal.key(self.operation, row.body, self.occasion)

    def mark(self, row: OperationRow) -> bytes:
        operation, body = self.operation, row.body
        person, about = body[operation.person], body[operation.about]
        return self.journal.mark(operation, person, about, operation.deed(body))


def foreseen(
    operation: Operation, rows: Sequence[OperationRow], journal: Journal | None, occasion: str
) -> OperationReport:
    """What a run would do: what is not done yet would be sent."""
    results = []
    for row in rows:
        key = journal.key(operation, row.body, occasion) if journal else b""
        entry = journal.entry(key) if journal else None
        results.append(_standing(operation, row, entry) or RowResult(row, Ended.NOT_SENT))
    return OperationReport(operation, results)


def perform(run: OperationRun, rows: Sequence[OperationRow]) -> OperationReport:
    """Sends what is not done; once something stops the run, the rest is not sent."""
    results, error, asked = list[RowResult](), None, False
    for number, row in enumerate(rows, 1):
        asked = asked or run.stops()
        try:
            result, stops = _row(run, row, send=error is None and not asked)
        except LmssyncError as failed:  # the journal cannot be written
            result, stops = RowResult(row, Ended.NOT_SENT), failed
        error = error or stops
        results.append(result)
        run.tell(number, len(rows))
    interrupted = asked or isinstance(error, Stopped)
    left = any(result.ended is Ended.NOT_SENT for result in results)
    return OperationReport(run.operation, results, error, interrupted and left)


def _row(
    run: OperationRun, row: OperationRow, *, send: bool
) -> tuple[RowResult, LmssyncError | None]:
    key = run.key(row)
    known = _standing(run.operation, row, run.journal.entry(key))
    if known or not send:
        return known or RowResult(row, Ended.NOT_SENT), None
    at = run.now()
    intent = RowEntry(run.mark(row), RowState.SENT, at)
    run.journal.sent(key, run.operation, intent, run.operation.deed(row.body))
    said = _judged(run, row, _sent(run, row))
    result = RowResult(row, said.ended, said.reason, None if said.ended is Ended.NOT_SENT else at)
    try:
        run.journal.ended(key, _STANDING[said.ended], answered=said.ended is Ended.DONE)
    except LmssyncError as failed:
        return result, failed
    return result, said.stops or _ill(run, said.ended)


_STANDING = {
    Ended.DONE: RowState.DONE,
    Ended.REFUSED: RowState.NOT_DONE,
    Ended.UNKNOWN: RowState.UNKNOWN,
    Ended.NOT_SENT: RowState.NOT_DONE,
}


def _standing(operation: Operation, row: OperationRow, entry: RowEntry | None) -> RowResult | None:
    """The result of a row that is not sent again; nothing for one that may be sent."""
    if entry is None or entry.state is RowState.NOT_DONE:
        return None
    if entry.state is RowState.DONE:
        return RowResult(row, Ended.UNCHANGED, f"{operation.done} by an earlier run", entry.at)
    if operation.repeatable:
        return None
    return RowResult(row, Ended.UNKNOWN, "no answer came, and no read shows what became", entry.at)


def _sent(run: OperationRun, row: OperationRow) -> Outcome:
    operation = run.operation
    params = {operation.in_path: row.body[operation.in_path]} if operation.in_path else {}
    body = {} if operation.in_path else dict(row.body)
    once = not operation.repeatable
    return run.writer.send(operation.route, params, body, once=once, signed=run.signed)


def _judged(run: OperationRun, row: OperationRow, outcome: Outcome) -> _Said:
    """By what was sent and received (design: the create protocol)."""
    if outcome.fate is Fate.REJECTED and not _stops(outcome):
        return _Said(Ended.REFUSED, outcome.message)
    if outcome.fate in {Fate.REJECTED, Fate.UNSENT}:
        return _Said(Ended.NOT_SENT, stops=_stopped(run, outcome))
    wrong = run.operation.wrong(row.body, outcome)
    return _Said(Ended.UNKNOWN, wrong) if wrong else _Said(Ended.DONE)


def _stops(outcome: Outcome) -> bool:
    """Whether a refusal is about every row, not about this one."""
    waits = outcome.retry_after is not None and outcome.status in {None, _THROTTLED}
    return waits or outcome.status in _KEY_REFUSED or _lacks_feature(outcome)


def _lacks_feature(outcome: Outcome) -> bool:
    return bool(_NO_FEATURE.search(outcome.message))


def _stopped(run: OperationRun, outcome: Outcome) -> LmssyncError:
    route = ROUTES[run.operation.route]
    if route.features and outcome.status not in _KEY_REFUSED and _lacks_feature(outcome):
        return Refused(
            f"this account cannot have it {run.operation.done}: {outcome.message}",
            outcome.status or 0,
            f"the account team of the platform switches on `{route.features[0]}`",
        )
    return problem(outcome, run.writer.base_url, route)


def _ill(run: OperationRun, ended: Ended) -> LmssyncError | None:
    run.unknown = run.unknown + 1 if ended is Ended.UNKNOWN else 0
    if run.unknown < _UNKNOWN_MOST:
        return None
    return Unreachable(
        _ILL.format(run.unknown), "the platform has a problem; run the same command again later"
    )


def waiting(
    run: OperationRun, rows: Sequence[OperationRow]
) -> Iterator[tuple[OperationRow, RowEntry]]:
    """The rows that were sent and of whose end nothing is known."""
    for row in rows:
        entry = run.journal.entry(run.key(row))
        if entry and entry.open:
            yield row, entry
