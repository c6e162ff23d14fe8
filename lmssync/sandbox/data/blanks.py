"""What a seeded document holds where its seed says nothing, so that handlers find every field."""

from typing import Any

import orjson

from lmssync.vocabulary.enums import AssetType, JobStatus, PathActivityStatus, ProcessingStatus
from lmssync.vocabulary.limits import REFS

from ..checks import Wrong, shown
from ..documents import Doc

TOGGLES = (
    "enableSegmentation", "enableDiscussions", "enableCommunitiesSegmentation", "enableBranding",
    "enableEcommerce", "enableOnboardingSurvey", "enableGlobalLinks", "enableNavLinks",
    "enableRecommendationAssessment",
)  # fmt: skip
"""Feature toggles of a client that a clone keeps (spec 4, clone rule 4)."""

OWN_TOGGLES = (
    "enableCustomEmailSettings", "enableContentDetailPage", "enableLicenseDashboards",
    "enableCreditPurchasing",
)  # fmt: skip
"""Feature toggles that a clone does not keep (spec 4, clone rule 5)."""

BLOCKS = ("appearanceBlock", "emailLayoutBlock", "catalogBlock", "ssoBlock")
LAYOUTS = ("redemptionLayout", "dashboardLayout")
"""Blocks and layouts that a client and each of its licenses may have (spec 4, clone rule 4)."""

DESIGN: Doc = {**dict.fromkeys((*BLOCKS, *LAYOUTS)), "appearanceHash": None}

COPIED: Doc = {
    "tagIds": [],
    "courseTagIds": [],
    "panoramaStyle": False,
    "disabled": False,
    **dict.fromkeys(TOGGLES, False),
    "defaultLanguage": "en",
    "languageSelectorEnabled": False,
    "languages": ["en"],
    "autoFilterForSelectedLanguage": False,
    "courseIds": [],
    "learningPathIds": [],
    "purchasableContentIds": [],
    "purchasableTagIds": [],
}
"""Fields of a client that its clone has too (spec 4, clone rule 4), as a new client has them."""

NOT_COPIED: Doc = {
    "sku": None,
    "seatsLimit": None,
    "licenseEndDate": None,
    "notificationEmails": [],
    **dict.fromkeys(OWN_TOGGLES, False),
    "customHost": None,
    "onboardingSurveyResponses": [],
}
"""Fields of a client that begin anew in its clone (spec 4, clone rule 5)."""

CLIENT: Doc = {"generated": False, "primaryLicenseId": None, **COPIED, **NOT_COPIED, **DESIGN}

LICENSE: Doc = {
    "courseIds": [],
    "learningPathIds": [],
    "courseTagIds": [],
    "enableBranding": False,
    "isDefault": False,
    **DESIGN,
}

USER: Doc = {
    **dict.fromkeys(("learnerUserId", "managerUserId", "clientId", "createdAt", "lastActiveAt")),
    "disabled": False,
    **dict.fromkeys(("crmAccountId", "crmContactId")),
    "roleKey": "student",
    **dict.fromkeys(("address1", "address2", "city", "state", "zipCode", "country", "telephone")),
    **dict.fromkeys(("paymentCustomerId", "externalCustomerId", "shippingName", "asset")),
    **dict.fromkeys(("email", "firstName", "lastName")),
    **dict.fromkeys(f"ref{number}" for number in range(1, REFS + 1)),
    "language": None,
    "customFields": {},
    "purchasedBundles": [],
    "allocatedLicenses": [],
    "allocatedLearningPaths": [],
    "purchasedCourses": [],
    "waitlistedCourses": [],
    "balance": 0,
    "preferredCurrency": None,
}
"""The profile, in the order of spec 2.4."""

LOCATION: Doc = dict.fromkeys(
    ("name", "room", "address1", "address2", "city", "state", "zipCode", "country", "timeZone")
)

ASSET: Doc = {
    "title": "",
    "assetType": AssetType.IMAGE.value,
    "description": None,
    "body": None,
    "contentType": None,
    "fileName": None,
    "tagIds": [],
    "version": 1,
    "locationIds": [],
    **dict.fromkeys(("imageAltText", "imageCaption", "imageLink", "imageTitle")),
    "imageNewTab": False,
    "isNew": True,
    "processingStatus": ProcessingStatus.READY.value,
}
"""An item of the asset library, in the order of spec 2.6."""

PURCHASE_PATH: Doc = {
    "displayOrder": 0,
    **dict.fromkeys(("targetId", "targetUrl", "targetUrlTitle")),
    "hidePrimaryCta": False,
}

MEETING: Doc = {
    "title": "",
    **dict.fromkeys(
        ("courseId", "topicId", "locationId", "startDate", "endDate", "timeZone", "url")
    ),
    "attendeesLimit": None,
}
"""A meeting (O54); its fields are ours."""

COUPON: Doc = {
    "code": "",
    "description": None,
    **dict.fromkeys(("percentOff", "amountOffInCents", "startDate", "endDate", "usageLimit")),
    "usageCount": 0,
    "courseIds": [],
    "disabled": False,
}
"""A coupon (O54); its fields are ours."""

_LEFT: dict[str, Doc] = {
    "enrollments": {
        "source": "direct",
        "licenseId": None,
        "learningPathId": None,
        "status": "active",
    },
    "learningPathEnrollments": {"licenseId": None, "status": "active"},
    "learningPathActivities": {"status": PathActivityStatus.COMPLETED.value},
    "progress": {"percent": 0, "completedAt": None},
    "attempts": {"grade": 0, "passed": False, "forgiven": False},
    "scormAttempts": {"status": "incomplete"},
    "submissions": {"status": "completed", "grade": None, "gradeFeedback": None},
}
"""What learners leave; only seeds lack any of it."""

JOB: Doc = {
    "description": "",
    "errorMessage": None,
    "status": JobStatus.COMPLETE.value,
    "work": "",
    "arguments": {},
    "dueAt": None,
}

_BLANKS: dict[str, Doc] = {
    "clients": CLIENT,
    "licenses": LICENSE,
    "users": {**USER, "isShadow": False, "secondaryEmails": []},
    "locations": LOCATION,
    "assets": {**ASSET, "deletedAt": None, "revisionOf": None},
    "purchasePaths": PURCHASE_PATH,
    "meetings": MEETING,
    "coupons": COUPON,
    "jobs": JOB,
    **_LEFT,
}
_DATES = {
    "clients": ("createdAt", "updatedAt"),
    "licenses": ("createdAt", "updatedAt"),
    "users": ("createdAt",),
    "assets": ("createdAt", "updatedAt"),
    "purchasePaths": ("createdAt", "updatedAt"),
    "meetings": ("createdAt", "updatedAt"),
    "coupons": ("createdAt", "updatedAt"),
    "jobs": ("acceptedAt", "startsAt"),
    "enrollments": ("createdAt",),
    "progress": ("startedAt", "updatedAt"),
    "transcripts": ("completedAt",),
    "certificates": ("grantedAt",),
    **dict.fromkeys(
        ("learningPathActivities", "attempts", "scormAttempts", "submissions"), ("at",)
    ),
}
_SPELLED = {kind: orjson.dumps(fields) for kind, fields in _BLANKS.items()}
"""Reading one is many times faster than copying one."""
_WORDS = {
    bool: "true or false",
    int: "a number",
    str: "text",
    list: "a list",
    dict: "an object",
}


def blank(kind: str, stamp: str) -> Doc:
    """The fields that a document of that kind has at first, made at `stamp`.

    `isShadow`, `secondaryEmails`, `deletedAt` and `revisionOf` are the sandbox's own: routes
    decide by them and show none of them.
    """
    fields: Doc = orjson.loads(_SPELLED.get(kind, b"{}"))
    return fields | dict.fromkeys(_DATES.get(kind, ()), stamp)


def completed(kind: str, item: Doc, *, stamp: str) -> Doc:
    """The item with every field that its kind has at first.

    Raises Wrong where a field is not of the type that handlers rely on.
    """
    fresh = blank(kind, stamp)
    doc = {**fresh, **item}
    for name, value in fresh.items():
        if value is not None and doc[name] is None:
            doc[name] = value
        elif value is not None and not _alike(doc[name], value):
            raise Wrong(f"{name}: is {shown(doc[name])}; it must be {_WORDS[type(value)]}")
    return doc


def _alike(given: Any, value: Any) -> bool:
    if isinstance(value, int) and not isinstance(value, bool):
        return isinstance(given, int | float) and not isinstance(given, bool)
    return isinstance(given, type(value))
