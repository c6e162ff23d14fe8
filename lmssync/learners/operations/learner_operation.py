"""What an operation declares, and what became of each row of its list.

An operation says its route, the rules of its rows, and what counts as done.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from typing import Any, NamedTuple

from ...errors import LmssyncError
from ...kind import Spec
from ...platform.client import Outcome
from ...vocabulary.enums import EventKind
from ..events import LearnerAction
from .row_rules import Together

Body = Mapping[str, Any]
"""The fields of a row by their names on the wire, without those that are not given."""


class OperationRow(NamedTuple):
    """One row of a list."""

    line: int
    """Where it begins in its file; without a file, its number."""
    body: Body


class Operation(NamedTuple):
    """Something that is done once for each row of a list."""

    name: str
    """In the journal and in receipts."""
    route: str
    row: type[Spec]
    """The model of a row; its fields are the columns."""
    rules: Sequence[Together]
    person: str
    """The field that tells who it is about: the text for people leaves it out."""
    about: str
    """The field that tells which thing of that person it is about."""
    done: str
    """`recorded`, `forgiven`: what has happened to a row that is done."""
    wrong: Callable[[Body, Outcome], str | None]
    """Why an answer that is no refusal does not show that it was done; nothing if it does."""
    in_path: str = ""
    """The field that goes into the path of the route; the body is empty then."""
    feed: EventKind | None = None
    """Where what was done may show up; nothing where a repeat does no harm."""
    action: Callable[[Body], LearnerAction] = lambda _body: LearnerAction.OTHER
    """The action as which the feed shows it."""
    undone: Callable[[Body, Any], bool] | None = None
    """Whether the profile of the person (spec 2.4) proves that it was not done."""

    @property
    def is_repeatable(self) -> bool:
        """Whether a row may be sent again while it is not known what became of it."""
        return self.feed is None

    def showable_fields(self, body: Body) -> Body:
        """What may be shown of a row without telling who it is about."""
        return {name: value for name, value in body.items() if name != self.person}


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
