"""`activity.course`: external activity on a course, which completes it (O55)."""

from lmssync.vocabulary.enums import EventKind

from .. import checks
from ..call import Call
from ..checks import Rule, at, new_fields, shown
from ..documents import Doc
from ..http import Answer, bad
from ..people import learners
from ..people.accounts import Accounts, Identifiers
from ..people.feed import Happened, tell
from ..platform import Platform
from .course_fields import require_courses
from .users import email

RULES: dict[str, Rule] = {"courseId": checks.uuid, "userEmail": email}


def record(platform: Platform, call: Call) -> Answer:
    """200 with an empty body, as the activity on a learning path has it."""
    fields = new_fields(call.body, RULES, RULES)
    _complete(platform, _learner(platform, call, fields), fields["courseId"])
    return Answer()


def _learner(platform: Platform, call: Call, fields: Doc) -> Doc:
    """Who is meant, if the activity can be recorded (not shown): as it is with assignments."""
    with at("courseId"):
        require_courses(platform, [fields["courseId"]])
    user = Accounts(platform, call.key).find(Identifiers(email=fields["userEmail"]))
    if user is None:
        raise bad(f"userEmail: {shown(fields['userEmail'])} is not a user of this company")
    if user["disabled"]:
        raise bad("userEmail: the account of this user is disabled")
    if learners.is_shut_out(platform, user["id"], fields["courseId"]):
        raise bad("userEmail: this user no longer has access to the course")
    return user


def _complete(platform: Platform, user: Doc, course_id: str) -> None:
    """Progress, transcript and event, once: who has completed the course stays as they are."""
    stamp = platform.clock.stamp()
    rows = platform.objects.owned("progress", user["id"])
    before = next((row for row in rows if row["courseId"] == course_id), None)
    if before and before.get("completedAt"):
        return
    done = {"percent": 100, "updatedAt": stamp, "completedAt": stamp}
    about = {"userId": user["id"], "courseId": course_id}
    platform.objects.keep("progress", {**(before or {**about, "startedAt": stamp}), **done})
    platform.objects.add("transcripts", {**about, "completedAt": stamp})
    details = {"type": Happened.COMPLETED, "source": "external"}
    tell(platform, user, EventKind.COURSE_ACTION, courseId=course_id, **details)
