"""Completion criteria: `criteria.update` creates and changes them entry by entry (spec 2.3, 4).

`criteria.list` shows them as all reads do (O25).
"""

from functools import partial
from typing import Any

import orjson

from ...vocabulary.enums import (
    PERCENT_CRITERIA,
    TOPIC_CRITERIA,
    CriterionType,
    TopicType,
    criterion_sentence,
)
from ...vocabulary.limits import PERCENT_LEAST, PERCENT_MOST
from .. import value_checks
from ..data.course_tables import CoursePart, find_child
from ..data.object_documents import Level
from ..http_messages import Answer, bad_request
from ..sandbox_documents import Doc
from ..sandbox_platform import Call, Platform
from ..value_checks import InvalidValue, Rule, error_path, quote_value, require_fields
from .course_create import keep_changed_part
from .course_fields import require_courses
from .id_lookup import course_of_path
from .list_pages import page_by_number

VALUE_FIELDS = (*(kind.value for kind in CriterionType), "videoTopicId")
"""Every field that holds the value of some type."""


def show_criterion(criterion: Doc, *, course: str) -> Doc:
    """A criterion as answers show it: `course` for `courseId`, null for fields of other types."""
    kind = CriterionType(criterion["type"])
    return {
        "id": criterion["id"],
        "course": course,
        "type": kind,
        "description": criterion_sentence(kind, criterion.get(kind)),
        **{name: criterion.get(name) for name in VALUE_FIELDS},
    }


def list_criteria(platform: Platform, call: Call) -> Answer:
    """By page, oldest first; a group's id means its first session (O30)."""
    course = course_of_path(platform, call)
    items, show = course["criteria"], partial(show_criterion, course=course["id"])
    return page_by_number(platform, call, "completionCriteria", items=items, show=show)


VIDEO_TOPIC = "videoTopicId"

VALUE_RULES: dict[str, Rule] = {
    **dict.fromkeys(
        sorted(PERCENT_CRITERIA), value_checks.whole_number_between(PERCENT_LEAST, PERCENT_MOST)
    ),
    CriterionType.ARTICLE_TIME_VIEWED_IN_SECONDS: value_checks.whole_number_between(1),
    **dict.fromkeys(sorted(TOPIC_CRITERIA), value_checks.check_uuid),
    VIDEO_TOPIC: value_checks.check_uuid,
}
_ANY = frozenset(TopicType)
_ASSESSMENTS = frozenset({TopicType.QUIZ, TopicType.TEST, TopicType.SURVEY, TopicType.WORKBOOK})
TOPIC_TYPES: dict[str, frozenset[TopicType]] = {
    VIDEO_TOPIC: frozenset({TopicType.VIDEO}),
    CriterionType.COURSE_TOPIC_VIEWED: _ANY,
    CriterionType.COURSE_ASSESSMENT_PASSED: _ASSESSMENTS,
    CriterionType.COURSE_ASSIGNMENT_COMPLETE: frozenset({TopicType.ASSIGNMENT}),
    CriterionType.COURSE_MEETING_ATTENDED: frozenset(
        {TopicType.IN_PERSON_EVENT, TopicType.MEETING_INFO}
    ),
    CriterionType.SCORM_COMPLETE: frozenset({TopicType.SHAREABLE_CONTENT_OBJECT}),
    CriterionType.X_API_COMPLETE: frozenset({TopicType.X_API_OBJECT}),
    CriterionType.SURVEY_TOOL_COMPLETE: frozenset({TopicType.SURVEY_TOOL}),
    CriterionType.PARTNER_ASSIGNMENT_COMPLETED: frozenset({TopicType.PARTNER}),
    CriterionType.PROCTORED_TOPIC_COMPLETE: _ANY,
}
"""Which topics a criterion can be about."""


def update_criteria(platform: Platform, call: Call) -> Answer:
    """Each entry is handled alone: errors of one are listed in `errors`, the others are done."""
    entries = call.body.get("criteria")
    if not isinstance(entries, list):
        raise bad_request(f"criteria: is {quote_value(entries)}; it must be a list of entries")
    created = updated = 0
    errors: list[Doc] = []
    warnings: list[str] = []
    for index, entry in enumerate(entries):
        skipped: list[str] = []
        try:
            with error_path("criteria", index):
                new = update_one(platform, entry, skipped)
            created, updated = created + new, updated + (not new)
        except InvalidValue as wrong:
            errors.append(_entry_error(platform, entry, str(wrong)))
        warnings += [f"criteria[{index}].{text}" for text in skipped]
    counts = {"createdCount": created, "updatedCount": updated}
    return Answer({**counts, "errors": errors, "warnings": warnings})


def _entry_error(platform: Platform, entry: Any, message: str) -> Doc:
    """What was wrong with an entry. The error of an entry that only names a criterion has the
    course and the type of that criterion; null if they are not known."""
    fields = entry if isinstance(entry, dict) else {}
    part = _find_criterion(platform, fields.get("id"))
    known = {"courseId": part.course["id"], "type": part.doc["type"]} if part else {}
    named = {name: fields[name] for name in ("courseId", "type") if name in fields}
    return {
        "courseId": None,
        "type": None,
        **known,
        **{name: value for name, value in named.items() if isinstance(value, str)},
        "error": message,
        "record": orjson.dumps(entry).decode(),
    }


def update_one(platform: Platform, value: Any, skipped: list[str]) -> bool:
    """Create or change one criterion; True if it was created.

    A field that is passed over is added to `skipped`, with the reason. Raises InvalidValue and
    changes nothing.
    """
    entry = value_checks.json_object(value)
    course, before = _find_subject(platform, entry)
    kind = _criterion_type(entry, before)
    values = _read_values(entry, kind, skipped)
    if before is not None and before["type"] == kind:
        values = {**{name: before[name] for name in VALUE_FIELDS if name in before}, **values}
    _require_values(course, kind, values)
    if before is not None:
        id_ = before["id"]
        before.clear()  # the values of another type go
        before.update({"id": id_, "type": kind, **values})
    else:
        course["lastNumber"] += 1
        serial = platform.courses.serial_of(course)
        id_ = platform.ids.make_id(Level.CRITERION, serial, course["lastNumber"])
        course["criteria"].append({"id": id_, "type": kind, **values})
    keep_changed_part(platform, course)
    return before is None


def _find_subject(platform: Platform, entry: Doc) -> tuple[Doc, Doc | None]:
    """What an entry is about: the course, and the criterion where it names one."""
    if entry.get("id") is None:
        require_fields(entry, ("courseId", "type"))
        return _find_course(platform, entry["courseId"]), None
    with error_path("id"):
        id_ = value_checks.check_uuid(entry["id"])
    part = _find_criterion(platform, id_)
    if part is None:
        raise InvalidValue(f'"{id_}" is not a completion criterion of this company', "id")
    if entry.get("courseId") not in (None, part.course["id"]):
        raise InvalidValue("the criterion belongs to another course", "courseId")
    return part.course, part.doc


def _find_criterion(platform: Platform, id_: Any) -> CoursePart | None:
    return platform.courses.find_part(id_, Level.CRITERION) if isinstance(id_, str) else None


def _find_course(platform: Platform, value: Any) -> Doc:
    with error_path("courseId"):
        id_ = value_checks.check_uuid(value)
        require_courses(platform, [id_])
    course = platform.courses.find_by_id(id_)
    assert course is not None  # required
    return course


def _criterion_type(entry: Doc, criterion: Doc | None) -> str:
    kind = entry.get("type")
    if kind is None and criterion is not None:
        return str(criterion["type"])
    if isinstance(kind, str) and kind in list(CriterionType):
        return kind
    allowed = ", ".join(CriterionType)
    raise InvalidValue(f"{quote_value(kind)} is not accepted; it must be one of {allowed}", "type")


def _read_values(entry: Doc, kind: str, skipped: list[str]) -> Doc:
    """The value fields of the type; every other field is skipped with a warning."""
    wanted, values, reasons = _fields_of(kind), {}, []
    for name, value in entry.items():
        if name in ("id", "courseId", "type") or value is None:
            continue
        if name not in wanted:
            why = f"the type is {kind}" if name in VALUE_FIELDS else "no such field"
            reasons.append(f"{name[:60]}: skipped, {why}")
            continue
        with error_path(name):
            values[name] = VALUE_RULES[name](value)
    skipped += reasons
    return values


def _fields_of(kind: str) -> tuple[str, ...]:
    return (kind, VIDEO_TOPIC) if kind == CriterionType.VIDEO_PERCENT_VIEWED else (kind,)


def _require_values(course: Doc, kind: str, values: Doc) -> None:
    require_fields(values, _fields_of(kind))
    for name in _fields_of(kind):
        if name in TOPIC_TYPES:
            part = find_child(course, Level.TOPIC, values[name])
            if part is None:
                raise InvalidValue(f'"{values[name]}" is not a topic of the course', name)
            if (type_ := part.doc["type"]) not in TOPIC_TYPES[name]:
                allowed = ", ".join(sorted(TOPIC_TYPES[name]))
                message = f"the topic is of type {type_}; it must be one of {allowed}"
                raise InvalidValue(message, name)
