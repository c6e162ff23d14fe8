"""Writing: what one simulated learner left on the platform, as documents and as events.

The documents are those that the handlers keep; the events wait until all are known, since feeds are
kept in the order of time.
"""

from collections import Counter
from typing import Any, NamedTuple

from lmssync.vocabulary.enums import AssignmentActivityStatus, EventKind, PathActivityStatus

from ..clock import stamp_of
from ..people import attempts
from ..people.feed import Happened, company_id, course_detail, emit, user_detail
from ..people.learners import ACTIVE, Reason, Source
from ..platform import Platform
from .journeys import Content, Journey, Try

Doc = dict[str, Any]


class Visit(NamedTuple):
    """One learner's time in one course."""

    content: Content
    reason: Reason
    journey: Journey


class Stay(NamedTuple):
    """One learner's time on a learning path: the journeys through those of its courses."""

    path_id: str
    license_id: str
    enrolled: float
    journeys: tuple[Journey, ...]

    @property
    def started(self) -> float | None:
        starts = [one.started for one in self.journeys if one.started is not None]
        return min(starts, default=None)

    @property
    def completed(self) -> float | None:
        ends = [one.completed for one in self.journeys]
        return max((end for end in ends if end), default=None) if None not in ends else None

    @property
    def status(self) -> PathActivityStatus:
        if self.completed is not None:
            return PathActivityStatus.COMPLETED
        started = self.started is not None
        return PathActivityStatus.STARTED if started else PathActivityStatus.NOT_STARTED


class Writer:
    """Writes inside a change of the store and counts what it wrote, by kind."""

    def __init__(self, platform: Platform) -> None:
        self._platform = platform
        self._company = {"companyId": company_id(platform)}
        self._paths = {path["id"]: path["title"] for path in platform.objects.all("learningPaths")}
        self._made: Counter[str] = Counter()
        self._events: list[tuple[float, str, Doc]] = []

    def write(self, user: Doc, visits: list[Visit], stays: list[Stay]) -> None:
        paths = [{"learningPathId": one.path_id, "status": str(one.status)} for one in stays]
        user = self._add("users", {**user, "allocatedLearningPaths": paths})
        about = {**self._company, "userDetail": user_detail(user)}
        for visit in visits:
            self._visit(user, visit, {**about, **course_detail(visit.content.course)})
        for stay in stays:
            self._stay(user, stay, about)

    def finish(self) -> Counter[str]:
        """Write the events, oldest first; how many documents there are of each kind."""
        for at, kind, fields in sorted(self._events, key=lambda event: event[0]):
            emit(self._platform, kind, {**fields, "timestamp": stamp_of(at)}, pushed=False)
        # A certificate has two events: in its own feed and as a courseAction.
        self._made["events"] = len(self._events) + self._made["certificates"]
        return self._made

    def _add(self, kind: str, doc: Doc) -> Doc:
        self._made[kind] += 1
        return self._platform.objects.add(kind, doc)

    def _tell(self, at: float, kind: EventKind, about: Doc, **fields: Any) -> None:
        self._events.append((at, kind, {**about, **fields}))

    def _visit(self, user: Doc, visit: Visit, about: Doc) -> None:
        journey, ids = visit.journey, _ids(user, visit.content)
        self._add(
            "enrollments",
            {
                **ids,
                **visit.reason.as_wire(),
                "status": ACTIVE,
                "createdAt": stamp_of(journey.enrolled),
            },
        )
        about = {**about, "source": visit.reason.source}
        self._act(journey.enrolled, about, Happened.ENROLLED)
        if journey.started is None:
            return
        self._act(journey.started, about, Happened.STARTED)
        for sitting in journey.sittings:
            self._act(sitting.at, about, Happened.PROGRESS)
        self._add("progress", {**ids, **_progress(journey, journey.started)})
        self._packages(ids, visit)
        del about["source"]
        for one in journey.tries:
            self._attempt(user, visit.content, one, about)
        for one in journey.handed_in:
            self._submit(ids, one, about)
        if journey.completed is not None:
            self._complete(ids, visit, about, at=journey.completed)

    def _act(self, at: float, about: Doc, type_: Happened) -> None:
        self._tell(at, EventKind.COURSE_ACTION, about, type=type_)

    def _packages(self, ids: Doc, visit: Visit) -> None:
        done = visit.journey.completed is not None
        for topic in visit.content.packages if visit.journey.sittings else ():
            status = "completed" if done else "incomplete"
            at = stamp_of(visit.journey.sittings[-1].at)
            self._add("scormAttempts", {**ids, "topicId": topic["id"], "status": status, "at": at})

    def _attempt(self, user: Doc, content: Content, one: Try, about: Doc) -> None:
        attempt = self._add(
            "attempts",
            {
                **attempts.subject(user, course=content.course, assessment=one.topic),
                "grade": one.grade,
                "passed": one.passed,
                "forgiven": False,
                "at": stamp_of(one.at),
            },
        )
        self._tell(one.at, EventKind.QUIZ_ATTEMPT, about, **attempts.payload(attempt))

    def _submit(self, ids: Doc, one: Try, about: Doc) -> None:
        told = {
            "assignmentId": one.topic["id"],
            "status": str(AssignmentActivityStatus.COMPLETED),
            "grade": one.grade,
            "gradeFeedback": None,
        }
        whose = {"learnerId": ids["userId"], "courseId": ids["courseId"]}
        self._add("submissions", {**whose, **told, "at": stamp_of(one.at)})
        self._tell(one.at, EventKind.ASSIGNMENT_SUBMISSION, about, **told)

    def _complete(self, ids: Doc, visit: Visit, about: Doc, *, at: float) -> None:
        about = {**about, "source": visit.reason.source}
        self._act(at, about, Happened.COMPLETED)
        self._add("transcripts", {**ids, "completedAt": stamp_of(at)})
        if visit.content.certified:
            certificate = self._add("certificates", {**ids, "grantedAt": stamp_of(at)})
            self._tell(at, EventKind.COURSE_CERTIFICATE, about, certificateId=certificate["id"])

    def _stay(self, user: Doc, stay: Stay, about: Doc) -> None:
        self._add(
            "learningPathEnrollments",
            {
                "userId": user["id"],
                "learningPathId": stay.path_id,
                "licenseId": stay.license_id,
                "status": ACTIVE,
            },
        )
        path = {"learningPathTitle": self._paths.get(stay.path_id), "notifiableId": stay.path_id}
        about = {**about, **path, "source": Source.LICENSE}
        enrolled = {"type": Happened.ENROLLED}
        self._tell(stay.enrolled, EventKind.LEARNING_PATH_ENROLLMENT, about, **enrolled)
        steps = {Happened.STARTED: stay.started, Happened.COMPLETED: stay.completed}
        for type_, at in steps.items():
            if at is not None:
                self._tell(at, EventKind.LEARNING_PATH_ACTION, about, type=type_)


def _ids(user: Doc, content: Content) -> Doc:
    return {"userId": user["id"], "courseId": content.course["id"]}


def _progress(journey: Journey, started: float) -> Doc:
    completed = journey.completed
    return {
        "percent": journey.percent,
        "startedAt": stamp_of(started),
        "updatedAt": stamp_of(max(journey.last, started)),
        "completedAt": None if completed is None else stamp_of(completed),
    }
