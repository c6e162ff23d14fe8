"""The records that answers are made of, as each handler shows them (spec 2)."""

from collections.abc import Iterable, Mapping

from lmssync.vocabulary import enums

from ..checks import Rule
from ..data.blanks import OWN_TOGGLES, TOGGLES
from ..handlers import assets, groups, licenses, lists, parts, purchase_paths, users
from ..handlers.course_fields import GROUP_RULES, SESSION_RULES
from ..handlers.criteria import VALUE_RULES
from ..handlers.criteria_read import VALUE_FIELDS
from . import schema as s
from .rule_schemas import schema_of
from .schema import Schema

NULLABLE_TEXT = s.nullable(s.STRING)
STAMPS = {"createdAt": s.DATE_TIME, "updatedAt": s.DATE_TIME}


def shown(name: str, fields: Iterable[str], schemas: Mapping[str, Schema]) -> Schema:
    """A record of the fields that a handler shows; those not named here are text or null."""
    known = {"id": s.UUID, **STAMPS, **schemas}
    return s.record(name, **{field: known.get(field, NULLABLE_TEXT) for field in fields})


def _nullable_of(rules: Mapping[str, Rule]) -> dict[str, Schema]:
    return {name: s.nullable(schema_of(rule)) for name, rule in rules.items()}


TAG = s.record("Tag", id=s.UUID, label=s.STRING)

JOB = s.record(
    "Job",
    id=s.UUID,
    description=s.STRING,
    errorMessage=NULLABLE_TEXT,
    status=s.enum(enums.JobStatus),
)

TOPIC_ITEM = shown("TopicItem", parts.LISTED, {"title": s.STRING, "type": s.enum(enums.TopicType)})

CRITERION = s.record(
    "Criterion",
    id=s.UUID,
    course=s.UUID,
    type=s.enum(enums.CriterionType),
    description=s.STRING,
    **_nullable_of({name: VALUE_RULES[name] for name in VALUE_FIELDS}),
)

_TITLED = {"id": s.UUID, "title": s.STRING}
_TOPIC = s.record("CourseTopic", **_TITLED, type=s.enum(enums.TopicType), updatedAt=s.DATE_TIME)
_LESSON = s.record(
    "CourseLesson",
    **_TITLED,
    accessLevel=s.nullable(s.enum(enums.OpenType)),
    topics=s.array(_TOPIC),
)
_SECTION = s.record(
    "CourseSection", **_TITLED, releaseAt=s.nullable(s.DATE_TIME), lessons=s.array(_LESSON)
)
COURSE = s.record(
    "Course",
    optional=["sku"],
    id=s.UUID,
    courseGroupId=s.UUID,
    title=s.STRING,
    status=s.enum(enums.SessionStatus),
    sku=s.STRING,
    sections=s.array(_SECTION),
    completionCriteria=s.array(CRITERION),
)
"""O22."""

GROUP = shown(
    "CourseGroup",
    (*groups.GROUP_SHOWN, *groups.DERIVED),
    {
        **_nullable_of(GROUP_RULES),
        **s.each(s.STRING, "title", "slug"),
        **s.each(s.BOOLEAN, "archived", "isTemplate"),
        "publishDate": s.nullable(s.DATE_TIME),
        "kind": s.enum(enums.CourseKind),
        "displayCourseId": s.nullable(s.UUID),
        "status": s.nullable(s.enum(enums.SessionStatus)),
        "courseCount": s.INTEGER,
    },
)

SESSION = shown(
    "Session",
    (*groups.SESSION_SHOWN, "seatsLimit"),
    {
        **_nullable_of(SESSION_RULES),
        **{name: s.nullable(s.DATE_TIME) for name in SESSION_RULES if name.endswith("Date")},
        "title": s.STRING,
        "courseGroupId": s.UUID,
        "kind": s.enum(enums.CourseKind),
        "status": s.enum(enums.SessionStatus),
        "seatsLimit": s.nullable(s.INTEGER),
    },
)

LICENSE = shown(
    "License",
    licenses.SHOWN,
    {
        **_nullable_of(licenses.FIELD_RULES),
        "name": s.STRING,
        "expirationDate": s.nullable(s.DATE_TIME),
        **s.each(s.BOOLEAN, "enableBranding", "isDefault"),
        **s.each(s.array(s.UUID), "courseIds", "learningPathIds", "courseTagIds"),
    },
)
_CLIENT_LICENSE = s.record("ClientLicense", **LICENSE["properties"], seatsUsed=s.INTEGER)

CLIENT = s.record(
    "Client",
    id=s.UUID,
    name=s.STRING,
    slug=s.STRING,
    **STAMPS,
    tags=s.array(TAG),
    sku=NULLABLE_TEXT,
    disabled=s.BOOLEAN,
    courses=s.array(s.record(id=s.UUID)),
    learningPaths=s.array(s.record(**_TITLED)),
    licenses=s.array(_CLIENT_LICENSE),
    appearanceSettings=s.OBJECT,
    featureFlags=s.record(**s.each(s.BOOLEAN, *TOGGLES, *OWN_TOGGLES)),
)

USER = shown(
    "User",
    users.SHOWN,
    {
        **s.each(s.nullable(s.UUID), "learnerUserId", "managerUserId", "clientId"),
        **s.each(s.nullable(s.UUID), "crmAccountId", "crmContactId", "paymentCustomerId"),
        **s.each(s.nullable(s.DATE_TIME), "createdAt", "lastActiveAt"),
        **s.each(s.STRING, "roleKey", "email"),
        "disabled": s.BOOLEAN,
        "balance": s.NUMBER,
        "customFields": s.OBJECT,
        "purchasedBundles": s.array(s.record(bundleId=s.UUID)),
        "allocatedLicenses": s.array(s.record(licenseId=s.UUID)),
        "allocatedLearningPaths": s.array(s.record(learningPathId=s.UUID, status=s.STRING)),
        "purchasedCourses": s.array(s.record(courseId=s.UUID, status=s.STRING)),
        "waitlistedCourses": s.array(s.record(courseId=s.UUID)),
    },
)
"""Spec 2.4."""

LOCATION = shown("Location", lists.LOCATION_SHOWN, {"name": s.STRING})

ASSET = shown(
    "Asset",
    assets.SHOWN,
    {
        "title": s.STRING,
        "assetType": s.enum(enums.AssetType),
        "processingStatus": s.enum(enums.ProcessingStatus),
        "version": {**s.INTEGER, "minimum": 1},
        **s.each(s.array(s.UUID), "tagIds", "locationIds"),
        **s.each(s.BOOLEAN, "imageNewTab", "isNew"),
    },
)

PURCHASE_PATH = shown(
    "PurchasePath",
    purchase_paths.SHOWN,
    {
        "courseId": s.UUID,
        "displayOrder": s.INTEGER,
        "label": s.STRING,
        "targetType": s.enum(enums.TargetType),
        "targetId": s.nullable(s.UUID),
        "hidePrimaryCta": s.BOOLEAN,
    },
)

_CONTACT = s.each(NULLABLE_TEXT, "email", "firstName", "lastName", "externalCustomerId")
ATTEMPT = s.record(
    "Attempt",
    id=s.UUID,
    user=s.record("AttemptUser", id=s.UUID, **_CONTACT),
    course=s.record(**_TITLED),
    assessment=s.record(id=s.UUID, type=s.STRING, title=s.STRING),
    grade=s.NUMBER,
    passed=s.BOOLEAN,
    forgiven=s.BOOLEAN,
)

EVENT = s.open_record(
    "Event",
    optional=["id"],
    id=s.STRING,
    timestamp=s.DATE_TIME,
    userDetail=s.nullable(s.OBJECT),
    user={},
)
"""Payloads are not shown (spec 6); what is reported by order may hold anything besides."""
