"""Failed attempts at assessments that are forgiven, and how they are found (spec 3, 4)."""

from collections.abc import Iterator
from typing import NamedTuple

from ...errors import Refused
from ...kind import Spec
from ...kinds import Uuid
from ...platform.client import Fate, Outcome, Reader
from ...vocabulary.enums import EventKind
from ..events import Deed, read_feed_pages
from .operation import Body, Operation
from .row_rules import require_unique


class ForgivenAttempt(Spec):
    """One attempt, by its id."""

    personal = True
    id: Uuid


class AttemptWindow(NamedTuple):
    """Which attempts are meant: those at a course, or at one of its assessments, in a time."""

    courses: frozenset[str]
    """The ids by which events may name the course."""
    topic: str
    """Uuid of the assessment; empty for all of the course."""
    since: int
    """Milliseconds since 1970."""
    until: int | None = None
    """The same; nothing for up to now."""

    def contains_attempt(self, *, at: int, course: str, topic: str) -> bool:
        same = course in self.courses and self.topic in {"", topic}
        return same and self.since <= at and (self.until is None or at < self.until)


def failed_attempts(reader: Reader, window: AttemptWindow) -> Iterator[str]:
    """Ids of the attempts that failed and have not passed or been forgiven since, newest first.

    They are read from the feed each time and kept nowhere: an id of an attempt leads to a person
    and a grade. Raises `PlatformError`; `Refused` where the events of an instance name no attempts.
    """
    settled, nameless = set[str](), 0
    for page in read_feed_pages(reader, EventKind.QUIZ_ATTEMPT, since=window.since):
        for one in page.happenings:
            meant = window.contains_attempt(at=one.at, course=one.subject, topic=one.part)
            nameless += meant and not one.attempt
            if meant and one.attempt not in {"", *settled} and one.deed is Deed.TRIED:
                yield one.attempt
            settled.add(one.attempt)
    if nameless:
        raise Refused(
            f"the feed shows {nameless:,} attempts without their ids",
            0,
            "export the ids of the attempts in the admin interface and name that file",
        )


def _judge_answer(body: Body, outcome: Outcome) -> str | None:
    """The answer is the attempt itself (spec 2.6)."""
    if outcome.fate is not Fate.ACKNOWLEDGED:
        return outcome.message or "no answer"
    attempt = outcome.answer
    same = attempt["id"].lower() == body["id"].lower()
    return None if same and attempt["passed"] and attempt["forgiven"] else "it is not forgiven"


FORGIVE = Operation(
    name="forgiven attempts",
    route="attempt.forgive",
    row=ForgivenAttempt,
    rules=(require_unique("id"),),
    person="id",
    about="id",
    done="forgiven",
    wrong=_judge_answer,
    in_path="id",
)
