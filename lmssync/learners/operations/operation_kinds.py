"""The operations: forgiving failed attempts (spec 3, 4), and recording external activity.

Activity is recorded on learning paths, on assignments (spec 4), and on courses (O55). An operation
declares its route, the rules of its rows and what counts as done; a result is what became of a row.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Annotated, Any, NamedTuple
from urllib.parse import unquote, urlsplit

from pydantic import AfterValidator, BeforeValidator

from ...errors import LmssyncError, Refused
from ...kind import Spec
from ...kinds import Choice, Date, Email, Text, Title, Uuid
from ...platform.client import DeliveryStatus, Outcome, Reader
from ...vocabulary.enums import AssignmentActivityStatus, EventKind, PathActivityStatus
from ..events import LearnerAction, read_feed_pages
from .row_rules import Together, check_dates, check_relative, parse_number, require_unique

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
    """Milliseconds since 1970; nothing means up to now."""

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
        for one in page.events:
            meant = window.contains_attempt(at=one.at, course=one.subject, topic=one.part)
            nameless += meant and not one.attempt
            if meant and one.attempt not in {"", *settled} and one.action is LearnerAction.TRIED:
                yield one.attempt
            settled.add(one.attempt)
    if nameless:
        raise Refused(
            f"the feed shows {nameless:,} attempts without their ids",
            0,
            "export the ids of the attempts in the admin interface and name that file",
        )


def _judge_forgiveness(body: Body, outcome: Outcome) -> str | None:
    """The answer is the attempt itself (spec 2.6)."""
    if failure := _judge_answer(body, outcome):
        return failure
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
    wrong=_judge_forgiveness,
    in_path="id",
)


_FOUND = 302
_HOME = "/learn"
"""Where the platform leads if a row names no `returnUrl` (spec 4)."""
_PATH_ACTIONS: Mapping[str, LearnerAction] = {
    PathActivityStatus.COMPLETED: LearnerAction.COMPLETED,
    PathActivityStatus.STARTED: LearnerAction.STARTED,
}


class LearningPathActivity(Spec):
    """One activity on a learning path."""

    personal = True
    userId: Uuid
    learningPathId: Uuid
    status: Choice[PathActivityStatus] = PathActivityStatus.COMPLETED
    completionDate: Date | None = None
    timeStampDate: Date | None = None


class AssignmentActivity(Spec):
    """One activity on an assignment."""

    personal = True
    status: Choice[AssignmentActivityStatus]
    assignmentId: Uuid
    learnerId: Uuid
    grade: Annotated[float | int | None, BeforeValidator(parse_number)] = None
    gradeFeedback: Text | None = None
    returnUrl: Annotated[Title, AfterValidator(check_relative)] | None = None


class CourseActivity(Spec):
    """One course that somebody has completed elsewhere."""

    personal = True
    courseId: Uuid
    userEmail: Email


def _judge_answer(_body: Body, outcome: Outcome) -> str | None:
    done = outcome.fate is DeliveryStatus.ACKNOWLEDGED
    return None if done else outcome.message or "no answer"


def _answered_assignment(body: Body, outcome: Outcome) -> str | None:
    """Done is what leads to the `returnUrl`: a proxy or a login page redirects elsewhere."""
    if outcome.status != _FOUND:
        return outcome.message or f"HTTP {outcome.status} in place of a redirect"
    wanted, leads = urlsplit(body.get("returnUrl") or _HOME), urlsplit(outcome.location)
    if unquote(leads.path).strip("/") == unquote(wanted.path).strip("/"):
        return None
    return f"it redirected to `{leads.path}` in place of `{wanted.path}`"


def _not_completed(body: Body, profile: Any) -> bool:
    """Whether the profile proves that a completion was not recorded."""
    listed = profile.get("allocatedLearningPaths") if isinstance(profile, Mapping) else None
    # Nothing a learner does takes a completion away. Of another status it proves nothing, since
    # learners go on.
    if not isinstance(listed, list) or body["status"] != PathActivityStatus.COMPLETED:
        return False
    path = body["learningPathId"].lower()
    here = [one for one in listed if str(one.get("learningPathId")).lower() == path]
    return all(one.get("status") != PathActivityStatus.COMPLETED for one in here)


LEARNING_PATH = Operation(
    name="learning-path activity",
    route="activity.learningPath",
    row=LearningPathActivity,
    rules=(check_dates, require_unique("userId", "learningPathId")),
    person="userId",
    about="learningPathId",
    done="recorded",
    wrong=_judge_answer,
    feed=EventKind.LEARNING_PATH_ACTION,
    action=lambda body: _PATH_ACTIONS.get(body["status"], LearnerAction.OTHER),
    undone=_not_completed,
)
ASSIGNMENT = Operation(
    name="assignment activity",
    route="activity.assignment",
    row=AssignmentActivity,
    rules=(require_unique("learnerId", "assignmentId"),),
    person="learnerId",
    about="assignmentId",
    done="recorded",
    wrong=_answered_assignment,
    feed=EventKind.ASSIGNMENT_SUBMISSION,
    action=lambda body: (
        LearnerAction.UNDONE
        if body["status"] == AssignmentActivityStatus.INCOMPLETE
        else LearnerAction.PASSED
    ),
)
COURSE = Operation(
    name="course activity",
    route="activity.course",
    row=CourseActivity,
    rules=(require_unique("userEmail", "courseId"),),
    person="userEmail",
    about="courseId",
    done="recorded",
    wrong=_judge_answer,
    feed=EventKind.COURSE_ACTION,
    action=lambda _body: LearnerAction.COMPLETED,
)
