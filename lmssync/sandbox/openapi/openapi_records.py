"""The records that answers are made of, as each handler shows them (spec 2)."""

from collections.abc import Iterable, Mapping

from lmssync.vocabulary import enums

from ..data.object_kinds import OWN_TOGGLES, TOGGLES
from ..handlers import (
    client_routes,
    company_routes,
    content_routes,
    course_reads,
    license_routes,
    purchase_path_routes,
    user_routes,
)
from ..handlers.course_fields import GROUP_RULES, SESSION_RULES
from ..handlers.criteria_routes import VALUE_FIELDS, VALUE_RULES
from ..value_checks import Rule
from . import json_schemas as s
from .json_schemas import Schema, schema_of

NULLABLE_TEXT = s.nullable_schema(s.STRING)
_DATE_OR_NULL = s.nullable_schema(s.DATE_TIME)
_ID_OR_NULL = s.nullable_schema(s.UUID)
_WHOLE_OR_NULL = s.nullable_schema(s.INTEGER)
_STATUS, _KIND = s.enum_schema(enums.SessionStatus), s.enum_schema(enums.CourseKind)
_TOPIC_TYPE = s.enum_schema(enums.TopicType)
_OPEN_TYPE_OR_NULL = s.nullable_schema(s.enum_schema(enums.OpenType))
STAMPS = {"createdAt": s.DATE_TIME, "updatedAt": s.DATE_TIME}


def record_of(name: str, fields: Iterable[str], schemas: Mapping[str, Schema]) -> Schema:
    """A record of the fields that a handler shows; those not named here are text or null."""
    known = {"id": s.UUID, **STAMPS, **schemas}
    return s.record_schema(name, **{field: known.get(field, NULLABLE_TEXT) for field in fields})


def _nullable_of(rules: Mapping[str, Rule]) -> dict[str, Schema]:
    return {name: s.nullable_schema(schema_of(rule)) for name, rule in rules.items()}


TAG = s.record_schema("Tag", id=s.UUID, label=s.STRING)

JOB = s.record_schema(
    "Job",
    id=s.UUID,
    description=s.STRING,
    errorMessage=NULLABLE_TEXT,
    status=s.enum_schema(enums.JobStatus),
)

TOPIC_ITEM = record_of("TopicItem", course_reads.LISTED, {"title": s.STRING, "type": _TOPIC_TYPE})

CRITERION = s.record_schema(
    "Criterion",
    id=s.UUID,
    course=s.UUID,
    type=s.enum_schema(enums.CriterionType),
    description=s.STRING,
    **_nullable_of({name: VALUE_RULES[name] for name in VALUE_FIELDS}),
)

_TITLED = {"id": s.UUID, "title": s.STRING}
_TOPIC = s.record_schema("CourseTopic", **_TITLED, type=_TOPIC_TYPE, updatedAt=s.DATE_TIME)
_LESSON = s.record_schema(
    "CourseLesson", **_TITLED, accessLevel=_OPEN_TYPE_OR_NULL, topics=s.array_schema(_TOPIC)
)
_SECTION = s.record_schema(
    "CourseSection", **_TITLED, releaseAt=_DATE_OR_NULL, lessons=s.array_schema(_LESSON)
)
COURSE = s.record_schema(
    "Course",
    optional=["sku"],
    id=s.UUID,
    courseGroupId=s.UUID,
    title=s.STRING,
    status=_STATUS,
    sku=s.STRING,
    sections=s.array_schema(_SECTION),
    completionCriteria=s.array_schema(CRITERION),
)
"""O22."""

GROUP = record_of(
    "CourseGroup",
    (*course_reads.GROUP_SHOWN, *course_reads.DERIVED),
    {
        **_nullable_of(GROUP_RULES),
        **s.fields_with(s.STRING, "title", "slug"),
        **s.fields_with(s.BOOLEAN, "archived", "isTemplate"),
        "publishDate": _DATE_OR_NULL,
        "kind": _KIND,
        "displayCourseId": _ID_OR_NULL,
        "status": s.nullable_schema(_STATUS),
        "courseCount": s.INTEGER,
    },
)

SESSION = record_of(
    "Session",
    (*course_reads.SESSION_SHOWN, "seatsLimit"),
    {
        **_nullable_of(SESSION_RULES),
        **{name: _DATE_OR_NULL for name in SESSION_RULES if name.endswith("Date")},
        "title": s.STRING,
        "courseGroupId": s.UUID,
        "kind": _KIND,
        "status": _STATUS,
        "seatsLimit": _WHOLE_OR_NULL,
    },
)

LICENSE = record_of(
    "License",
    license_routes.SHOWN,
    {
        **_nullable_of(license_routes.FIELD_RULES),
        "name": s.STRING,
        "expirationDate": _DATE_OR_NULL,
        **s.fields_with(s.BOOLEAN, "enableBranding", "isDefault"),
        **s.fields_with(s.array_schema(s.UUID), "courseIds", "learningPathIds", "courseTagIds"),
    },
)
_CLIENT_LICENSE = s.record_schema("ClientLicense", **LICENSE["properties"], seatsUsed=s.INTEGER)
LICENSE_ITEM = s.record_schema(
    "LicenseItem", **LICENSE["properties"], courseTags=s.array_schema(TAG), **STAMPS
)

CLIENT = s.record_schema(
    "Client",
    id=s.UUID,
    name=s.STRING,
    slug=s.STRING,
    **STAMPS,
    tags=s.array_schema(TAG),
    sku=NULLABLE_TEXT,
    disabled=s.BOOLEAN,
    courses=s.array_schema(s.record_schema(id=s.UUID)),
    learningPaths=s.array_schema(s.record_schema(**_TITLED)),
    licenses=s.array_schema(_CLIENT_LICENSE),
    appearanceSettings=s.OBJECT,
    featureFlags=s.record_schema(**s.fields_with(s.BOOLEAN, *TOGGLES, *OWN_TOGGLES)),
)

CLIENT_OF_LICENSES = {
    "id": s.UUID,
    "name": s.STRING,
    "sku": NULLABLE_TEXT,
    "learningPathIds": s.array_schema(s.UUID),
}
"""O62."""

CLIENT_READ = record_of(
    "ClientRead",
    (*client_routes.FLAT, "tags", "courseTags", "seatsAllocatedCount", "seatsUsedCount"),
    {
        **s.fields_with(s.STRING, "name", "slug", "defaultLanguage"),
        **s.fields_with(s.BOOLEAN, "disabled", *TOGGLES, *OWN_TOGGLES),
        "licenseEndDate": _DATE_OR_NULL,
        "languages": s.array_schema(s.STRING),
        **s.fields_with(s.array_schema(TAG), "tags", "courseTags"),
        **s.fields_with(s.INTEGER, "seatsAllocatedCount", "seatsUsedCount"),
    },
)
"""O63."""

USER = record_of(
    "User",
    user_routes.SHOWN,
    {
        **s.fields_with(_ID_OR_NULL, "learnerUserId", "managerUserId", "clientId"),
        **s.fields_with(_ID_OR_NULL, "crmAccountId", "crmContactId", "paymentCustomerId"),
        **s.fields_with(_DATE_OR_NULL, "createdAt", "lastActiveAt"),
        **s.fields_with(s.STRING, "roleKey", "email"),
        "disabled": s.BOOLEAN,
        "balance": s.NUMBER,
        "customFields": s.OBJECT,
        "purchasedBundles": s.array_schema(s.record_schema(bundleId=s.UUID)),
        "allocatedLicenses": s.array_schema(s.record_schema(licenseId=s.UUID)),
        "allocatedLearningPaths": s.array_schema(
            s.record_schema(learningPathId=s.UUID, status=s.STRING)
        ),
        "purchasedCourses": s.array_schema(s.record_schema(courseId=s.UUID, status=s.STRING)),
        "waitlistedCourses": s.array_schema(s.record_schema(courseId=s.UUID)),
    },
)
"""Spec 2.4."""

LOCATION = record_of("Location", company_routes.LOCATION_SHOWN, {"name": s.STRING})

ASSET = record_of(
    "Asset",
    company_routes.ASSET_SHOWN,
    {
        "title": s.STRING,
        "assetType": s.enum_schema(enums.AssetType),
        "processingStatus": s.enum_schema(enums.ProcessingStatus),
        "version": {**s.INTEGER, "minimum": 1},
        **s.fields_with(s.array_schema(s.UUID), "tagIds", "locationIds"),
        **s.fields_with(s.BOOLEAN, "imageNewTab", "isNew"),
    },
)

PURCHASE_PATH = record_of(
    "PurchasePath",
    purchase_path_routes.SHOWN,
    {
        "courseId": s.UUID,
        "displayOrder": s.INTEGER,
        "label": s.STRING,
        "targetType": s.enum_schema(enums.TargetType),
        "targetId": _ID_OR_NULL,
        "hidePrimaryCta": s.BOOLEAN,
    },
)

_CONTACT = s.fields_with(NULLABLE_TEXT, "email", "firstName", "lastName", "externalCustomerId")
ATTEMPT = s.record_schema(
    "Attempt",
    id=s.UUID,
    user=s.record_schema("AttemptUser", id=s.UUID, **_CONTACT),
    course=s.record_schema(**_TITLED),
    assessment=s.record_schema(id=s.UUID, type=s.STRING, title=s.STRING),
    grade=s.NUMBER,
    passed=s.BOOLEAN,
    forgiven=s.BOOLEAN,
)

EVENT = s.open_record(
    "Event",
    optional=["id", "userDetail", "user"],
    id=s.STRING,
    timestamp=s.DATE_TIME,
    userDetail=s.nullable_schema(s.OBJECT),
    user={},
)
"""Payloads are not shown (spec 6); what is reported by order may hold anything besides, and
what was recorded elsewhere may lack anything else."""

_OF_COURSE = {"courseId": s.UUID, "courseTitle": s.STRING}
_NAMED = {"id": s.UUID, "title": s.STRING, "slug": s.STRING}
LESSON_ITEM = s.record_schema(
    "LessonItem",
    **_NAMED,
    accessLevel=_OPEN_TYPE_OR_NULL,
    sectionId=s.UUID,
    sectionTitle=s.STRING,
    topicCount=s.INTEGER,
)
SECTION_ITEM = s.record_schema(
    "SectionItem",
    **_NAMED,
    status=_STATUS,
    releaseAt=_DATE_OR_NULL,
    parentSectionId=_ID_OR_NULL,
    lessonCount=s.INTEGER,
    lessons=s.array_schema(LESSON_ITEM),
)
SECTION = s.record_schema("SectionRead", **SECTION_ITEM["properties"], **_OF_COURSE)
_OUTLINE = s.record_schema("TopicOutline", **_TITLED, type=_TOPIC_TYPE)
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
        **s.fields_with(_DATE_OR_NULL, *content_routes.OF_SESSION),
        "sku": NULLABLE_TEXT,
        "priceInCents": _WHOLE_OR_NULL,
        "ribbon": s.nullable_schema(s.record_schema("Ribbon", slug=s.STRING)),
        "tags": s.array_schema(TAG),
        **s.all_nullable(STAMPS),
        "courseGroupId": _ID_OR_NULL,
        **s.fields_with(s.enum_schema(content_routes.KINDS), "type", "kind"),
        "status": _STATUS,
        "authorsAndInstructors": s.array_schema(s.STRING),
        "contentTypeLabel": NULLABLE_TEXT,
        "customFields": s.OBJECT,
        "freeWithRegistration": s.BOOLEAN,
        "seatsLimit": _WHOLE_OR_NULL,
        "url": NULLABLE_TEXT,
        "enrollmentCount": s.INTEGER,
    },
)

_PATH = {"id": s.UUID, "title": s.STRING, "slug": NULLABLE_TEXT, "sku": NULLABLE_TEXT}
PATH_FLAT = s.open_record("FlatLearningPath", **_PATH)
_MILESTONE_COURSES = s.array_schema(
    s.record_schema("MilestoneCourse", **_TITLED, courseGroupId=s.UUID, status=_STATUS)
)
_MILESTONE = s.record_schema("Milestone", name=s.STRING, milestoneCourses=_MILESTONE_COURSES)
PATH_NESTED = s.record_schema("LearningPath", **_PATH, milestones=s.array_schema(_MILESTONE))

ATTEMPT_ITEM = s.record_schema(
    "AttemptItem",
    **ATTEMPT["properties"],
    status=s.STRING,
    timeElapsedInSeconds=s.nullable_schema(s.NUMBER),
    answers=s.array_schema({}),
)

_DATES = s.fields_with(_DATE_OR_NULL, "startDate", "endDate")
MEETING = record_of(
    "Meeting",
    company_routes.MEETING_SHOWN,
    {
        "title": s.STRING,
        **s.fields_with(_ID_OR_NULL, "courseId", "topicId", "locationId"),
        **_DATES,
        "attendeesLimit": _WHOLE_OR_NULL,
    },
)

COUPON = record_of(
    "Coupon",
    company_routes.COUPON_SHOWN,
    {
        "code": s.STRING,
        "percentOff": s.nullable_schema(s.NUMBER),
        **s.fields_with(_WHOLE_OR_NULL, "amountOffInCents", "usageLimit"),
        **_DATES,
        "usageCount": s.INTEGER,
        "courseIds": s.array_schema(s.UUID),
        "disabled": s.BOOLEAN,
    },
)
