"""Enrollments: why a learner may enter a course, and what the learner left there.

An `enrollments` document says why; a learner has one active enrollment in a course at most, with
the license it hangs on if it hangs on one. `progress`, `attempts`, `scormAttempts`, `submissions`
and `transcripts` say what was left. Every change of access here has its event, and so has every
attempt (spec 2.6).
"""

from enum import StrEnum
from typing import NamedTuple

from ...vocabulary.enums import EventKind
from ..sandbox_documents import Doc, pick_fields
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
