"""What each route answers when it has done what was asked."""

from collections.abc import Callable, Mapping

from ...vocabulary.enums import OpenType, SessionStatus, TopicType
from ..handlers import company_routes, content_routes
from ..sandbox_platform import Platform
from . import json_schemas as s, openapi_records
from .json_schemas import Schema
from .openapi_records import ATTEMPT, NULLABLE_TEXT, STAMPS, TAG, TOPIC_ITEM, record_of

_OF_COURSE = {"courseId": s.UUID, "courseTitle": s.STRING}
_NAMED = {"id": s.UUID, "title": s.STRING, "slug": s.STRING}
LESSON_ITEM = s.record_schema(
    "LessonItem",
    **_NAMED,
    accessLevel=s.nullable_schema(s.enum_schema(OpenType)),
    sectionId=s.UUID,
    sectionTitle=s.STRING,
    topicCount=s.INTEGER,
)
SECTION_ITEM = s.record_schema(
    "SectionItem",
    **_NAMED,
    status=s.enum_schema(SessionStatus),
    releaseAt=s.nullable_schema(s.DATE_TIME),
    parentSectionId=s.nullable_schema(s.UUID),
    lessonCount=s.INTEGER,
    lessons=s.array_schema(LESSON_ITEM),
)
SECTION = s.record_schema("SectionRead", **SECTION_ITEM["properties"], **_OF_COURSE)
_OUTLINE = s.record_schema("TopicOutline", id=s.UUID, title=s.STRING, type=s.enum_schema(TopicType))
LESSON = s.record_schema(
    "LessonRead", **LESSON_ITEM["properties"], **_OF_COURSE, topicOutline=s.array_schema(_OUTLINE)
)
TOPIC = s.record_schema(
    "TopicRead", **TOPIC_ITEM["properties"], lessonId=s.UUID, lessonTitle=s.STRING, **_OF_COURSE
)

CONTENT_ITEM = s.record_schema(
    "ContentItem",
    **{
        "id": s.UUID,
        "title": s.STRING,
        "language": NULLABLE_TEXT,
        **s.fields_with(NULLABLE_TEXT, *content_routes.OF_GROUP),
        **s.fields_with(s.nullable_schema(s.DATE_TIME), *content_routes.OF_SESSION),
        "sku": NULLABLE_TEXT,
        "priceInCents": s.nullable_schema(s.INTEGER),
        "ribbon": s.nullable_schema(s.record_schema("Ribbon", slug=s.STRING)),
        "tags": s.array_schema(TAG),
        **s.all_nullable(STAMPS),
        "courseGroupId": s.nullable_schema(s.UUID),
        **s.fields_with(s.enum_schema(content_routes.KINDS), "type", "kind"),
        "status": s.enum_schema(SessionStatus),
        "authorsAndInstructors": s.array_schema(s.STRING),
        "contentTypeLabel": NULLABLE_TEXT,
        "customFields": s.OBJECT,
        "freeWithRegistration": s.BOOLEAN,
        "seatsLimit": s.nullable_schema(s.INTEGER),
        "url": NULLABLE_TEXT,
        "enrollmentCount": s.INTEGER,
    },
)

_PATH = {"id": s.UUID, "title": s.STRING, "slug": NULLABLE_TEXT, "sku": NULLABLE_TEXT}
PATH_FLAT = s.open_record("FlatLearningPath", **_PATH)
_MILESTONE_COURSE = s.record_schema(
    "MilestoneCourse",
    id=s.UUID,
    courseGroupId=s.UUID,
    title=s.STRING,
    status=s.enum_schema(SessionStatus),
)
_MILESTONE = s.record_schema(
    "Milestone", name=s.STRING, milestoneCourses=s.array_schema(_MILESTONE_COURSE)
)
PATH_NESTED = s.record_schema("LearningPath", **_PATH, milestones=s.array_schema(_MILESTONE))

ATTEMPT_ITEM = s.record_schema(
    "AttemptItem",
    **ATTEMPT["properties"],
    status=s.STRING,
    timeElapsedInSeconds=s.nullable_schema(s.NUMBER),
    answers=s.array_schema({}),
)

_DATES = s.fields_with(s.nullable_schema(s.DATE_TIME), "startDate", "endDate")
MEETING = record_of(
    "Meeting",
    company_routes.MEETING_SHOWN,
    {
        "title": s.STRING,
        **s.fields_with(s.nullable_schema(s.UUID), "courseId", "topicId", "locationId"),
        **_DATES,
        "attendeesLimit": s.nullable_schema(s.INTEGER),
    },
)

COUPON = record_of(
    "Coupon",
    company_routes.COUPON_SHOWN,
    {
        "code": s.STRING,
        "percentOff": s.nullable_schema(s.NUMBER),
        **s.fields_with(s.nullable_schema(s.INTEGER), "amountOffInCents", "usageLimit"),
        **_DATES,
        "usageCount": s.INTEGER,
        "courseIds": s.array_schema(s.UUID),
        "disabled": s.BOOLEAN,
    },
)


Success = tuple[int, Schema | None]
"""A status and the shape of its body; None is an empty one."""
Answer = Callable[[Platform], Success]

_PAGED = {"perPage": s.INTEGER, "currentPage": s.INTEGER, "total": s.INTEGER, "hasMore": s.BOOLEAN}
_BY_PAGE = s.record_schema("PageInfo", **_PAGED)
_BY_EITHER = s.record_schema("PageOrCursorInfo", optional=["cursor"], **_PAGED, cursor=s.STRING)
_BY_CURSOR = s.record_schema(
    "CursorInfo", total=s.INTEGER, cursor=s.nullable_schema(s.STRING), hasMore=s.BOOLEAN
)
_OF_EVENTS = s.record_schema("EventInfo", optional=["cursor"], cursor=s.STRING, hasMore=s.BOOLEAN)
_MISTAKEN = s.record_schema("Mistaken", errors=s.array_schema(s.STRING, minItems=1))


def _answer_ok(schema: Schema, status: int = 200) -> Answer:
    return lambda _platform: (status, schema)


def _answer_created(schema: Schema) -> Answer:
    return lambda platform: (int(platform.switches.createStatus), schema)


def _answer_empty(status: int) -> Answer:
    return lambda _platform: (status, None)


def _answer_list(key: str, item: Schema, info: Schema) -> Answer:
    """A v2 list in the envelope of the switch `listEnvelope` (O44)."""
    shapes = {
        "bare": s.array_schema(item),
        "data": s.record_schema(pageInfo=info, data=s.array_schema(item)),
        "key": s.record_schema(pageInfo=info, **{key: s.array_schema(item)}),
    }
    return lambda platform: (200, shapes[platform.switches.listEnvelope])


def _or_mistaken(answer: Answer) -> Answer:
    """200 with `errors` where the extended profile tells the kind of a wrong id (O29)."""

    def describe_success(platform: Platform) -> Success:
        status, schema = answer(platform)
        assert schema is not None  # `errors` need a body
        return status, s.any_of(schema, _MISTAKEN) if platform.profile == "extended" else schema

    return describe_success


def _describe_user(platform: Platform) -> Success:
    if platform.switches.missingUser != "errors":
        return 200, openapi_records.USER
    message = s.record_schema("MissingUserError", message=s.STRING)
    return 200, s.any_of(
        openapi_records.USER, s.record_schema("MissingUser", errors=s.array_schema(message))
    )


def _describe_clone(platform: Platform) -> Success:
    data = s.record_schema(APICloneClient=openapi_records.JOB)
    return int(platform.switches.cloneStatus), s.record_schema(data=data)


def _of_content(flat: Schema, nested: Schema) -> Answer:
    """As the switch `fullContent` says."""
    return lambda platform: (200, flat if platform.switches.fullContent == "flat" else nested)


def _extend_schema(name: str, like: Schema, *fields: str, **more: Schema) -> Schema:
    """An object that holds at least these fields of another, and more of its own."""
    return s.open_record(name, **{field: like["properties"][field] for field in fields}, **more)


_FULL_TOPIC = _extend_schema(
    "FullTopic", openapi_records.TOPIC_ITEM, "id", "title", "type", "updatedAt"
)
_FULL_LESSON = _extend_schema("FullLesson", LESSON, "id", topics=s.array_schema(_FULL_TOPIC))
_FULL_SECTION = _extend_schema("FullSection", SECTION, "id", lessons=s.array_schema(_FULL_LESSON))
_FULL_COURSE = _of_content(
    _extend_schema("FlatCourse", openapi_records.SESSION, "id", "title", "status"),
    s.record_schema(
        "FullCourse",
        **openapi_records.SESSION["properties"],
        sections=s.array_schema(_FULL_SECTION),
    ),
)
_REFUSED_CRITERION = s.record_schema(
    "RefusedCriterion",
    courseId=s.nullable_schema(s.STRING),
    type=s.nullable_schema(s.STRING),
    error=s.STRING,
    record=s.STRING,
)
_CRITERIA = s.record_schema(
    createdCount=s.INTEGER,
    updatedCount=s.INTEGER,
    errors=s.array_schema(_REFUSED_CRITERION),
    warnings=s.array_schema(s.STRING),
)
_CREATED = s.record_schema(
    optional=["backgroundJob"],
    courseIds=s.array_schema(s.UUID),
    courseGroupIds=s.array_schema(s.UUID),
    backgroundJob=openapi_records.JOB,
)
_ASSIGNED = s.record_schema(
    data=s.record_schema(
        jobId=s.UUID, totalCount=s.INTEGER, unresolvedIdentifiers=s.array_schema(s.STRING)
    )
)
_ASSETS = s.record_schema(
    data=s.record_schema(
        items=s.array_schema(openapi_records.ASSET), nextCursor=s.nullable_schema(s.STRING)
    )
)
_RELEASED = s.record_schema(id=s.UUID, status=s.enum_schema(("draft", "pending", "published")))
_COURSE = _or_mistaken(_answer_ok(openapi_records.COURSE))

ANSWERS: Mapping[str, Answer] = {
    "ping": _answer_ok(s.record_schema(valid=s.BOOLEAN)),
    "course.create": _answer_created(_CREATED),
    "course.update": _answer_ok(
        s.record_schema(optional=["backgroundJob"], backgroundJob=openapi_records.JOB)
    ),
    "course.read": _COURSE,
    "course.structure": _COURSE,
    "course.full": _or_mistaken(_FULL_COURSE),
    "topic.list": _answer_list("topics", openapi_records.TOPIC_ITEM, _BY_CURSOR),
    "criteria.update": _answer_ok(_CRITERIA),
    "criteria.list": _or_mistaken(
        _answer_list("completionCriteria", openapi_records.CRITERION, _BY_PAGE)
    ),
    "client.list": _answer_list("clients", openapi_records.CLIENT, _BY_CURSOR),
    "client.clone": _describe_clone,
    "client.status": _answer_ok(openapi_records.CLIENT),
    "license.create": _answer_created(openapi_records.LICENSE),
    "license.update": _answer_ok(openapi_records.LICENSE),
    "license.delete": _answer_ok(openapi_records.LICENSE),
    "license.list": _answer_list("licenses", openapi_records.LICENSE, _BY_PAGE),
    "user.read": _describe_user,
    "sublicense.assign": _answer_ok(_ASSIGNED, 202),
    "tag.list": _answer_list("tags", openapi_records.TAG, _BY_PAGE),
    "location.list": _answer_list("locations", openapi_records.LOCATION, _BY_CURSOR),
    "asset.list": _answer_ok(_ASSETS),
    "job.read": _answer_ok(openapi_records.JOB),
    "path.create": _answer_ok(s.record_schema(data=openapi_records.PURCHASE_PATH), 201),
    "path.list": _answer_ok(s.record_schema(data=s.array_schema(openapi_records.PURCHASE_PATH))),
    "event.list": _answer_list("events", openapi_records.EVENT, _OF_EVENTS),
    "attempt.forgive": _answer_ok(openapi_records.ATTEMPT),
    "activity.learningPath": _answer_empty(200),
    "activity.assignment": _answer_empty(302),
    "group.list": _answer_list("courseGroups", openapi_records.GROUP, _BY_EITHER),
    "group.read": _or_mistaken(_answer_ok(openapi_records.GROUP)),
    "group.bySlug": _answer_ok(openapi_records.GROUP),
    "group.courses": _or_mistaken(_answer_list("courses", openapi_records.SESSION, _BY_EITHER)),
    "group.displayCourse": _or_mistaken(_answer_ok(openapi_records.SESSION)),
    "section.list": _or_mistaken(_answer_list("sections", SECTION_ITEM, _BY_EITHER)),
    "section.read": _or_mistaken(_answer_ok(SECTION)),
    "section.lessons": _or_mistaken(_answer_list("lessons", LESSON_ITEM, _BY_EITHER)),
    "lesson.list": _or_mistaken(_answer_list("lessons", LESSON_ITEM, _BY_EITHER)),
    "lesson.read": _or_mistaken(_answer_ok(LESSON)),
    "topic.read": _or_mistaken(_answer_ok(TOPIC)),
    "learningPath.full": _or_mistaken(_of_content(PATH_FLAT, PATH_NESTED)),
    "user.list": _answer_list("users", openapi_records.USER, _BY_CURSOR),
    "user.create": _answer_created(openapi_records.USER),
    "user.change": _answer_ok(openapi_records.USER),
    "attempt.list": _answer_list("assessmentAttempts", ATTEMPT_ITEM, _BY_CURSOR),
    "meeting.list": _answer_list("meetings", MEETING, _BY_CURSOR),
    "coupon.list": _answer_list("coupons", COUPON, _BY_CURSOR),
    "activity.course": _answer_empty(200),
    "content.search": _answer_list("contentItems", CONTENT_ITEM, _BY_CURSOR),
    "content.release": _or_mistaken(_answer_ok(_RELEASED)),
}
