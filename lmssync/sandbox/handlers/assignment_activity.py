"""`activity.assignment`: external activity on an assignment, and the way back (spec 4)."""

from typing import Any
from urllib.parse import quote, urlsplit

from lmssync.vocabulary.enums import AssignmentActivityStatus, TopicType

from .. import checks
from ..api_keys import claims_of
from ..checks import V2, Rule, Wrong, collect_fields, quote_value
from ..data.document_ids import Level
from ..http_exchange import Answer, Refusal, bad_request
from ..people.accounts import may_see
from ..people.enrollments import is_shut_out, keep_submission
from ..sandbox_documents import Doc
from ..sandbox_platform import Call, Platform

HOME = "/learn"
_URL_SAFE = "/:?#[]@!$&'()*+,;=%~"
"""What stays as it is in a Location header."""


def relative_url(value: Any) -> str:
    """An address of this platform: nothing that leads a browser elsewhere, backslashes included."""
    text = checks.check_title(value)
    if text != text.strip() or not text.isprintable() or "\\" in text:
        raise Wrong(f"is {quote_value(text)}; it must be a relative URL such as /learn/courses")
    try:
        parts = urlsplit(text)
    except ValueError:
        raise Wrong(f"is {quote_value(text)}; it must be a URL") from None
    if parts.scheme or parts.netloc or text.startswith("//"):
        raise Wrong(f"is {quote_value(text)}; it must be a relative URL such as /learn/courses")
    return text


def check_grade(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise Wrong(f"is {quote_value(value)}; it must be a number")
    return value


RULES: dict[str, Rule] = {
    "status": checks.one_of(AssignmentActivityStatus),
    "assignmentId": checks.check_uuid,
    "learnerId": checks.check_uuid,
    "grade": check_grade,
    "gradeFeedback": checks.check_text,
    "returnUrl": relative_url,
}
NEEDED = ("status", "assignmentId", "learnerId")


def record_assignment_activity(platform: Platform, call: Call) -> Answer:
    """302 to where the learner came from, without a body."""
    fields, errors = collect_fields(
        _read_attributes(platform, call), RULES, needed=NEEDED, words=V2
    )
    if errors:
        raise bad_request(*errors)
    course = _find_course(platform, fields["assignmentId"])
    learner = platform.objects.get_object("users", fields["learnerId"])
    if course is None:
        id_ = fields["assignmentId"]
        errors.append(f'assignmentId: "{id_}" is not an assignment of this company')
    if learner is None or not may_see(call.key, learner):
        errors.append(f'learnerId: "{fields["learnerId"]}" is not a learner of this company')
    if course is None or learner is None or errors:
        raise bad_request(*errors)
    if reason := _reason_against(platform, learner, course):
        return Answer({"valid": False, "errors": [reason], "assignmentSubmission": None}, 400)
    result = {name: fields.get(name) for name in ("status", "grade", "gradeFeedback")}
    ids = {"course_id": course["id"], "assignment_id": fields["assignmentId"]}
    keep_submission(platform, learner, **ids, result=result)
    location = quote(fields.get("returnUrl") or HOME, safe=_URL_SAFE)
    return Answer(None, 302, (("Location", location),))


def _read_attributes(platform: Platform, call: Call) -> Doc:
    """The body, or what a signed `jwt` says; a token may also be there to authenticate alone."""
    token = call.last_value("jwt")
    if token is None:
        return call.body
    secrets = dict.fromkeys((call.key.key, platform.keys.company_key))
    now = platform.clock.read_time()
    claims = (claims_of(token, secret, now=now) for secret in secrets)
    signed = next((one for one in claims if one is not None), None)
    if signed is None:
        raise Refusal(401, "The jwt is not signed with the API key, or it has expired")
    return {**call.body, **{name: signed[name] for name in RULES if name in signed}}


def _find_course(platform: Platform, assignment_id: str) -> Doc | None:
    """The course that holds the assignment, if the id is that of one."""
    held = platform.courses.find_part(assignment_id, Level.TOPIC)
    return held.course if held and held.doc["type"] == TopicType.ASSIGNMENT else None


def _reason_against(platform: Platform, learner: Doc, course: Doc) -> str | None:
    """Why a right request cannot be recorded. Which these are is not shown: those of accounts that
    are disabled or have lost their access to the course; who was never enrolled may submit."""
    if learner["disabled"]:
        return "The learner's account is disabled"
    if is_shut_out(platform, learner["id"], course["id"]):
        return "The learner no longer has access to the course of the assignment"
    return None
