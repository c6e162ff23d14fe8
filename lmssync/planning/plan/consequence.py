"""What a planned change means for people, and whether it can be undone: values for reports."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from types import MappingProxyType
from typing import NamedTuple

from ...kind import Effect, Undo
from ...learners.events import Audience


class Version(StrEnum):
    """What a change is to the learners of a course, as the parts of a version number are."""

    BREAKING = "breaking"
    """Who is enrolled has to do something else now, or may lose something: a major version."""
    ADDITIVE = "additive"
    """There is more than before: a minor version."""
    EDITORIAL = "editorial"
    """It is the same course, better said or better looking: a patch."""

    @classmethod
    def strictest(cls, *words: str) -> str:
        """The first of the words that is given, in the order of this class."""
        return next((word.value for word in cls if word in words), "")


class CardReader(StrEnum):
    """Whom a card of a report is for."""

    LEARNERS = "learners"
    CUSTOMERS = "customers"
    OPERATORS = "operators"
    """Those who do by hand what no call does."""


class Consequence(NamedTuple):
    """What a change means for people."""

    audience: Audience | None
    """None if it is unknown."""
    says: Sequence[str]
    """Sentences for people, without a full stop."""
    undo: Undo
    recipe: str
    """How to undo it, in one sentence; empty for what is permanent."""
    version: str
    """A `Version` for what belongs to a course, else empty."""
    version_of: str = ""
    """The address, or the uuid, of the course whose version it is."""
    cards: "Mapping[CardReader, Card]" = MappingProxyType({})
    """The shares of the change, if several readers are told of it, each of other fields."""


class Card(NamedTuple):
    """What one reader is told of a change: some of its fields, and what these mean."""

    paths: Sequence[str]
    effect: Effect
    consequence: Consequence


class Counted(NamedTuple):
    """Which events the learners of a plan are counted from."""

    until: datetime
    since: datetime | None
    """None for all that there are."""
