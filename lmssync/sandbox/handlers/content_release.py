"""`content.release`: a session is published, or taken back to draft (O39)."""

from lmssync.vocabulary.enums import ReleaseType, SessionStatus

from ..checks import quote_value
from ..http_exchange import Answer, Refusal, bad_request
from ..sandbox_platform import Call, Platform
from .lookup import course_of_path

RELEASED_FROM = (SessionStatus.DRAFT, SessionStatus.PENDING, SessionStatus.AUTHORING)
UNRELEASED_FROM = (SessionStatus.PUBLISHED, SessionStatus.LOGIN_RESTRICTION, SessionStatus.PENDING)


def release_content(platform: Platform, call: Call) -> Answer:
    """By a course's id or its group's; saying it twice does no harm (the answer is not shown)."""
    wanted = _read_release_type(call)
    course = course_of_path(platform, call)
    froms, to = {
        ReleaseType.RELEASE: (RELEASED_FROM, SessionStatus.PUBLISHED),
        ReleaseType.UNRELEASE: (UNRELEASED_FROM, SessionStatus.DRAFT),
    }[wanted]
    if course["status"] in froms:
        course.pop("futurePublishDate", None)
        course["status"] = to
        platform.courses.change_document(course)
    elif course["status"] == SessionStatus.ARCHIVED:
        raise Refusal(409, "The session is archived; restore it in the admin interface first")
    return Answer({"id": course["id"], "status": course["status"]})


def _read_release_type(call: Call) -> ReleaseType:
    given = call.body.get("releaseType")
    if not isinstance(given, str) or given not in list(ReleaseType):
        allowed = ", ".join(ReleaseType)
        raise bad_request(
            f"releaseType: {quote_value(given)} is not accepted; it must be one of {allowed}"
        )
    return ReleaseType(given)
