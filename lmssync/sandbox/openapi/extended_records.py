"""The records that only the extended profile shows (O45 to O54)."""

from lmssync.vocabulary.enums import OpenType, SessionStatus, TopicType

from ..handlers import content_item, content_search, lists
from .records import ATTEMPT, STAMPED, TAG, TOPIC_ITEM
from .words import (
    FLAG,
    MOMENT,
    OBJECT,
    TEXT,
    UUID,
    WHOLE,
    Schema,
    many,
    named,
    nullable,
    or_null,
    record,
    words,
)

_OF_COURSE = {"courseId": UUID, "courseTitle": TEXT}
_LESSON = {
    "id": UUID,
    "title": TEXT,
    "slug": TEXT,
    "accessLevel": or_null(words(OpenType)),
    "sectionId": UUID,
    "sectionTitle": TEXT,
    "topicCount": WHOLE,
}
LESSON_ITEM = named("LessonItem", record(_LESSON))
_SECTION = {
    "id": UUID,
    "title": TEXT,
    "slug": TEXT,
    "status": words(SessionStatus),
    "releaseAt": or_null(MOMENT),
    "parentSectionId": or_null(UUID),
    "lessonCount": WHOLE,
    "lessons": many(LESSON_ITEM),
}
SECTION_ITEM = named("SectionItem", record(_SECTION))
SECTION = named("SectionRead", record({**_SECTION, **_OF_COURSE}))
_OUTLINED = named("TopicOutline", record({"id": UUID, "title": TEXT, "type": words(TopicType)}))
LESSON = named("LessonRead", record({**_LESSON, **_OF_COURSE, "topicOutline": many(_OUTLINED)}))
_OF_LESSON = {"lessonId": UUID, "lessonTitle": TEXT}
TOPIC = named("TopicRead", record({**TOPIC_ITEM["properties"], **_OF_LESSON, **_OF_COURSE}))

_RIBBON = named("Ribbon", record({"slug": TEXT}))
CONTENT_ITEM = named(
    "ContentItem",
    record(
        {
            "id": UUID,
            "title": TEXT,
            "language": or_null(TEXT),
            **dict.fromkeys(content_item.OF_GROUP, or_null(TEXT)),
            **dict.fromkeys(content_item.OF_SESSION, or_null(MOMENT)),
            "sku": or_null(TEXT),
            "priceInCents": or_null(WHOLE),
            "ribbon": or_null(_RIBBON),
            "tags": many(TAG),
            **nullable(STAMPED),
            "courseGroupId": or_null(UUID),
            **dict.fromkeys(("type", "kind"), words(content_search.KINDS)),
            "status": words(SessionStatus),
            "authorsAndInstructors": many(TEXT),
            "contentTypeLabel": or_null(TEXT),
            "customFields": OBJECT,
            "freeWithRegistration": FLAG,
            "seatsLimit": or_null(WHOLE),
            "url": or_null(TEXT),
            "enrollmentCount": WHOLE,
        }
    ),
)

_PATH = {"id": UUID, "title": TEXT, **nullable({"slug": TEXT, "sku": TEXT})}
PATH_FLAT = named(
    "FlatLearningPath", {**OBJECT, "properties": _PATH, "required": [str(n) for n in _PATH]}
)
_IN_MILESTONE = {"id": UUID, "courseGroupId": UUID, "title": TEXT, "status": words(SessionStatus)}
_MILESTONE_COURSE = named("MilestoneCourse", record(_IN_MILESTONE))
_MILESTONE = named("Milestone", record({"name": TEXT, "milestoneCourses": many(_MILESTONE_COURSE)}))
PATH_NESTED = named("LearningPath", record({**_PATH, "milestones": many(_MILESTONE)}))

_MEASURED = {
    "status": TEXT,
    "timeElapsedInSeconds": or_null({"type": "number"}),
    "answers": many({}),
}
ATTEMPT_ITEM = named("AttemptItem", record({**ATTEMPT["properties"], **_MEASURED}))

_MEETING_FIELDS: dict[str, Schema] = {
    "id": UUID,
    "title": TEXT,
    **dict.fromkeys(("courseId", "topicId", "locationId"), or_null(UUID)),
    **dict.fromkeys(("startDate", "endDate"), or_null(MOMENT)),
    **dict.fromkeys(("timeZone", "url"), or_null(TEXT)),
    "attendeesLimit": or_null(WHOLE),
    **STAMPED,
}
MEETING = named("Meeting", record({name: _MEETING_FIELDS[name] for name in lists.MEETING_SHOWN}))

_COUPON_FIELDS: dict[str, Schema] = {
    "id": UUID,
    "code": TEXT,
    "description": or_null(TEXT),
    "percentOff": or_null({"type": "number"}),
    **dict.fromkeys(("amountOffInCents", "usageLimit"), or_null(WHOLE)),
    **dict.fromkeys(("startDate", "endDate"), or_null(MOMENT)),
    "usageCount": WHOLE,
    "courseIds": many(UUID),
    "disabled": FLAG,
    **STAMPED,
}
COUPON = named("Coupon", record({name: _COUPON_FIELDS[name] for name in lists.COUPON_SHOWN}))
