"""The records that only the extended profile shows (O45 to O54)."""

from lmssync.vocabulary.enums import OpenType, SessionStatus, TopicType

from ..handlers import content_item, content_search, lists
from . import schema as s
from .records import ATTEMPT, NULLABLE_TEXT, STAMPS, TAG, TOPIC_ITEM, record_of

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
        **s.fields_with(NULLABLE_TEXT, *content_item.OF_GROUP),
        **s.fields_with(s.nullable_schema(s.DATE_TIME), *content_item.OF_SESSION),
        "sku": NULLABLE_TEXT,
        "priceInCents": s.nullable_schema(s.INTEGER),
        "ribbon": s.nullable_schema(s.record_schema("Ribbon", slug=s.STRING)),
        "tags": s.array_schema(TAG),
        **s.all_nullable(STAMPS),
        "courseGroupId": s.nullable_schema(s.UUID),
        **s.fields_with(s.enum_schema(content_search.KINDS), "type", "kind"),
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
    lists.MEETING_SHOWN,
    {
        "title": s.STRING,
        **s.fields_with(s.nullable_schema(s.UUID), "courseId", "topicId", "locationId"),
        **_DATES,
        "attendeesLimit": s.nullable_schema(s.INTEGER),
    },
)

COUPON = record_of(
    "Coupon",
    lists.COUPON_SHOWN,
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
