"""What became of the rows that no answer came for: by the feed, by profiles, by a person.

A feed that shows every row which was answered, shows the others too if they were done. Where it
does not, only what it shows counts.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence

from ...errors import PlatformError, Stopped, WrongUse
from ...platform.client import LAG, MARGIN
from ...state import ListRow, RowState
from ..events import read_feed_pages
from .operation import OperationRow
from .sending import OperationRun, list_waiting_rows

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
    _wait_until_landed(run, max(entry.at for _, entry in left))
    for look in (_by_feed, _by_profiles):
        try:
            look(run, left)
        except Stopped:
            raise
        except PlatformError as error:
            failed.append(error.message)
        left = list(list_waiting_rows(run, [row for row, _ in left]))
    return failed


def _wait_until_landed(run: OperationRun, newest: int) -> None:
    """Returns once no call can take effect any more, and every read shows those that did."""
    age = (run.platform_time() - newest) / 1000
    seconds = run.announced.within + run.timeout + MARGIN + LAG - age
    run.writer.pace.sleep(seconds, "the platform may still be working on what was sent")


def _by_feed(run: OperationRun, left: Waiting) -> None:
    """What it does not show counts only for a deed of which it shows every row that was answered:
    instances may show some deeds in other words, or not at all."""
    since = min(entry.at for _, entry in left) - _SKEW
    seen, deed_of = _read_marks(run, since), run.operation.deed
    deeds = {deed_of(row.body) for row, _ in left}
    whole = {deed for deed in deeds if _shows_all(run, seen, deed, since)}
    done = {entry.key for _, entry in left if _event_shows(seen, entry.mark, entry.at)}
    run.journal.record_settled(
        [
            (entry, RowState.DONE if entry.key in done else RowState.NOT_DONE)
            for row, entry in left
            if entry.key in done or deed_of(row.body) in whole
        ]
    )


def _shows_all(run: OperationRun, seen: Mapping[str, int], deed: str, since: int) -> bool:
    answered = run.journal.list_answered(deed, since)
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
        for one in page.happenings:
            for person in one.people:
                mark = run.journal.event_mark(person, one.part or one.subject, one.deed)
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
