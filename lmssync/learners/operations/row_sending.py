"""Sends the rows that are not done yet, and finds out what became of those without an answer.

What announces rows is in the home of the state before the first of them is sent, and each is sent
within a second. Where that takes its time, several are announced together. What no answer came for
is decided by the feed, by profiles, or by a person. A feed that shows every row which was answered
shows the others too if they were done. Where it does not, only what it shows counts.
"""

import re
from collections import defaultdict, deque
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice
from typing import NamedTuple

from ...errors import (
    LmssyncError,
    PlatformError,
    Refused,
    StateError,
    Stopped,
    Unreachable,
    WrongUse,
)
from ...platform.client import (
    LAG,
    MARGIN,
    DeliveryStatus,
    Outcome,
    SendDeadline,
    SendTurn,
    Writer,
    platform_error,
)
from ...state import ListRow, RowState
from ...vocabulary.iso_dates import parse_milliseconds
from ...vocabulary.routes import ROUTES
from ..events import read_feed_pages
from .operation_kinds import Ended, Operation, OperationReport, OperationRow, RowResult
from .row_journal import Journal

_NO_FEATURE = re.compile(r"\bfeature\b.*\bnot\b|\bnot\b.*\bfeature\b", re.IGNORECASE)
"""The platform has no fixed words for an account that lacks a feature."""
MOST_TOGETHER = 32
"""Rows of one announcement: a run that is killed leaves so many without an end."""
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
    signed: bool = False
    """Whether the attributes go in a signed `jwt` (spec 4)."""
    most: int = 1
    """Rows that are announced together at most: more where every announcement takes its time."""
    stops: Callable[[], bool] = lambda: False
    tell: Callable[[int, int], None] = lambda _done, _total: None
    unknown: int = 0
    """How many of the latest calls in a row have ended unknown."""
    together: int = 1
    """How many rows are announced together next."""
    announced: SendDeadline = field(default_factory=SendDeadline)

    def platform_time(self) -> int:
        """The time by the platform's clock, in milliseconds since 1970."""
        return parse_milliseconds(self.writer.platform_time()) or 0


def foresee_operation(
    operation: Operation, rows: Sequence[OperationRow], journal: Journal
) -> OperationReport:
    """Foresees what a run would send: the rows that are not done yet."""
    results = [
        _result_of_done(operation, row, journal.find_row(row.body))
        or RowResult(row, Ended.NOT_SENT)
        for row in rows
    ]
    return OperationReport(operation, results)


def perform_operation(run: OperationRun, rows: Sequence[OperationRow]) -> OperationReport:
    """Sends what is not done; once something stops the run, the rest is not sent."""
    results = list(foresee_operation(run.operation, rows, run.journal).results)
    left = deque(n for n, result in enumerate(results) if result.ended is Ended.NOT_SENT)
    error: LmssyncError | None = None
    try:
        while left and error is None and not run.stops():
            error = _send_group(run, left, results)
        run.journal.withdraw_unsent()
    except LmssyncError as failed:  # it was stopped while it waited, or the state cannot be written
        error = failed
        with suppress(StateError):  # what is announced and has no end counts as unknown
            run.journal.withdraw_unsent()
    interrupted = run.stops() or isinstance(error, Stopped)
    unsent = any(result.ended is Ended.NOT_SENT for result in results)
    return OperationReport(run.operation, results, error, interrupted and unsent)


def _send_group(
    run: OperationRun, left: deque[int], results: list[RowResult]
) -> LmssyncError | None:
    """Announces the next rows together, and sends those for which there is time; what stops the
    run, if anything does. Those that were too late are announced again with the next ones."""
    turn = _turn_now(run)
    if turn is None:
        run.journal.flush_ends()
        turn = run.writer.wait_for_turn(run.operation.route)
    # An announcement of a shared state takes a push. Several rows share one, as many as can be sent
    # before it is too old: the number doubles while there is time, and falls back to what was in
    # time.
    group = list(islice(left, run.together))
    run.announced.announce_again()
    at = run.platform_time()
    run.journal.announce_rows([results[number].row.body for number in group], at)
    for number in group:
        run.journal.flush_ends()
        turn = turn or _turn_now(run)
        outcome = _send_row(run, results[number].row, turn) if turn else None
        if outcome and number == group[0]:
            run.announced.count_missed(late=outcome.late and outcome.status is None)
        if outcome is None or outcome.late:
            run.together = max(1, group.index(number))
            return None
        turn, run.announced.waited = None, 0.0
        left.popleft()
        if stops := _record_end(run, results, number, outcome, at):
            return stops
        run.tell(len(results) - len(left), len(results))
    if run.announced.age < run.announced.within / 2:
        run.together = min(2 * run.together, run.most)
    return None


def _turn_now(run: OperationRun) -> SendTurn | None:
    return None if run.stops() else run.writer.turn_now(run.operation.route)


def _record_end(
    run: OperationRun, results: list[RowResult], number: int, outcome: Outcome, at: int
) -> LmssyncError | None:
    """Writes down what became of a row; what stops the run, if it does."""
    row = results[number].row
    said = _judge_row(run, row, outcome)
    sent_at = None if said.ended is Ended.NOT_SENT else at
    results[number] = RowResult(row, said.ended, said.reason, sent_at)
    run.journal.record_end(row.body, _STANDING[said.ended], answered=said.ended is Ended.DONE)
    return said.stops or _person_error(run, said.ended)


_STANDING = {
    Ended.DONE: RowState.DONE,
    Ended.REFUSED: RowState.NOT_DONE,
    Ended.UNKNOWN: RowState.UNKNOWN,
    Ended.NOT_SENT: RowState.NOT_DONE,
}


def _result_of_done(
    operation: Operation, row: OperationRow, entry: ListRow | None
) -> RowResult | None:
    """The result of a row that is not sent again; nothing for one that may be sent."""
    if entry is None or entry.state is RowState.NOT_DONE:
        return None
    if entry.state is RowState.DONE:
        return RowResult(row, Ended.UNCHANGED, f"{operation.done} by an earlier run", entry.at)
    # A row of unknown end may be sent again only where the platform takes the second for the first.
    if operation.is_repeatable:
        return None
    return RowResult(row, Ended.UNKNOWN, "no answer came, and no read shows what became", entry.at)


def _send_row(run: OperationRun, row: OperationRow, turn: SendTurn) -> Outcome:
    operation = run.operation
    params = {operation.in_path: row.body[operation.in_path]} if operation.in_path else {}
    body = {} if operation.in_path else dict(row.body)
    return run.writer.send_write(
        operation.route,
        params,
        body,
        once=not operation.is_repeatable,
        turn=turn,
        signed=run.signed,
        announced=run.announced,
    )


def _judge_row(run: OperationRun, row: OperationRow, outcome: Outcome) -> _Said:
    """What became of a row, judged by what was sent and received (design: the create protocol)."""
    if outcome.fate is DeliveryStatus.REJECTED and not _stops_run(outcome):
        return _Said(Ended.REFUSED, outcome.message)
    if outcome.fate in {DeliveryStatus.REJECTED, DeliveryStatus.UNSENT}:
        return _Said(Ended.NOT_SENT, stops=_stopping_error(run, outcome))
    wrong = run.operation.wrong(row.body, outcome)
    return _Said(Ended.UNKNOWN, wrong) if wrong else _Said(Ended.DONE)


def _stops_run(outcome: Outcome) -> bool:
    """Whether a refusal is about every row, not about this one."""
    waits = outcome.retry_after is not None and outcome.status in {None, _THROTTLED}
    return waits or outcome.status in _KEY_REFUSED or _lacks_feature(outcome)


def _lacks_feature(outcome: Outcome) -> bool:
    return bool(_NO_FEATURE.search(outcome.message))


def _stopping_error(run: OperationRun, outcome: Outcome) -> LmssyncError:
    route = ROUTES[run.operation.route]
    if route.features and outcome.status not in _KEY_REFUSED and _lacks_feature(outcome):
        return Refused(
            f"this account cannot have it {run.operation.done}: {outcome.message}",
            outcome.status or 0,
            f"the account team of the platform switches on `{route.features[0]}`",
        )
    return platform_error(outcome, run.writer.base_url, route)


def _person_error(run: OperationRun, ended: Ended) -> LmssyncError | None:
    run.unknown = run.unknown + 1 if ended is Ended.UNKNOWN else 0
    if run.unknown < _UNKNOWN_MOST:
        return None
    return Unreachable(
        _ILL.format(run.unknown), "the platform has a problem; run the same command again later"
    )


def list_waiting_rows(
    run: OperationRun, rows: Sequence[OperationRow]
) -> Iterator[tuple[OperationRow, ListRow]]:
    """The rows that were sent and of whose end nothing is known."""
    for row in rows:
        entry = run.journal.find_row(row.body)
        if entry and entry.is_open:
            yield row, entry


_SKEW = 2_000
"""Milliseconds by which our idea of the platform's clock may be wrong."""

Waiting = Sequence[tuple[OperationRow, ListRow]]


def settle_rows(run: OperationRun, rows: Sequence[OperationRow]) -> list[str]:
    """Looks for the rows that wait, and writes down what it finds; why looks failed, if any did.

    What is proven not to have been done may be sent again. Raises `Stopped`.
    """
    left, failed = list(list_waiting_rows(run, rows)), list[str]()
    if run.operation.is_repeatable or not left:
        return failed
    # Then no call can take effect any more, and every read shows those that did.
    age = (run.platform_time() - max(entry.at for _, entry in left)) / 1000
    seconds = run.announced.within + run.timeout + MARGIN + LAG - age
    run.writer.pace.sleep(seconds, "the platform may still be working on what was sent")
    for look in (_by_feed, _by_profiles):
        try:
            look(run, left)
        except Stopped:
            raise
        except PlatformError as error:
            failed.append(error.message)
        left = list(list_waiting_rows(run, [row for row, _ in left]))
    return failed


def _by_feed(run: OperationRun, left: Waiting) -> None:
    """Settles rows by the feed, for actions of which it shows every row that was answered."""
    since = min(entry.at for _, entry in left) - _SKEW
    seen, action_of = _read_marks(run, since), run.operation.action
    actions = {action_of(row.body) for row, _ in left}
    # An instance may show some actions in other words, or not at all.
    whole = {action for action in actions if _shows_all(run, seen, action, since)}
    done = {entry.key for _, entry in left if _event_shows(seen, entry.mark, entry.at)}
    run.journal.record_settled(
        [
            (entry, RowState.DONE if entry.key in done else RowState.NOT_DONE)
            for row, entry in left
            if entry.key in done or action_of(row.body) in whole
        ]
    )


def _shows_all(run: OperationRun, seen: Mapping[str, int], action: str, since: int) -> bool:
    answered = run.journal.list_answered(action, since)
    return bool(answered) and all(_event_shows(seen, *one) for one in answered)


def _by_profiles(run: OperationRun, left: Waiting) -> None:
    """One read for each row."""
    operation = run.operation
    for row, entry in left if operation.undone else ():
        profile = run.writer.read_route("user.read", {"id": row.body[operation.person]})
        if operation.undone and operation.undone(row.body, profile):
            run.journal.record_settled([(entry, RowState.NOT_DONE)])


def _event_shows(seen: Mapping[str, int], mark: str, at: int) -> bool:
    return seen.get(mark, 0) >= at - _SKEW


def _read_marks(run: OperationRun, since: int) -> Mapping[str, int]:
    """The time of the latest event by its mark."""
    latest = defaultdict[str, int](int)
    operation = run.operation
    for page in read_feed_pages(run.writer, str(operation.feed), since=since):
        for one in page.events:
            for person in one.people:
                mark = run.journal.event_mark(person, one.part or one.subject, one.action)
                latest[mark] = max(latest[mark], one.at)
    return latest


def decide_rows(
    run: OperationRun, rows: Sequence[OperationRow], lines: Collection[int], *, done: bool
) -> None:
    """Writes down what a person says of the rows on these lines; raises `WrongUse` for a line
    that does not wait for an answer."""
    left = {row.line: entry for row, entry in list_waiting_rows(run, rows)}
    if wrong := sorted(set(lines) - left.keys()):
        raise WrongUse(
            f"the row on line {wrong[0]} does not wait for a decision",
            f"those that do: {', '.join(map(str, left)) or 'none'}",
        )
    state = RowState.DONE if done else RowState.NOT_DONE
    run.journal.record_settled([(left[line], state) for line in lines])
