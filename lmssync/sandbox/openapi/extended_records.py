"""The records that only the extended profile shows (O45 to O54)."""

from lmssync.vocabulary.enums import OpenType, SessionStatus, TopicType

from ..handlers import content_item, content_search, lists
from . import schema as s
from .records import ATTEMPT, NULLABLE_TEXT, STAMPS, TAG, TOPIC_ITEM, shown

_OF_COURSE = {"courseId": s.UUID, "courseTitle": s.STRING}
_NAMED = {"id": s.UUID, "title": s.STRING, "slug": s.STRING}
LESSON_ITEM = s.record(
    "LessonItem",
    **_NAMED,
    accessLevel=s.nullable(s.enum(OpenType)),
    sectionId=s.UUID,
    sectionTitle=s.STRING,
    topicCount=s.INTEGER,
)
SECTION_ITEM = s.record(
    "SectionItem",
    **_NAMED,
    status=s.enum(SessionStatus),
    releaseAt=s.nullable(s.DATE_TIME),
    parentSectionId=s.nullable(s.UUID),
    lessonCount=s.INTEGER,
    lessons=s.array(LESSON_ITEM),
)
SECTION = s.record("SectionRead", **SECTION_ITEM["properties"], **_OF_COURSE)
_OUTLINE = s.record("TopicOutline", id=s.UUID, title=s.STRING, type=s.enum(TopicType))
LESSON = s.record(
    "LessonRead", **LESSON_ITEM["properties"], **_OF_COURSE, topicOutline=s.array(_OUTLINE)
)
TOPIC = s.record(
    "TopicRead", **TOPIC_ITEM["properties"], lessonId=s.UUID, lessonTitle=s.STRING, **_OF_COURSE
)

CONTENT_ITEM = s.record(
    "ContentItem",
    **{
        "id": s.UUID,
        "title": s.STRING,
        "language": NULLABLE_TEXT,
        **s.each(NULLABLE_TEXT, *content_item.OF_GROUP),
        **s.each(s.nullable(s.DATE_TIME), *content_item.OF_SESSION),
        "sku": NULLABLE_TEXT,
        "priceInCents": s.nullable(s.INTEGER),
        "ribbon": s.nullable(s.record("Ribbon", slug=s.STRING)),
        "tags": s.array(TAG),
        **s.all_nullable(STAMPS),
        "courseGroupId": s.nullable(s.UUID),
        **s.each(s.enum(content_search.KINDS), "type", "kind"),
        "status": s.enum(SessionStatus),
        "authorsAndInstructors": s.array(s.STRING),
        "contentTypeLabel": NULLABLE_TEXT,
        "customFields": s.OBJECT,
        "freeWithRegistration": s.BOOLEAN,
        "seatsLimit": s.nullable(s.INTEGER),
        "url": NULLABLE_TEXT,
        "enrollmentCount": s.INTEGER,
    },
)

_PATH = {"id": s.UUID, "title": s.STRING, "slug": NULLABLE_TEXT, "sku": NULLABLE_TEXT}
PATH_FLAT = s.open_record("FlatLearningPath", **_PATH)
_MILESTONE_COURSE = s.record(
    "MilestoneCourse",
    id=s.UUID,
    courseGroupId=s.UUID,
    title=s.STRING,
    status=s.enum(SessionStatus),
)
_MILESTONE = s.record("Milestone", name=s.STRING, milestoneCourses=s.array(_MILESTONE_COURSE))
PATH_NESTED = s.record("LearningPath", **_PATH, milestones=s.array(_MILESTONE))

ATTEMPT_ITEM = s.record(
    "AttemptItem",
    **ATTEMPT["properties"],
    status=s.STRING,
    timeElapsedInSeconds=s.nullable(s.NUMBER),
    answers=s.array({}),
)

_DATES = s.each(s.nullable(s.DATE_TIME), "startDate", "endDate")
MEETING = shown(
    "Meeting",
    lists.MEETING_SHOWN,
    {
        "title": s.STRING,
        **s.each(s.nullable(s.UUID), "courseId", "topicId", "locationId"),
        **_DATES,
        "attendeesLimit": s.nullable(s.INTEGER),
    },
)

COUPON = shown(
    "Coupon",
    lists.COUPON_SHOWN,
    {
        "code": s.STRING,
        "percentOff": s.nullable(s.NUMBER),
        **s.each(s.nullable(s.INTEGER), "amountOffInCents", "usageLimit"),
        **_DATES,
        "usageCount": s.INTEGER,
        "courseIds": s.array(s.UUID),
        "disabled": s.BOOLEAN,
    },
)
