"""`criteria.update`: completion criteria, created and changed entry by entry (spec 2.3, 4)."""

from typing import Any, NamedTuple

import orjson

from lmssync.vocabulary.enums import PERCENT_CRITERIA, TOPIC_CRITERIA, CriterionType, TopicType
from lmssync.vocabulary.limits import PERCENT_LEAST, PERCENT_MOST

from .. import checks
from ..call import Call
from ..checks import Rule, Wrong, shown
from ..data.courses import child
from ..data.ids import Level
from ..http import Answer, bad
from ..platform import Platform
from .criterion_view import VALUE_FIELDS

Doc = dict[str, Any]
VIDEO_TOPIC = "videoTopicId"

VALUE_RULES: dict[str, Rule] = {
    **dict.fromkeys(PERCENT_CRITERIA, checks.whole(PERCENT_LEAST, PERCENT_MOST)),
    CriterionType.ARTICLE_TIME_VIEWED_IN_SECONDS: checks.whole(1),
    **dict.fromkeys(TOPIC_CRITERIA, checks.uuid),
    VIDEO_TOPIC: checks.uuid,
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


class Found(NamedTuple):
    """What an entry is about: the course, and the criterion where it names one."""

    serial: int
    course: Doc
    criterion: Doc | None


def update(platform: Platform, call: Call) -> Answer:
    """Each entry is handled alone: errors of one are listed in `errors`, the others are done."""
    entries = call.body.get("criteria")
    if not isinstance(entries, list):
        raise bad(f"criteria: is {shown(entries)}; it must be a list of entries")
    created = updated = 0
    errors: list[Doc] = []
    warnings: list[str] = []
    for index, entry in enumerate(entries):
        try:
            new = update_one(platform, entry, f"criteria[{index}]", warnings=warnings)
        except Wrong as wrong:
            errors.append(_error(platform, entry, str(wrong)))
            continue
        created, updated = created + new, updated + (not new)
    return Answer(
        {"createdCount": created, "updatedCount": updated, "errors": errors, "warnings": warnings}
    )


def _error(platform: Platform, entry: Any, message: str) -> Doc:
    """What was wrong with an entry. One that names a criterion and no more is told with the
    course and the type of that criterion; null if they are not known."""
    fields = entry if isinstance(entry, dict) else {}
    found = _of_criterion(platform, fields.get("id"))
    known = {}
    if found and found.criterion:
        known = {"courseId": found.course["id"], "type": found.criterion["type"]}
    said = {name: fields[name] for name in ("courseId", "type") if name in fields}
    told = {name: text for name, text in said.items() if isinstance(text, str)}
    return {
        "courseId": None,
        "type": None,
        **known,
        **told,
        "error": message,
        "record": orjson.dumps(entry).decode(),
    }


def update_one(platform: Platform, value: Any, place: str, *, warnings: list[str]) -> bool:
    """Create or change one criterion; True if it was created. Raises Wrong and changes nothing."""
    entry = checks.entry_object(value, place=place)
    found = _find(platform, entry, place=place)
    kind = _type(entry, found.criterion, place=place)
    values = _values(entry, kind, place=place, warnings=warnings)
    old = found.criterion
    kept = values if old is None or old["type"] != kind else {**_values_of(old), **values}
    _require_values(found.course, kind, kept, place=place)
    if old is not None:
        old_id = old["id"]
        old.clear()
        old.update({"id": old_id, "type": kind, **kept})
    else:
        found.course["lastNumber"] += 1
        id_ = platform.ids.make(Level.CRITERION, found.serial, found.course["lastNumber"])
        found.course["criteria"].append({"id": id_, "type": kind, **kept})
    found.course["updatedAt"] = platform.clock.stamp()
    platform.courses.save(found.serial, found.course)
    return old is None


def _find(platform: Platform, entry: Doc, *, place: str) -> Found:
    if entry.get("id") is None:
        checks.require(entry, ("courseId", "type"), place=place)
        return _found_course(platform, entry["courseId"], place=place)
    id_ = _uuid(entry["id"], place=f"{place}.id")
    found = _of_criterion(platform, id_)
    if found is None:
        raise Wrong(f'{place}.id: "{id_}" is not a completion criterion of this company')
    if entry.get("courseId") not in (None, found.course["id"]):
        raise Wrong(f"{place}.courseId: the criterion belongs to another course")
    return found


def _of_criterion(platform: Platform, id_: Any) -> Found | None:
    """The criterion with an id, and its course."""
    where = platform.courses.locate(id_) if isinstance(id_, str) else None
    course = (
        platform.courses.get(where.serial) if where and where.level is Level.CRITERION else None
    )
    criteria = course["criteria"] if course else []
    criterion = next((one for one in criteria if one["id"] == str(id_).lower()), None)
    if where is None or course is None or criterion is None:
        return None
    return Found(where.serial, course, criterion)


def _found_course(platform: Platform, value: Any, *, place: str) -> Found:
    id_ = _uuid(value, place=f"{place}.courseId")
    where = platform.courses.locate(id_)
    course = platform.courses.get(where.serial) if where and where.level is Level.COURSE else None
    if where is None or course is None:
        hint = " (it is the id of a course group)" if platform.courses.group_exists(id_) else ""
        raise Wrong(f'{place}.courseId: "{id_}" is not a course of this company{hint}')
    return Found(where.serial, course, None)


def _uuid(value: Any, *, place: str) -> str:
    try:
        return checks.uuid(value)
    except Wrong as wrong:
        raise Wrong(f"{place}: {wrong}") from None


def _type(entry: Doc, criterion: Doc | None, *, place: str) -> str:
    kind = entry.get("type")
    if kind is None and criterion is not None:
        return str(criterion["type"])
    if isinstance(kind, str) and kind in list(CriterionType):
        return kind
    allowed = ", ".join(CriterionType)
    raise Wrong(f"{place}.type: {shown(kind)} is not accepted; it must be one of {allowed}")


def _values(entry: Doc, kind: str, *, place: str, warnings: list[str]) -> Doc:
    """The value fields of the type; every other field is skipped with a warning."""
    wanted = _fields_of(kind)
    values = {}
    skipped = []
    for name, value in entry.items():
        if name in ("id", "courseId", "type") or value is None:
            continue
        if name not in wanted:
            why = f"the type is {kind}" if name in VALUE_FIELDS else "no such field"
            skipped.append(f"{place}.{name[:60]}: skipped, {why}")
            continue
        try:
            values[name] = VALUE_RULES[name](value)
        except Wrong as wrong:
            raise Wrong(f"{place}.{name}: {wrong}") from None
    warnings += skipped
    return values


def _fields_of(kind: str) -> tuple[str, ...]:
    return (kind, VIDEO_TOPIC) if kind == CriterionType.VIDEO_PERCENT_VIEWED else (kind,)


def _values_of(criterion: Doc) -> Doc:
    return {name: criterion[name] for name in VALUE_FIELDS if name in criterion}


def _require_values(course: Doc, kind: str, values: Doc, *, place: str) -> None:
    checks.require(values, _fields_of(kind), place=place)
    for name in _fields_of(kind):
        fitting = TOPIC_TYPES.get(name)
        if fitting is not None:
            _require_topic(course, values[name], fitting, place=f"{place}.{name}")


def _require_topic(course: Doc, id_: str, fitting: frozenset[TopicType], *, place: str) -> None:
    topic = child(course, Level.TOPIC, id_)
    if topic is None:
        raise Wrong(f'{place}: "{id_}" is not a topic of the course')
    if topic["type"] not in fitting:
        allowed = ", ".join(sorted(fitting))
        raise Wrong(f"{place}: the topic is of type {topic['type']}; it must be one of {allowed}")
