"""Assessment attempts: how one is recorded and how one is shown (spec 2.6)."""

from lmssync.vocabulary.enums import EventKind

from ..documents import Doc, pick_fields
from ..platform import Platform
from . import feed

USER_SHOWN = ("id", "email", "firstName", "lastName", "externalCustomerId")
SHOWN = ("id", "user", "course", "assessment", "grade", "passed", "forgiven")


def record_attempt(
    platform: Platform, user: Doc, *, course: Doc, assessment: Doc, grade: int, passed: bool
) -> Doc:
    """Keep a new attempt at an assessment, which is a topic of the course, and tell the event."""
    about = attempt_subject(user, course=course, assessment=assessment)
    result = {
        "grade": grade,
        "passed": passed,
        "forgiven": False,
        "at": platform.clock.format_now(),
    }
    attempt = platform.objects.add_object("attempts", {**about, **result})
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
    course_id = attempt["courseId"]
    feed.emit_for(
        platform, user, EventKind.QUIZ_ATTEMPT, courseId=course_id, **attempt_payload(attempt)
    )


def attempt_payload(attempt: Doc) -> Doc:
    """What the event of an attempt says of it."""
    shown = {name: attempt[name] for name in ("assessment", "grade", "passed", "forgiven")}
    return {"attemptId": attempt["id"], **shown}


def as_wire(attempt: Doc) -> Doc:
    return {name: attempt[name] for name in SHOWN}
