"""External activity on a learning path (spec 3, 4), or on a course, which completes it (O55)."""

from lmssync.vocabulary.enums import EventKind, PathActivityStatus

from .. import checks
from ..checks import V2, Rule, at, collect_fields, new_fields, quote_value
from ..http_exchange import Answer, bad_request
from ..people.accounts import Accounts, Identifiers, may_see
from ..people.enrollments import is_shut_out, path_entry
from ..people.event_feed import Happened, emit_for
from ..sandbox_documents import Doc
from ..sandbox_platform import Call, Platform
from .course_fields import require_courses
from .users import check_email

COMPLETED = PathActivityStatus.COMPLETED
COMPLETION, TIMESTAMP = "completionDate", "timeStampDate"

PATH_RULES: dict[str, Rule] = {
    "userId": checks.check_title,
    "learningPathId": checks.check_uuid,
    "status": checks.one_of(PathActivityStatus),
    COMPLETION: checks.check_date,
    TIMESTAMP: checks.check_date,
}
_HAPPENED = {
    PathActivityStatus.COMPLETED: Happened.COMPLETED,
    PathActivityStatus.STARTED: Happened.STARTED,
}
"""Which event a status is; the other two are changes of status."""


def record_path(platform: Platform, call: Call) -> Answer:
    """200 with an empty body; 400 says all that is wrong."""
    fields, errors = collect_fields(
        call.body, PATH_RULES, needed=("userId", "learningPathId"), words=V2
    )
    errors += _date_errors(call.body, completed=call.body.get("status") in (None, COMPLETED))
    fields.setdefault("status", COMPLETED)
    user = platform.objects.get_object("users", fields.get("userId", ""))
    if "userId" in fields and not (user and may_see(call.key, user)):
        errors.append(
            f"userId: {checks.quote_value(fields['userId'])} is not a user of this company"
        )
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
    activities = platform.objects.list_owned("learningPathActivities", user["id"])
    known = next((one for one in activities if one["learningPathId"] == path_id), None)
    named = known or {"userId": user["id"], "learningPathId": path_id}
    platform.objects.keep_object(
        "learningPathActivities", {**named, "status": status, "at": moment}
    )
    entry = path_entry(user, path_id)
    if entry is None:
        entry = {"learningPathId": path_id}
        user["allocatedLearningPaths"].append(entry)
    entry["status"] = status
    platform.objects.save_object("users", user)
    happened = _HAPPENED.get(PathActivityStatus(status), Happened.STATUS_CHANGED)
    details = {"type": happened, "status": status, "source": "external", "activityAt": moment}
    emit_for(platform, user, EventKind.LEARNING_PATH_ACTION, learningPathId=path_id, **details)


COURSE_RULES: dict[str, Rule] = {"courseId": checks.check_uuid, "userEmail": check_email}


def record_course(platform: Platform, call: Call) -> Answer:
    """200 with an empty body, as the activity on a learning path has it."""
    fields = new_fields(call.body, COURSE_RULES, COURSE_RULES)
    _complete_course(platform, _find_learner(platform, call, fields), fields["courseId"])
    return Answer()


def _find_learner(platform: Platform, call: Call, fields: Doc) -> Doc:
    """Who is meant, if the activity can be recorded (not shown): as it is with assignments."""
    with at("courseId"):
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
    return user


def _complete_course(platform: Platform, user: Doc, course_id: str) -> None:
    """Progress, transcript and event, once: who has completed the course stays as they are."""
    stamp = platform.clock.format_now()
    rows = platform.objects.list_owned("progress", user["id"])
    before = next((row for row in rows if row["courseId"] == course_id), None)
    if before and before.get("completedAt"):
        return
    done = {"percent": 100, "updatedAt": stamp, "completedAt": stamp}
    about = {"userId": user["id"], "courseId": course_id}
    platform.objects.keep_object("progress", {**(before or {**about, "startedAt": stamp}), **done})
    platform.objects.add_object("transcripts", {**about, "completedAt": stamp})
    details = {"type": Happened.COMPLETED, "source": "external"}
    emit_for(platform, user, EventKind.COURSE_ACTION, courseId=course_id, **details)
