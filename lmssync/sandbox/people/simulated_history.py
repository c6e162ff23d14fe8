"""What one simulated learner does in each course: it is drawn, and then written on the platform.

The documents are those that the handlers keep; the events wait until all are known, since feeds are
kept in the order of time.
"""

from collections import Counter
from random import Random
from typing import Any, NamedTuple

from ...vocabulary.enums import AssignmentActivityStatus, EventKind, PathActivityStatus
from ...vocabulary.iso_dates import format_timestamp
from ..sandbox_documents import Doc
from ..sandbox_platform import Platform
from .enrollments import ACTIVE, Reason, Source, attempt_payload, attempt_subject
from .event_feed import Happened, company_id, course_detail, emit_event, user_detail

DAY = 86_400.0
HOUR = 3_600.0
PASS_MARK = 70
ATTEMPTS_MOST = 3
NEARLY, WHOLE = 95, 100
"""Percent of a course that was seen to its end: not completed, and completed."""


class Content(NamedTuple):
    """What matters of a course: its topics that are tested, handed in or packaged."""

    course: Doc
    open: bool
    """Whether it can be started: a draft cannot."""
    certified: bool
    assessments: tuple[Doc, ...] = ()
    assignments: tuple[Doc, ...] = ()
    packages: tuple[Doc, ...] = ()


class Sitting(NamedTuple):
    """A visit to the course: when it ended, and how much was seen by then."""

    at: float
    percent: int


class Graded(NamedTuple):
    """An attempt at an assessment, or the submission of an assignment."""

    at: float
    topic: Doc
    grade: int

    @property
    def has_passed(self) -> bool:
        return self.grade >= PASS_MARK


class History(NamedTuple):
    """Everything in the order of time; seconds since 1970."""

    enrolled: float
    started: float | None = None
    sittings: tuple[Sitting, ...] = ()
    attempts: tuple[Graded, ...] = ()
    submissions: tuple[Graded, ...] = ()
    completed: float | None = None

    @property
    def percent_viewed(self) -> int:
        if self.completed is not None:
            return WHOLE
        return min(self.sittings[-1].percent, NEARLY) if self.sittings else 0

    @property
    def last_moment(self) -> float:
        """When anything happened last."""
        graded = (one.at for one in (*self.attempts, *self.submissions))
        return max(self.enrolled, self.started or 0, *graded, *(one.at for one in self.sittings))


def simulate_history(
    random: Random, content: Content, *, diligence: float, enrolled: float, end: float
) -> History:
    """How far somebody gets in a course before `end`."""
    # All numbers are drawn in one order: the same seed makes the same school.
    started = enrolled + random.expovariate(1 / (6 * DAY * (1.3 - diligence)))
    is_willing = random.random() < 0.5 + diligence / 2
    if not content.open or not is_willing or started >= end:
        return History(enrolled)
    sittings = _draw_sittings(random, started, diligence=diligence, end=end)
    history = History(enrolled, started, sittings)
    if not history.sittings or history.sittings[-1].percent < WHOLE:
        return history
    topics, at = content.assessments, history.last_moment
    attempts = _draw_attempts(random, topics, at, diligence=diligence, end=end)
    history = history._replace(attempts=attempts)
    submissions = _draw_submissions(random, content.assignments, history.last_moment, end=end)
    history = history._replace(submissions=submissions)
    passed = {attempt.topic["id"] for attempt in attempts if attempt.has_passed}
    done = (len(passed), len(submissions)) == (len(content.assessments), len(content.assignments))
    return history._replace(completed=history.last_moment) if done else history


def _draw_sittings(
    random: Random, at: float, *, diligence: float, end: float
) -> tuple[Sitting, ...]:
    """The visits until the course is seen to its end, interest is lost or time is up."""
    planned = random.randint(2, 5)
    sittings = []
    for number in range(1, planned + 1):
        at += random.expovariate(1 / (0.2 * DAY if number == 1 else 2.5 * DAY))
        gives_up = random.random() < 0.14 * (1.4 - diligence)
        if at >= end or gives_up:
            break
        sittings.append(Sitting(at, round(100 * number / planned)))
    return tuple(sittings)


def _draw_attempts(
    random: Random, topics: tuple[Doc, ...], at: float, *, diligence: float, end: float
) -> tuple[Graded, ...]:
    """Every assessment until it is passed, at most `ATTEMPTS_MOST` times."""
    attempts: list[Graded] = []
    for topic in topics:
        for number in range(ATTEMPTS_MOST):
            at += random.expovariate(1 / (0.3 * HOUR if number == 0 else 9 * HOUR))
            grade = round(random.gauss(56 + 32 * diligence + 7 * number, 13))
            if at >= end:
                return tuple(attempts)
            attempts.append(Graded(at, topic, min(max(grade, 0), 100)))
            if attempts[-1].has_passed:
                break
    return tuple(attempts)


def _draw_submissions(
    random: Random, topics: tuple[Doc, ...], at: float, *, end: float
) -> tuple[Graded, ...]:
    submissions = []
    for topic in topics:
        at += random.expovariate(1 / (20 * HOUR))
        # Drawn even if it comes too late to count, so that later draws stay the same.
        grade = random.randint(55, 100)
        if at < end:
            submissions.append(Graded(at, topic, grade))
    return tuple(submissions)


class Enrollment(NamedTuple):
    """One learner in one course."""

    content: Content
    reason: Reason
    history: History


class PathEnrollment(NamedTuple):
    """One learner on a learning path, with the histories in those of its courses."""

    path_id: str
    license_id: str
    enrolled: float
    histories: tuple[History, ...]

    @property
    def started_at(self) -> float | None:
        return min((one.started for one in self.histories if one.started is not None), default=None)

    @property
    def completed_at(self) -> float | None:
        ends = [one.completed for one in self.histories]
        return max((end for end in ends if end), default=None) if None not in ends else None

    @property
    def path_status(self) -> PathActivityStatus:
        if self.completed_at is not None:
            return PathActivityStatus.COMPLETED
        started = self.started_at is not None
        return PathActivityStatus.STARTED if started else PathActivityStatus.NOT_STARTED


class Writer:
    """Writes inside a change of the store and counts what it wrote, by kind."""

    def __init__(self, platform: Platform) -> None:
        self._platform = platform
        self._company = {"companyId": company_id(platform)}
        paths = platform.objects.list_objects("learningPaths")
        self._paths = {path["id"]: path["title"] for path in paths}
        self._made: Counter[str] = Counter()
        self._events: list[tuple[float, str, Doc]] = []

    def write_learner(
        self, user: Doc, enrollments: list[Enrollment], paths: list[PathEnrollment]
    ) -> None:
        allocated = [
            {"learningPathId": one.path_id, "status": str(one.path_status)} for one in paths
        ]
        user = self._add_document("users", {**user, "allocatedLearningPaths": allocated})
        event = {**self._company, "userDetail": user_detail(user)}
        for enrollment in enrollments:
            detail = course_detail(enrollment.content.course)
            self._write_enrollment(user, enrollment, {**event, **detail})
        for path in paths:
            self._write_path(user, path, event)

    def write_events(self) -> Counter[str]:
        """Write the events, oldest first; how many documents there are of each kind."""
        # Learners are written one after the other, and a feed is in the order of time.
        for at, kind, fields in sorted(self._events, key=lambda event: event[0]):
            dated = {**fields, "timestamp": format_timestamp(at)}
            emit_event(self._platform, kind, dated, pushed=False)
        # A certificate has two events: in its own feed and as a courseAction.
        self._made["events"] = len(self._events) + self._made["certificates"]
        return self._made

    def _add_document(self, kind: str, doc: Doc) -> Doc:
        self._made[kind] += 1
        return self._platform.objects.add_object(kind, doc)

    def _note_event(self, at: float, kind: EventKind, event: Doc, **fields: Any) -> None:
        self._events.append((at, kind, {**event, **fields}))

    def _write_enrollment(self, user: Doc, enrollment: Enrollment, event: Doc) -> None:
        content, reason, history = enrollment
        ids = {"userId": user["id"], "courseId": content.course["id"]}
        action = {**event, "source": reason.source}
        state = {"status": ACTIVE, "createdAt": format_timestamp(history.enrolled)}
        self._add_document("enrollments", {**ids, **reason.as_wire(), **state})
        self._note_event(history.enrolled, EventKind.COURSE_ACTION, action, type=Happened.ENROLLED)
        if history.started is None:
            return
        self._note_event(history.started, EventKind.COURSE_ACTION, action, type=Happened.STARTED)
        for sitting in history.sittings:
            self._note_event(sitting.at, EventKind.COURSE_ACTION, action, type=Happened.PROGRESS)
        self._write_progress(ids, history, started=history.started)
        self._write_packages(ids, content, history)
        for attempt in history.attempts:
            self._write_attempt(user, content, attempt, event)
        for submission in history.submissions:
            self._write_submission(ids, submission, event)
        if history.completed is not None:
            self._write_completion(ids, content, history.completed, action)

    def _write_progress(self, ids: Doc, history: History, *, started: float) -> None:
        progress = {
            "percent": history.percent_viewed,
            "startedAt": format_timestamp(started),
            "updatedAt": format_timestamp(history.last_moment),
            "completedAt": history.completed and format_timestamp(history.completed),
        }
        self._add_document("progress", {**ids, **progress})

    def _write_packages(self, ids: Doc, content: Content, history: History) -> None:
        status = "incomplete" if history.completed is None else "completed"
        for topic in content.packages if history.sittings else ():
            state = {"status": status, "at": format_timestamp(history.sittings[-1].at)}
            self._add_document("scormAttempts", {**ids, "topicId": topic["id"], **state})

    def _write_attempt(self, user: Doc, content: Content, graded: Graded, event: Doc) -> None:
        subject = attempt_subject(user, course=content.course, assessment=graded.topic)
        grade = {"grade": graded.grade, "passed": graded.has_passed, "forgiven": False}
        at = format_timestamp(graded.at)
        attempt = self._add_document("attempts", {**subject, **grade, "at": at})
        self._note_event(graded.at, EventKind.QUIZ_ATTEMPT, event, **attempt_payload(attempt))

    def _write_submission(self, ids: Doc, graded: Graded, event: Doc) -> None:
        submission = {
            "assignmentId": graded.topic["id"],
            "status": str(AssignmentActivityStatus.COMPLETED),
            "grade": graded.grade,
            "gradeFeedback": None,
        }
        learner = {"learnerId": ids["userId"], "courseId": ids["courseId"]}
        dated = {**submission, "at": format_timestamp(graded.at)}
        self._add_document("submissions", {**learner, **dated})
        self._note_event(graded.at, EventKind.ASSIGNMENT_SUBMISSION, event, **submission)

    def _write_completion(self, ids: Doc, content: Content, at: float, action: Doc) -> None:
        self._note_event(at, EventKind.COURSE_ACTION, action, type=Happened.COMPLETED)
        self._add_document("transcripts", {**ids, "completedAt": format_timestamp(at)})
        if content.certified:
            granted = {**ids, "grantedAt": format_timestamp(at)}
            id_ = self._add_document("certificates", granted)["id"]
            self._note_event(at, EventKind.COURSE_CERTIFICATE, action, certificateId=id_)

    def _write_path(self, user: Doc, path: PathEnrollment, event: Doc) -> None:
        ids = {"userId": user["id"], "learningPathId": path.path_id, "licenseId": path.license_id}
        self._add_document("learningPathEnrollments", {**ids, "status": ACTIVE})
        detail = {"learningPathTitle": self._paths.get(path.path_id), "notifiableId": path.path_id}
        event = {**event, **detail, "source": Source.LICENSE}
        kind = EventKind.LEARNING_PATH_ENROLLMENT
        self._note_event(path.enrolled, kind, event, type=Happened.ENROLLED)
        for type_, at in (
            (Happened.STARTED, path.started_at),
            (Happened.COMPLETED, path.completed_at),
        ):
            if at is not None:
                self._note_event(at, EventKind.LEARNING_PATH_ACTION, event, type=type_)
