"""Enrollments: why a learner may enter a course, and what the learner left there.

An `enrollments` document says why; a learner has one active enrollment in a course at most, with
the license it hangs on if it hangs on one. `progress`, `attempts`, `scormAttempts`, `submissions`
and `transcripts` say what was left. Every change of access here has its event, and so has every
attempt (spec 2.6).
"""

from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Any, NamedTuple

from ...vocabulary.enums import CriterionType, EventKind, OpenType, SessionStatus, TopicType
from ...vocabulary.iso_dates import format_timestamp
from ..data.course_tables import list_children
from ..data.object_documents import Level
from ..sandbox_documents import Doc, pick_fields, seconds_of
from ..sandbox_platform import Platform
from .event_feed import Happened, emit_for

USER_SHOWN = ("id", "email", "firstName", "lastName", "externalCustomerId")
SHOWN = ("id", "user", "course", "assessment", "grade", "passed", "forgiven")


def record_attempt(
    platform: Platform, user: Doc, *, course: Doc, assessment: Doc, grade: int, passed: bool
) -> Doc:
    """Keep a new attempt at an assessment, which is a topic of the course, and tell the event."""
    about = attempt_subject(user, course=course, assessment=assessment)
    result = {"grade": grade, "passed": passed, "forgiven": False}
    dated = {**about, **result, "at": platform.clock.format_now()}
    attempt = platform.objects.add_object("attempts", dated)
    emit_attempt(platform, user, attempt)
    return attempt


def attempt_subject(user: Doc, *, course: Doc, assessment: Doc) -> Doc:
    """Who was tested, and where."""
    return {
        "userId": user["id"],
        "courseId": course["id"],
        "assessmentId": assessment["id"],
        "user": pick_fields(user, USER_SHOWN),
        "course": pick_fields(course, ("id", "title")),
        "assessment": pick_fields(assessment, ("id", "type", "title")),
    }


def emit_attempt(platform: Platform, user: Doc, attempt: Doc) -> None:
    """The event of an attempt that is made or forgiven."""
    payload = {"courseId": attempt["courseId"], **attempt_payload(attempt)}
    emit_for(platform, user, EventKind.QUIZ_ATTEMPT, **payload)


def attempt_payload(attempt: Doc) -> Doc:
    """What the event of an attempt says of it."""
    shown = {name: attempt[name] for name in ("assessment", "grade", "passed", "forgiven")}
    return {"attemptId": attempt["id"], **shown}


def show_attempt(attempt: Doc) -> Doc:
    return {name: attempt[name] for name in SHOWN}


ACTIVE, REVOKED = "active", "revoked"
PATH_AT_FIRST = "not-started"
"""`status` of a learning path in a profile before anything is known of it (spec 3)."""

LEFT_BEHIND = ("progress", "attempts", "scormAttempts", "submissions")
"""The kinds that hold what a learner left in a course, without its transcript entry."""


class Source(StrEnum):
    """`source` of an enrollment."""

    LICENSE = "license"
    DIRECT = "direct"
    BUNDLE = "bundle"
    PURCHASE = "purchase"
    LEARNING_PATH = "learningPath"


class Reason(NamedTuple):
    """Why a learner is enrolled in a course."""

    source: Source
    license_id: str | None = None
    path_id: str | None = None

    def as_wire(self) -> Doc:
        return {"source": self.source, "licenseId": self.license_id, "learningPathId": self.path_id}


def list_enrollments(platform: Platform, user_id: str) -> list[Doc]:
    """The active ones of a learner, oldest first."""
    rows = platform.objects.list_owned("enrollments", user_id)
    return [row for row in rows if row["status"] == ACTIVE]


def is_shut_out(platform: Platform, user_id: str, course_id: str) -> bool:
    """True if the learner was enrolled in the course and is not any more."""
    rows = platform.objects.list_owned("enrollments", user_id)
    states = {row["status"] for row in rows if row["courseId"] == course_id}
    return states == {REVOKED}


def path_enrollments(platform: Platform, user_id: str) -> list[Doc]:
    """The active ones of a learner, oldest first."""
    rows = platform.objects.list_owned("learningPathEnrollments", user_id)
    return [row for row in rows if row["status"] == ACTIVE]


def enroll_learner(
    platform: Platform, user: Doc, course_id: str, *, reason: Reason, silent: bool = False
) -> Doc:
    ids = {"userId": user["id"], "courseId": course_id}
    state = {"status": ACTIVE, "createdAt": platform.clock.format_now()}
    row = platform.objects.add_object("enrollments", {**ids, **reason.as_wire(), **state})
    if not silent:
        _emit_access(platform, user, course_id, type_=Happened.ENROLLED, source=reason.source)
    return row


def move_enrollment(platform: Platform, row: Doc, reason: Reason) -> None:
    """Give an enrollment another reason; access and progress stay, without an event."""
    row.update(reason.as_wire())
    platform.objects.save_object("enrollments", row)


def revoke_enrollment(platform: Platform, user: Doc, row: Doc) -> None:
    row["status"] = REVOKED
    platform.objects.save_object("enrollments", row)
    type_, source = Happened.ACCESS_REVOKED, Source(row["source"])
    _emit_access(platform, user, row["courseId"], type_=type_, source=source)


def enroll_path(
    platform: Platform, user: Doc, path_id: str, *, license_id: str | None, silent: bool = False
) -> None:
    """Enroll in a learning path, not in its courses; the caller saves the user."""
    ids = {"userId": user["id"], "learningPathId": path_id, "licenseId": license_id}
    platform.objects.add_object("learningPathEnrollments", {**ids, "status": ACTIVE})
    if not path_entry(user, path_id):
        entry = {"learningPathId": path_id, "status": PATH_AT_FIRST}
        user["allocatedLearningPaths"] = [*user["allocatedLearningPaths"], entry]
    if not silent:
        kind, type_ = EventKind.LEARNING_PATH_ENROLLMENT, Happened.ENROLLED
        emit_for(platform, user, kind, learningPathId=path_id, type=type_)


def revoke_path(platform: Platform, user: Doc, row: Doc) -> None:
    """End the enrollment in a learning path, not in its courses; the caller saves the user."""
    row["status"] = REVOKED
    platform.objects.save_object("learningPathEnrollments", row)
    path_id = row["learningPathId"]
    user["allocatedLearningPaths"] = [
        entry for entry in user["allocatedLearningPaths"] if entry["learningPathId"] != path_id
    ]
    kind, type_ = EventKind.LEARNING_PATH_ACTION, Happened.ACCESS_REVOKED
    emit_for(platform, user, kind, learningPathId=path_id, type=type_)


def path_entry(user: Doc, path_id: str) -> Doc | None:
    """The entry of a learning path in the profile (spec 2.4)."""
    entries: list[Doc] = user["allocatedLearningPaths"]
    return next((entry for entry in entries if entry["learningPathId"] == path_id), None)


def keep_submission(
    platform: Platform, learner: Doc, *, course_id: str, assignment_id: str, result: Doc
) -> None:
    """Keep a submission, one for each learner and assignment: a repeat sets it anew (not shown).

    `result` has `status`, `grade` and `gradeFeedback`.
    """
    before = platform.objects.list_owned("submissions", learner["id"])
    same = next((one for one in before if one["assignmentId"] == assignment_id), {})
    about = {"courseId": course_id, "assignmentId": assignment_id, **result}
    own = {"learnerId": learner["id"], "at": platform.clock.format_now()}
    platform.objects.keep_object("submissions", {**same, **about, **own})
    emit_for(platform, learner, EventKind.ASSIGNMENT_SUBMISSION, **about)


def erase_results(platform: Platform, user_id: str, course_id: str, *, transcript: bool) -> None:
    """Delete progress, attempts and submissions for good, and with `transcript` that too."""
    for kind in (*LEFT_BEHIND, "transcripts") if transcript else LEFT_BEHIND:
        for doc in platform.objects.list_owned(kind, user_id):
            if doc["courseId"] == course_id:
                platform.objects.remove_object(kind, doc["id"])


def _emit_access(
    platform: Platform, user: Doc, course_id: str, *, type_: Happened, source: Source
) -> None:
    emit_for(platform, user, EventKind.COURSE_ACTION, courseId=course_id, type=type_, source=source)


DAY = 86_400.0
TESTED = (TopicType.QUIZ, TopicType.TEST)
MET = (TopicType.IN_PERSON_EVENT, TopicType.MEETING_INFO)
HANDED_IN = (
    TopicType.ASSIGNMENT, TopicType.SHAREABLE_CONTENT_OBJECT, TopicType.X_API_OBJECT,
    TopicType.SURVEY_TOOL, TopicType.PARTNER,
)  # fmt: skip
DOABLE: Mapping[str, tuple[TopicType, ...]] = {
    "passes": TESTED,
    "fails": TESTED,
    "attends": MET,
    "completes": (*HANDED_IN, *TESTED),
}
"""What a learner can do with a topic besides viewing it, and the types of topic that allow it."""


def find_obstacle(platform: Platform, user: Doc, course: Doc, topic: Doc) -> str | None:
    """Why a learner cannot open a topic now, if so (spec 2.2, 2.5)."""
    return next(_find_obstacles(platform, user, course, topic), None)


def _find_obstacles(platform: Platform, user: Doc, course: Doc, topic: Doc) -> Iterator[str]:
    now = platform.clock.format_now()
    if course["status"] != SessionStatus.PUBLISHED:
        yield "the course is not published"
    ends = [course[name] for name in ("courseEndDate", "gracePeriodEndDate") if course.get(name)]
    if (course.get("courseStartDate") or now) > now or (ends and max(ends) < now):
        yield "the course is not running"
    section, lesson = _find_above(course, topic)
    rows = [r for r in list_enrollments(platform, user["id"]) if r["courseId"] == course["id"]]
    tasters = (OpenType.OPEN, OpenType.EMAIL_CAPTURE_OPEN)
    if not rows and not (course.get("availableToPublic") or lesson["openType"] in tasters):
        yield "the learner is not enrolled"
    if rows and all(_has_ended(platform, row) for row in rows):
        yield "access by the license has ended"
    if rows and not _has_prerequisites(platform, user, course):
        yield "a prerequisite is missing"
    if (section.get("releaseDate") or now) > now:
        yield "the section is not released"
    if course.get("forceLinearProgress") and not _is_next(platform, user, course, topic):
        yield "an earlier page comes first"


def _find_above(course: Doc, topic: Doc) -> tuple[Doc, Doc]:
    return next(
        (section, lesson)
        for section in course["sections"]
        for lesson in section["lessons"]
        if any(one["id"] == topic["id"] for one in lesson["topics"])
    )


def _has_ended(platform: Platform, row: Doc) -> bool:
    """Whether the license of an enrollment has expired, or its days of access are over."""
    license_ = platform.objects.get_object("licenses", row["licenseId"] or "") or {}
    now, days = platform.clock.format_now(), license_.get("accessDays")
    over = days and format_timestamp(seconds_of(row["createdAt"]) + days * DAY) <= now
    return bool(over or (license_.get("expirationDate") or now) < now)


def _has_prerequisites(platform: Platform, user: Doc, course: Doc) -> bool:
    done = {one["courseId"] for one in platform.objects.list_owned("transcripts", user["id"])}
    paths = user["allocatedLearningPaths"]
    done |= {one["learningPathId"] for one in paths if one["status"] == "completed"}
    needed = ("prerequisiteCourseIds", "prerequisiteLearningPathIds")
    return done.issuperset(id_ for name in needed for id_ in course.get(name) or ())


def _is_next(platform: Platform, user: Doc, course: Doc, topic: Doc) -> bool:
    """Whether everything before a topic is finished, where pages are taken in order."""
    results = read_results(platform, user["id"], course["id"])
    for _, earlier in list_children(course, Level.TOPIC):
        if earlier["id"] == topic["id"]:
            return True
        result = results.get(earlier["id"], {})
        wanted = ["percent"]
        if earlier["type"] in TESTED:
            wanted = ["passes", "completes"]
        elif earlier["type"] in MET:
            wanted = ["attends"]
        elif earlier["type"] in HANDED_IN:
            wanted = ["completes"]
        if not any(result.get(name) for name in wanted):
            return False
    return True


def read_results(platform: Platform, user_id: str, course_id: str) -> dict[str, Doc]:
    """What a learner has done in a course, by topic: share and time of viewing, and what else."""
    kept = platform.objects.list_owned("progress", user_id)
    found = next((one for one in kept if one["courseId"] == course_id), {})
    return dict(found.get("topics") or {})


def record_visit(platform: Platform, user: Doc, course: Doc, topic: Doc, *, done: Doc) -> None:
    """Keep what a learner did with a topic; the course is completed by it if nothing is missing.

    `done` has `percent` and `seconds`, and `passes`, `completes` or `attends` where that happened.
    """
    kept = platform.objects.list_owned("progress", user["id"])
    progress = next((one for one in kept if one["courseId"] == course["id"]), None)
    now, action = platform.clock.format_now(), EventKind.COURSE_ACTION
    if progress is None:
        emit_for(platform, user, action, courseId=course["id"], type=Happened.STARTED)
        ids = {"userId": user["id"], "courseId": course["id"]}
        progress = {**ids, "startedAt": now, "completedAt": None, "topics": {}}
    before = progress["topics"].get(topic["id"], {"percent": 0, "seconds": 0})
    viewed = {
        "percent": max(before["percent"], done["percent"]),
        "seconds": before["seconds"] + done["seconds"],
    }
    progress["topics"] |= {topic["id"]: {**before, **done, **viewed}}
    topics = [one for _, one in list_children(course, Level.TOPIC)]
    seen = sum(one["id"] in progress["topics"] for one in topics)
    progress |= {"percent": 100 * seen // len(topics), "updatedAt": now}
    if not progress["completedAt"] and is_course_complete(course, progress["topics"]):
        progress["completedAt"] = now
        ids = {"userId": user["id"], "courseId": course["id"]}
        platform.objects.add_object("transcripts", {**ids, "completedAt": now})
        emit_for(platform, user, action, courseId=course["id"], type=Happened.COMPLETED)
    platform.objects.keep_object("progress", progress)


def is_course_complete(course: Doc, results: Mapping[str, Doc]) -> bool:
    """Whether every criterion of a course is met (spec 2.3); without any, every topic is viewed."""
    topics = [topic for _, topic in list_children(course, Level.TOPIC)]
    if not course["criteria"]:
        return all(topic["id"] in results for topic in topics)
    return all(_is_met(criterion, topics, results) for criterion in course["criteria"])


_BY_FIELD: Mapping[str, str] = {
    CriterionType.COURSE_TOPIC_VIEWED: "percent",
    CriterionType.COURSE_ASSESSMENT_PASSED: "passes",
    CriterionType.COURSE_MEETING_ATTENDED: "attends",
}
"""What must have happened with the topic of a criterion; else that it is complete."""


def _is_met(criterion: Doc, topics: list[Doc], results: Mapping[str, Doc]) -> bool:
    kind = CriterionType(criterion["type"])
    value: Any = criterion[kind]
    # An article or a video with a text is one topic that need not be called an article.
    articles = [one for one in topics if one["type"] == TopicType.ARTICLE] or topics
    read = [results[one["id"]] for one in articles if one["id"] in results]
    match kind:
        case CriterionType.COURSE_PERCENT_VIEWED:
            return bool(100 * len(results) / len(topics) >= value)
        case CriterionType.ARTICLE_PERCENT_VIEWED:
            return any(one["percent"] >= value for one in read)
        case CriterionType.ARTICLE_TIME_VIEWED_IN_SECONDS:
            return any(one["seconds"] >= value for one in read)
        case CriterionType.VIDEO_PERCENT_VIEWED:
            video = results.get(criterion["videoTopicId"], {})
            return bool(video.get("percent", 0) >= value)
    return bool(results.get(value, {}).get(_BY_FIELD.get(kind, "completes")))
