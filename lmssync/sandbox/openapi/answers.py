"""What each route answers when it has done what was asked."""

from collections.abc import Callable, Mapping

from ..platform import Platform
from . import extended_records as extended, records, schema as s
from .schema import Schema

Success = tuple[int, Schema | None]
"""A status and the shape of its body; None is an empty one."""
Answer = Callable[[Platform], Success]

_PAGED = {"perPage": s.INTEGER, "currentPage": s.INTEGER, "total": s.INTEGER, "hasMore": s.BOOLEAN}
_BY_PAGE = s.record("PageInfo", **_PAGED)
_BY_EITHER = s.record("PageOrCursorInfo", optional=["cursor"], **_PAGED, cursor=s.STRING)
_BY_CURSOR = s.record("CursorInfo", total=s.INTEGER, cursor=s.nullable(s.STRING), hasMore=s.BOOLEAN)
_OF_EVENTS = s.record("EventInfo", optional=["cursor"], cursor=s.STRING, hasMore=s.BOOLEAN)
_MISTAKEN = s.record("Mistaken", errors=s.array(s.STRING, minItems=1))


def _ok(schema: Schema, status: int = 200) -> Answer:
    return lambda _platform: (status, schema)


def _created(schema: Schema) -> Answer:
    return lambda platform: (int(platform.switches.createStatus), schema)


def _empty(status: int) -> Answer:
    return lambda _platform: (status, None)


def _listed(key: str, item: Schema, info: Schema) -> Answer:
    """A v2 list in the envelope of the switch `listEnvelope` (O44)."""
    shapes = {
        "bare": s.array(item),
        "data": s.record(pageInfo=info, data=s.array(item)),
        "key": s.record(pageInfo=info, **{key: s.array(item)}),
    }
    return lambda platform: (200, shapes[platform.switches.listEnvelope])


def _or_mistaken(answer: Answer) -> Answer:
    """200 with `errors` where the extended profile tells the kind of a wrong id (O29)."""

    def success(platform: Platform) -> Success:
        status, schema = answer(platform)
        assert schema is not None  # `errors` need a body
        return status, s.any_of(schema, _MISTAKEN) if platform.profile == "extended" else schema

    return success


def _user(platform: Platform) -> Success:
    if platform.switches.missingUser != "errors":
        return 200, records.USER
    message = s.record("MissingUserError", message=s.STRING)
    return 200, s.any_of(records.USER, s.record("MissingUser", errors=s.array(message)))


def _clone(platform: Platform) -> Success:
    data = s.record(APICloneClient=records.JOB)
    return int(platform.switches.cloneStatus), s.record(data=data)


def _of_content(flat: Schema, nested: Schema) -> Answer:
    """As the switch `fullContent` says."""
    return lambda platform: (200, flat if platform.switches.fullContent == "flat" else nested)


def _part(name: str, like: Schema, *fields: str, **more: Schema) -> Schema:
    """An object that holds at least these fields of another, and more of its own."""
    return s.open_record(name, **{field: like["properties"][field] for field in fields}, **more)


_FULL_TOPIC = _part("FullTopic", records.TOPIC_ITEM, "id", "title", "type", "updatedAt")
_FULL_LESSON = _part("FullLesson", extended.LESSON, "id", topics=s.array(_FULL_TOPIC))
_FULL_SECTION = _part("FullSection", extended.SECTION, "id", lessons=s.array(_FULL_LESSON))
_FULL_COURSE = _of_content(
    _part("FlatCourse", records.SESSION, "id", "title", "status"),
    s.record("FullCourse", **records.SESSION["properties"], sections=s.array(_FULL_SECTION)),
)
_REFUSED_CRITERION = s.record(
    "RefusedCriterion",
    courseId=s.nullable(s.STRING),
    type=s.nullable(s.STRING),
    error=s.STRING,
    record=s.STRING,
)
_CRITERIA = s.record(
    createdCount=s.INTEGER,
    updatedCount=s.INTEGER,
    errors=s.array(_REFUSED_CRITERION),
    warnings=s.array(s.STRING),
)
_CREATED = s.record(
    optional=["backgroundJob"],
    courseIds=s.array(s.UUID),
    courseGroupIds=s.array(s.UUID),
    backgroundJob=records.JOB,
)
_ASSIGNED = s.record(
    data=s.record(jobId=s.UUID, totalCount=s.INTEGER, unresolvedIdentifiers=s.array(s.STRING))
)
_ASSETS = s.record(data=s.record(items=s.array(records.ASSET), nextCursor=s.nullable(s.STRING)))
_RELEASED = s.record(id=s.UUID, status=s.enum(("draft", "pending", "published")))
_COURSE = _or_mistaken(_ok(records.COURSE))

ANSWERS: Mapping[str, Answer] = {
    "ping": _ok(s.record(valid=s.BOOLEAN)),
    "course.create": _created(_CREATED),
    "course.update": _ok(s.record(optional=["backgroundJob"], backgroundJob=records.JOB)),
    "course.read": _COURSE,
    "course.structure": _COURSE,
    "course.full": _or_mistaken(_FULL_COURSE),
    "topic.list": _listed("topics", records.TOPIC_ITEM, _BY_CURSOR),
    "criteria.update": _ok(_CRITERIA),
    "criteria.list": _or_mistaken(_listed("completionCriteria", records.CRITERION, _BY_PAGE)),
    "client.list": _listed("clients", records.CLIENT, _BY_CURSOR),
    "client.clone": _clone,
    "client.status": _ok(records.CLIENT),
    "license.create": _created(records.LICENSE),
    "license.update": _ok(records.LICENSE),
    "license.delete": _ok(records.LICENSE),
    "license.list": _listed("licenses", records.LICENSE, _BY_PAGE),
    "user.read": _user,
    "sublicense.assign": _ok(_ASSIGNED, 202),
    "tag.list": _listed("tags", records.TAG, _BY_PAGE),
    "location.list": _listed("locations", records.LOCATION, _BY_CURSOR),
    "asset.list": _ok(_ASSETS),
    "job.read": _ok(records.JOB),
    "path.create": _ok(s.record(data=records.PURCHASE_PATH), 201),
    "path.list": _ok(s.record(data=s.array(records.PURCHASE_PATH))),
    "event.list": _listed("events", records.EVENT, _OF_EVENTS),
    "attempt.forgive": _ok(records.ATTEMPT),
    "activity.learningPath": _empty(200),
    "activity.assignment": _empty(302),
    "group.list": _listed("courseGroups", records.GROUP, _BY_EITHER),
    "group.read": _or_mistaken(_ok(records.GROUP)),
    "group.bySlug": _ok(records.GROUP),
    "group.courses": _or_mistaken(_listed("courses", records.SESSION, _BY_EITHER)),
    "group.displayCourse": _or_mistaken(_ok(records.SESSION)),
    "section.list": _or_mistaken(_listed("sections", extended.SECTION_ITEM, _BY_EITHER)),
    "section.read": _or_mistaken(_ok(extended.SECTION)),
    "section.lessons": _or_mistaken(_listed("lessons", extended.LESSON_ITEM, _BY_EITHER)),
    "lesson.list": _or_mistaken(_listed("lessons", extended.LESSON_ITEM, _BY_EITHER)),
    "lesson.read": _or_mistaken(_ok(extended.LESSON)),
    "topic.read": _or_mistaken(_ok(extended.TOPIC)),
    "learningPath.full": _or_mistaken(_of_content(extended.PATH_FLAT, extended.PATH_NESTED)),
    "user.list": _listed("users", records.USER, _BY_CURSOR),
    "user.create": _created(records.USER),
    "user.change": _ok(records.USER),
    "attempt.list": _listed("assessmentAttempts", extended.ATTEMPT_ITEM, _BY_CURSOR),
    "meeting.list": _listed("meetings", extended.MEETING, _BY_CURSOR),
    "coupon.list": _listed("coupons", extended.COUPON, _BY_CURSOR),
    "activity.course": _empty(200),
    "content.search": _listed("contentItems", extended.CONTENT_ITEM, _BY_CURSOR),
    "content.release": _or_mistaken(_ok(_RELEASED)),
}
