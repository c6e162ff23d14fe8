"""What an operation declares: its route, the rules of its rows, and what counts as done."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from ...kind import Spec
from ...platform.client import Outcome
from ...vocabulary.enums import EventKind
from ..events import Deed
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
    """The field that stands in the path of the route; the body is empty then."""
    feed: EventKind | None = None
    """Where what was done may show up; nothing where a repeat does no harm."""
    deed: Callable[[Body], Deed] = lambda _body: Deed.OTHER
    """As what the feed shows it."""
    undone: Callable[[Body, Any], bool] | None = None
    """Whether the profile of the person (spec 2.4) proves that it was not done."""

    @property
    def is_repeatable(self) -> bool:
        """Whether a row may be sent again while it is not known what became of it."""
        return self.feed is None

    def showable_fields(self, body: Body) -> Body:
        """What may be shown of a row without telling who it is about."""
        return {name: value for name, value in body.items() if name != self.person}
