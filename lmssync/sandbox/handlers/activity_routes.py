"""External activity and attempts of learners.

Activity is on an assignment, which leads back to where the learner came from (spec 4), on a
learning path (spec 3, 4), or on a course, which completes it (O55). `attempt.list` shows the
attempts at assessments (O54); `attempt.forgive` marks one as passed (spec 3, 4).
"""

from typing import Any
from urllib.parse import quote, urlsplit

from ...vocabulary.enums import AssignmentActivityStatus, EventKind, PathActivityStatus, TopicType
from .. import value_checks
from ..api_keys import claims_of
from ..data.object_documents import Level
from ..http_messages import Answer, Refusal, bad_request, not_found
from ..people.enrollments import (
    emit_attempt,
    is_shut_out,
    keep_submission,
    path_entry,
    show_attempt,
)
from ..people.event_feed import Happened, emit_for
from ..sandbox_documents import Doc
from ..sandbox_platform import Call, Platform
from ..value_checks import (
    V2,
    InvalidValue,
    Rule,
    collect_fields,
    error_path,
    new_fields,
    quote_value,
)
from .course_fields import require_courses
from .list_pages import page_by_cursor
from .user_routes import Accounts, Identifiers, may_see
from .user_writes import check_email

HOME = "/learn"
_URL_SAFE = "/:?#[]@!$&'()*+,;=%~"
"""What stays as it is in a Location header."""


def relative_url(value: Any) -> str:
    """An address of this platform: nothing that leads a browser elsewhere, backslashes included."""
    text = value_checks.check_title(value)
    if text != text.strip() or not text.isprintable() or "\\" in text:
        raise InvalidValue(
            f"is {quote_value(text)}; it must be a relative URL such as /learn/courses"
        )
    try:
        parts = urlsplit(text)
    except ValueError:
        raise InvalidValue(f"is {quote_value(text)}; it must be a URL") from None
    if parts.scheme or parts.netloc or text.startswith("//"):
        raise InvalidValue(
            f"is {quote_value(text)}; it must be a relative URL such as /learn/courses"
        )
    return text


ASSIGNMENT_RULES: dict[str, Rule] = {
    "status": value_checks.one_of(AssignmentActivityStatus),
    "assignmentId": value_checks.check_uuid,
    "learnerId": value_checks.check_uuid,
    "grade": value_checks.check_number,
    "gradeFeedback": value_checks.check_text,
    "returnUrl": relative_url,
}
ASSIGNMENT_NEEDED = ("status", "assignmentId", "learnerId")


def record_assignment_activity(platform: Platform, call: Call) -> Answer:
    """302 to where the learner came from, without a body."""
    fields, errors = collect_fields(
        _read_attributes(platform, call), ASSIGNMENT_RULES, needed=ASSIGNMENT_NEEDED, words=V2
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
    return {**call.body, **{name: signed[name] for name in ASSIGNMENT_RULES if name in signed}}


def _find_course(platform: Platform, assignment_id: str) -> Doc | None:
    """The course that holds the assignment, if the id is that of one."""
    part = platform.courses.find_part(assignment_id, Level.TOPIC)
    return part.course if part and part.doc["type"] == TopicType.ASSIGNMENT else None


def _reason_against(platform: Platform, learner: Doc, course: Doc) -> str | None:
    """Why a right request cannot be recorded. Which these are is not shown: those of accounts that
    are disabled or have lost their access to the course; who was never enrolled may submit."""
    if learner["disabled"]:
        return "The learner's account is disabled"
    if is_shut_out(platform, learner["id"], course["id"]):
        return "The learner no longer has access to the course of the assignment"
    return None


FINISHED = "completed"
"""`status` of an attempt that has none of its own: the sandbox keeps attempts that are over."""


def list_attempts(platform: Platform, call: Call) -> Answer:
    """Oldest first; a key of scope `client` sees those of its clients' learners."""
    attempts = platform.objects.list_objects("attempts")
    if call.key.scope == "client":
        users = {user["id"]: user for user in platform.objects.list_objects("users")}
        whose = ((one, users.get(one["userId"])) for one in attempts)
        attempts = [one for one, user in whose if user is not None and may_see(call.key, user)]
    return page_by_cursor(
        platform,
        call,
        "assessmentAttempts",
        items=attempts,
        place=lambda attempt: [str(attempt.get("at") or ""), attempt["id"]],
        show=_show_measured_attempt,
    )


def forgive_attempt(platform: Platform, call: Call) -> Answer:
    """Passed and forgiven; the grade stays as it was recorded. A second time changes nothing.

    Not shown: an attempt that was passed is marked forgiven too.
    """
    if call.body:
        raise bad_request("The body must be an empty object")
    attempt = platform.objects.get_object("attempts", call.path["id"])
    user = platform.objects.get_object("users", attempt["userId"]) if attempt else None
    if attempt is None or user is None or not may_see(call.key, user):
        raise not_found("assessment attempt", call.path["id"])
    if not attempt["forgiven"]:
        attempt |= {"passed": True, "forgiven": True}
        platform.objects.save_object("attempts", attempt)
        emit_attempt(platform, user, attempt)
    return Answer(show_attempt(attempt))


def _show_measured_attempt(attempt: Doc) -> Doc:
    """The record of spec 2.6, and what was measured; the sandbox asks no questions itself."""
    return {
        **show_attempt(attempt),
        "status": attempt.get("status") or FINISHED,
        "timeElapsedInSeconds": attempt.get("timeElapsedInSeconds"),
        "answers": attempt.get("answers") or [],
    }


COMPLETED = PathActivityStatus.COMPLETED
COMPLETION, TIMESTAMP = "completionDate", "timeStampDate"

PATH_RULES: dict[str, Rule] = {
    "userId": value_checks.check_title,
    "learningPathId": value_checks.check_uuid,
    "status": value_checks.one_of(PathActivityStatus),
    COMPLETION: value_checks.check_date,
    TIMESTAMP: value_checks.check_date,
}
_HAPPENED = {
    PathActivityStatus.COMPLETED: Happened.COMPLETED,
    PathActivityStatus.STARTED: Happened.STARTED,
}
"""Which event a status is; the other two are changes of status."""


def record_path_activity(platform: Platform, call: Call) -> Answer:
    """200 with an empty body; 400 says all that is wrong."""
    fields, errors = collect_fields(
        call.body, PATH_RULES, needed=("userId", "learningPathId"), words=V2
    )
    errors += _date_errors(call.body, completed=call.body.get("status") in (None, COMPLETED))
    fields.setdefault("status", COMPLETED)
    user = platform.objects.get_object("users", fields.get("userId", ""))
    if "userId" in fields and not (user and may_see(call.key, user)):
        errors.append(f"userId: {quote_value(fields['userId'])} is not a user of this company")
    path_id = fields.get("learningPathId")
    if path_id and not platform.objects.has_object("learningPaths", path_id):
        errors.append(f'learningPathId: "{path_id}" is not a learning path of this company')
    if errors or user is None:
        raise bad_request(*errors)
    _keep_activity(platform, user, fields)
    return Answer()


def _date_errors(body: Doc, *, completed: bool) -> list[str]:
    """Each of the two dates goes with its own statuses."""
    if completed and body.get(TIMESTAMP) is not None:
        return [f"{TIMESTAMP}: cannot be given when the status is completed or missing"]
    if not completed and body.get(COMPLETION) is not None:
        return [f"{COMPLETION}: can only be given when the status is completed"]
    return []


def _keep_activity(platform: Platform, user: Doc, fields: Doc) -> None:
    """The newest activity is the status; a path the learner is not enrolled in is added to the
    profile without an enrollment (not shown)."""
    path_id, status = fields["learningPathId"], fields["status"]
    moment = fields.get(COMPLETION) or fields.get(TIMESTAMP) or platform.clock.format_now()
    kind = "learningPathActivities"
    activities = platform.objects.list_owned(kind, user["id"])
    known = next((one for one in activities if one["learningPathId"] == path_id), None)
    named = known or {"userId": user["id"], "learningPathId": path_id}
    platform.objects.keep_object(kind, {**named, "status": status, "at": moment})
    entry = path_entry(user, path_id)
    if entry is None:
        entry = {"learningPathId": path_id}
        user["allocatedLearningPaths"].append(entry)
    entry["status"] = status
    platform.objects.save_object("users", user)
    happened = _HAPPENED.get(PathActivityStatus(status), Happened.STATUS_CHANGED)
    details = {"type": happened, "status": status, "source": "external", "activityAt": moment}
    emit_for(platform, user, EventKind.LEARNING_PATH_ACTION, learningPathId=path_id, **details)


COURSE_RULES: dict[str, Rule] = {"courseId": value_checks.check_uuid, "userEmail": check_email}


def record_course_activity(platform: Platform, call: Call) -> Answer:
    """200 with an empty body, as the activity on a learning path has it."""
    fields = new_fields(call.body, COURSE_RULES, COURSE_RULES)
    with error_path("courseId"):
        require_courses(platform, [fields["courseId"]])
    user = Accounts(platform, call.key).find_account(Identifiers(email=fields["userEmail"]))
    if user is None:
        raise bad_request(
            f"userEmail: {quote_value(fields['userEmail'])} is not a user of this company"
        )
    if user["disabled"]:
        raise bad_request("userEmail: the account of this user is disabled")
    if is_shut_out(platform, user["id"], fields["courseId"]):
        raise bad_request("userEmail: this user no longer has access to the course")
    _complete_course(platform, user, fields["courseId"])
    return Answer()


def _complete_course(platform: Platform, user: Doc, course_id: str) -> None:
    """Progress, transcript and event, once: who has completed the course stays as they are."""
    rows = platform.objects.list_owned("progress", user["id"])
    before = next((row for row in rows if row["courseId"] == course_id), None)
    if before and before.get("completedAt"):
        return
    stamp = platform.clock.format_now()
    done = {"percent": 100, "updatedAt": stamp, "completedAt": stamp}
    about = {"userId": user["id"], "courseId": course_id}
    platform.objects.keep_object("progress", {**(before or {**about, "startedAt": stamp}), **done})
    platform.objects.add_object("transcripts", {**about, "completedAt": stamp})
    details = {"type": Happened.COMPLETED, "source": "external"}
    emit_for(platform, user, EventKind.COURSE_ACTION, courseId=course_id, **details)
