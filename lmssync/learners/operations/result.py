"""What became of each row of a list."""

from collections import Counter
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple

from ...errors import LmssyncError
from .operation import Operation, OperationRow


class Ended(StrEnum):
    """How a row ended, in the words of receipts."""

    DONE = "done"
    UNCHANGED = "unchanged"
    """An earlier run has done it; nothing was sent."""
    REFUSED = "refused"
    """The platform did not do it, and said why."""
    UNKNOWN = "unknown"
    """It was sent, and nothing shows yet whether it was done: it is not sent again."""
    NOT_SENT = "not-sent"


class RowResult(NamedTuple):
    """One line of a receipt."""

    row: OperationRow
    ended: Ended
    reason: str = ""
    at: int | None = None
    """When it was sent, by the platform's clock, in milliseconds since 1970."""


class OperationReport(NamedTuple):
    """What became of every row, in the order of the list."""

    operation: Operation
    results: Sequence[RowResult]
    error: LmssyncError | None = None
    """What stopped the run before its end."""
    interrupted: bool = False

    @property
    def count_ends(self) -> Mapping[Ended, int]:
        """How many rows ended in each way."""
        counts = Counter(result.ended for result in self.results)
        return {ended: counts[ended] for ended in Ended}
