"""The records that answers are made of, as each handler shows them (spec 2)."""

from lmssync.vocabulary.enums import (
    AssetType,
    CourseKind,
    CriterionType,
    JobStatus,
    OpenType,
    ProcessingStatus,
    SessionStatus,
    TargetType,
    TopicType,
)
from lmssync.vocabulary.limits import REFS

from ..data.blanks import OWN_TOGGLES, TOGGLES
from ..handlers import assets, groups, lists, purchase_paths, users
from ..handlers.course_fields import GROUP_RULES, SESSION_RULES
from ..handlers.criteria import VALUE_RULES
from ..handlers.criteria_read import VALUE_FIELDS
from ..handlers.licenses import FIELD_RULES
from ..handlers.licenses import SHOWN as LICENSE_SHOWN
from .rule_schemas import schema_of
from .words import (
    FLAG,
    MOMENT,
    NUMBER,
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

TAG = named("Tag", record({"id": UUID, "label": TEXT}))
STAMPED = {"createdAt": MOMENT, "updatedAt": MOMENT}

JOB = named(
    "Job",
    record(
        {
            "id": UUID,
            "description": TEXT,
            "errorMessage": or_null(TEXT),
            "status": words(JobStatus),
        }
    ),
)

TOPIC_ITEM = named(
    "TopicItem",
    record(
        {
            "id": UUID,
            "title": TEXT,
            "type": words(TopicType),
            "preTextBlock": or_null(TEXT),
            "postTextBlock": or_null(TEXT),
            "updatedAt": MOMENT,
        }
    ),
)

CRITERION = named(
    "Criterion",
    record(
        {
            "id": UUID,
            "course": UUID,
            "type": words(CriterionType),
            "description": TEXT,
            **nullable({name: schema_of(VALUE_RULES[name]) for name in VALUE_FIELDS}),
        }
    ),
)

_TOPIC = named(
    "CourseTopic",
    record({"id": UUID, "title": TEXT, "type": words(TopicType), "updatedAt": MOMENT}),
)
_LESSON = named(
    "CourseLesson",
    record(
        {"id": UUID, "title": TEXT, "accessLevel": or_null(words(OpenType)), "topics": many(_TOPIC)}
    ),
)
_SECTION = named(
    "CourseSection",
    record({"id": UUID, "title": TEXT, "releaseAt": or_null(MOMENT), "lessons": many(_LESSON)}),
)
COURSE = named(
    "Course",
    record(
        {
            "id": UUID,
            "courseGroupId": UUID,
            "title": TEXT,
            "status": words(SessionStatus),
            "sku": TEXT,
            "sections": many(_SECTION),
            "completionCriteria": many(CRITERION),
        },
        optional=["sku"],
    ),
)
"""O22."""

_KIND = words(CourseKind)
_GROUP_FIELDS = {
    **nullable({name: schema_of(rule) for name, rule in GROUP_RULES.items()}),
    "publishDate": or_null(MOMENT),
    "id": UUID,
    "title": TEXT,
    "slug": TEXT,
    "kind": _KIND,
    **STAMPED,
    "archived": FLAG,
    "displayCourseId": or_null(UUID),
    "status": or_null(words(SessionStatus)),
    "isTemplate": FLAG,
    "language": or_null(TEXT),
    "courseCount": WHOLE,
}
GROUP = named(
    "CourseGroup",
    record({name: _GROUP_FIELDS[name] for name in (*groups.GROUP_SHOWN, *groups.TOLD)}),
)

_SESSION_FIELDS = {
    **nullable({name: schema_of(SESSION_RULES[name]) for name in SESSION_RULES}),
    **{name: or_null(MOMENT) for name in SESSION_RULES if name.endswith("Date")},
    "id": UUID,
    "courseGroupId": UUID,
    "title": TEXT,
    "kind": _KIND,
    **STAMPED,
    "status": words(SessionStatus),
    "seatsLimit": or_null(WHOLE),
}
SESSION = named(
    "Session",
    record({name: _SESSION_FIELDS[name] for name in (*groups.SESSION_SHOWN, "seatsLimit")}),
)

_LICENSE_FIELDS = {
    **nullable({name: schema_of(rule) for name, rule in FIELD_RULES.items()}),
    "id": UUID,
    "name": TEXT,
    "expirationDate": or_null(MOMENT),
    "enableBranding": FLAG,
    "isDefault": FLAG,
    **{name: many(UUID) for name in ("courseIds", "learningPathIds", "courseTagIds")},
}
LICENSE = named("License", record({name: _LICENSE_FIELDS[name] for name in LICENSE_SHOWN}))
LICENSE_OF_CLIENT = named("ClientLicense", record({**LICENSE["properties"], "seatsUsed": WHOLE}))

_FLAGS = (*TOGGLES, *OWN_TOGGLES)
CLIENT = named(
    "Client",
    record(
        {
            "id": UUID,
            "name": TEXT,
            "slug": TEXT,
            **STAMPED,
            "tags": many(TAG),
            "sku": or_null(TEXT),
            "disabled": FLAG,
            "courses": many(record({"id": UUID})),
            "learningPaths": many(record({"id": UUID, "title": TEXT})),
            "licenses": many(LICENSE_OF_CLIENT),
            "appearanceSettings": OBJECT,
            "featureFlags": record(dict.fromkeys(_FLAGS, FLAG)),
        }
    ),
)

_STATED = or_null(TEXT)
_USER_FIELDS: dict[str, Schema] = {
    "id": UUID,
    **dict.fromkeys(("learnerUserId", "managerUserId", "clientId"), or_null(UUID)),
    **dict.fromkeys(("crmAccountId", "crmContactId", "paymentCustomerId"), or_null(UUID)),
    **dict.fromkeys(("createdAt", "lastActiveAt"), or_null(MOMENT)),
    "disabled": FLAG,
    "roleKey": TEXT,
    "email": TEXT,
    **{f"ref{number}": _STATED for number in range(1, REFS + 1)},
    "customFields": OBJECT,
    "purchasedBundles": many(record({"bundleId": UUID})),
    "allocatedLicenses": many(record({"licenseId": UUID})),
    "allocatedLearningPaths": many(record({"learningPathId": UUID, "status": TEXT})),
    "purchasedCourses": many(record({"courseId": UUID, "status": TEXT})),
    "waitlistedCourses": many(record({"courseId": UUID})),
    "balance": NUMBER,
}
USER = named("User", record({name: _USER_FIELDS.get(name, _STATED) for name in users.SHOWN}))
"""Spec 2.4; what is not named above is text or null."""

_LOCATION_FIELDS: dict[str, Schema] = {"id": UUID, "name": TEXT}
LOCATION = named(
    "Location", record({name: _LOCATION_FIELDS.get(name, _STATED) for name in lists.LOCATION_SHOWN})
)

_ASSET_FIELDS: dict[str, Schema] = {
    "id": UUID,
    "title": TEXT,
    "assetType": words(AssetType),
    "tagIds": many(UUID),
    "version": {"type": "integer", "minimum": 1},
    "locationIds": many(UUID),
    "imageNewTab": FLAG,
    "isNew": FLAG,
    "processingStatus": words(ProcessingStatus),
    **STAMPED,
}
ASSET = named("Asset", record({name: _ASSET_FIELDS.get(name, _STATED) for name in assets.SHOWN}))

_PATH_FIELDS: dict[str, Schema] = {
    **dict.fromkeys(("id", "courseId"), UUID),
    "displayOrder": WHOLE,
    "label": TEXT,
    "targetType": words(TargetType),
    "targetId": or_null(UUID),
    "hidePrimaryCta": FLAG,
    **STAMPED,
}
PURCHASE_PATH = named(
    "PurchasePath", record({name: _PATH_FIELDS.get(name, _STATED) for name in purchase_paths.SHOWN})
)

_TESTED = named(
    "AttemptUser",
    record(
        {
            "id": UUID,
            **dict.fromkeys(("email", "firstName", "lastName", "externalCustomerId"), _STATED),
        }
    ),
)
ATTEMPT = named(
    "Attempt",
    record(
        {
            "id": UUID,
            "user": _TESTED,
            "course": record({"id": UUID, "title": TEXT}),
            "assessment": record({"id": UUID, "type": TEXT, "title": TEXT}),
            "grade": NUMBER,
            "passed": FLAG,
            "forgiven": FLAG,
        }
    ),
)

EVENT = named(
    "Event",
    {
        "type": "object",
        "properties": {"id": TEXT, "timestamp": MOMENT, "userDetail": or_null(OBJECT), "user": {}},
        "required": ["timestamp", "userDetail", "user"],
    },
)
"""Payloads are not shown (spec 6); what is reported by order may hold anything besides."""
