"""The command `attempts`: adds assessment attempts of learners."""

from functools import partial
from typing import Any

from lmssync.vocabulary.enums import CriterionType

from .. import checks
from ..checks import Rule, Wrong, at, each, new_fields
from ..composition import Sandbox
from ..data.ids import Level
from ..documents import Doc
from ..handlers.criteria import TOPIC_TYPES
from ..http import Answer
from ..people.attempts import as_wire, record
from ..platform import Platform
from .body import Query, body_fields

MADE = TOPIC_TYPES[CriterionType.COURSE_ASSESSMENT_PASSED]
"""The topics an attempt can be made at."""

RULES: dict[str, Rule] = {
    "userId": checks.uuid,
    "courseId": checks.uuid,
    "assessmentId": checks.uuid,
    "grade": checks.whole(0),
    "passed": checks.flag,
}


def make_attempts(sandbox: Sandbox, body: Doc, _query: Query) -> Answer:
    """`{"attempts": [{"userId", "assessmentId", "grade", "passed", "courseId"}, ...]}` or one of
    them; `courseId` may be left out. Adds all or none."""
    if "attempts" in body:
        entries = body_fields(body, {"attempts": checks.many}).get("attempts", [])
    else:
        entries = [body]
    with sandbox.platform.store.change(), at("attempts"):
        made = each(entries, partial(_make, sandbox.platform))
    return Answer({"attempts": [as_wire(attempt) for attempt in made]})


def _make(platform: Platform, value: Any) -> Doc:
    needed = ("userId", "assessmentId", "grade", "passed")
    fields = new_fields(checks.json_object(value), RULES, needed)
    user = platform.objects.get("users", fields["userId"])
    if user is None:
        raise Wrong(f'"{fields["userId"]}" is not a user of this company', "userId")
    held = platform.courses.held(fields["assessmentId"], Level.TOPIC)
    if held is None or held.doc["type"] not in MADE:
        allowed = ", ".join(sorted(MADE))
        raise Wrong(f"it must be the id of a topic of type {allowed}", "assessmentId")
    if fields.get("courseId") not in (None, held.course["id"]):
        raise Wrong(f"the assessment belongs to the course {held.course['id']}", "courseId")
    result = {"grade": fields["grade"], "passed": fields["passed"]}
    return record(platform, user, course=held.course, assessment=held.doc, **result)
