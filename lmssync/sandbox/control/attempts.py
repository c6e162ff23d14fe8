"""The command `attempts`: adds assessment attempts of learners."""

from functools import partial
from typing import Any

from lmssync.vocabulary.enums import CriterionType

from .. import checks
from ..checks import Rule, Wrong, at, check_each, new_fields
from ..data.document_ids import Level
from ..handlers.criteria import TOPIC_TYPES
from ..http_exchange import Answer
from ..people.enrollments import as_wire, record_attempt
from ..running_sandbox import Sandbox
from ..sandbox_documents import Doc
from ..sandbox_platform import Platform
from .body import Query, body_fields

MADE = TOPIC_TYPES[CriterionType.COURSE_ASSESSMENT_PASSED]
"""The topics an attempt can be made at."""

RULES: dict[str, Rule] = {
    "userId": checks.check_uuid,
    "courseId": checks.check_uuid,
    "assessmentId": checks.check_uuid,
    "grade": checks.whole_number_between(0),
    "passed": checks.check_flag,
}


def make_attempts(sandbox: Sandbox, body: Doc, _query: Query) -> Answer:
    """`{"attempts": [{"userId", "assessmentId", "grade", "passed", "courseId"}, ...]}` or one of
    them; `courseId` may be left out. Adds all or none."""
    if "attempts" in body:
        entries = body_fields(body, {"attempts": checks.check_list}).get("attempts", [])
    else:
        entries = [body]
    with sandbox.platform.store.open_change(), at("attempts"):
        made = check_each(entries, partial(_make_attempt, sandbox.platform))
    return Answer({"attempts": [as_wire(attempt) for attempt in made]})


def _make_attempt(platform: Platform, value: Any) -> Doc:
    needed = ("userId", "assessmentId", "grade", "passed")
    fields = new_fields(checks.json_object(value), RULES, needed)
    user = platform.objects.get_object("users", fields["userId"])
    if user is None:
        raise Wrong(f'"{fields["userId"]}" is not a user of this company', "userId")
    held = platform.courses.find_part(fields["assessmentId"], Level.TOPIC)
    if held is None or held.doc["type"] not in MADE:
        allowed = ", ".join(sorted(MADE))
        raise Wrong(f"it must be the id of a topic of type {allowed}", "assessmentId")
    if fields.get("courseId") not in (None, held.course["id"]):
        raise Wrong(f"the assessment belongs to the course {held.course['id']}", "courseId")
    result = {"grade": fields["grade"], "passed": fields["passed"]}
    return record_attempt(platform, user, course=held.course, assessment=held.doc, **result)
