"""What a planned change means for people, and whether it can be undone: values for reports."""

from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from ..kind import Undo


class Audience(NamedTuple):
    """How many learners have to do with a course, a topic or a license."""

    enrolled: int
    """They are enrolled, and have neither completed nor left: they are inside."""
    in_progress: int
    """Of them, those who have started."""
    finished: int
    last_activity: datetime | None


class Version(StrEnum):
    """What a change is to the learners of a course, as the parts of a version number are."""

    BREAKING = "breaking"
    """Who is inside has to do something else now, or may lose something: a major version."""
    ADDITIVE = "additive"
    """There is more than before: a minor version."""
    EDITORIAL = "editorial"
    """It is the same course, better said or better looking: a patch."""


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
