"""The kinds of objects: one table of what is known of each list besides the courses.

A kind bears the name of its list in the dump, so that a dump can be a seed. Where a seed says
nothing of a field, the document has what is written here, so that handlers find every field.
"""

from collections.abc import Mapping
from functools import partial
from typing import Any, NamedTuple

import orjson

from ...vocabulary.enums import AssetType, JobStatus, ProcessingStatus
from ...vocabulary.limits import REFS
from ..sandbox_documents import Doc, add_missing_fields
from ..value_checks import InvalidValue, quote_value

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
ACCOUNT: Doc = {**USER, "isShadow": False, "secondaryEmails": []}

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

JOB: Doc = {
    "description": "",
    "errorMessage": None,
    "status": JobStatus.COMPLETE.value,
    "work": "",
    "arguments": {},
    "dueAt": None,
}


_NAMING = ("label", "slug", "title", "name")
_MADE = ("createdAt", "updatedAt")
_OF_COURSE = ("userId", "courseId")
_OF_PATH = ("userId", "learningPathId")
_AT = ("at",)
_ENROLLED = {"source": "direct", "licenseId": None, "learningPathId": None, "status": "active"}
_ON_PATH = {"licenseId": None, "status": "active"}
_GRADED = {"grade": 0, "passed": False, "forgiven": False}
_SUBMITTED = {"status": "completed", "grade": None, "gradeFeedback": None}


class Kind(NamedTuple):
    """The fields of a kind: `name`, `owner` and `moment` are indexed, as what a document is called,
    whose it is, and when."""

    name: str | None = None
    owner: str | None = None
    moment: str | None = None
    needs: tuple[str, ...] = ()
    """What an item of a seed must have; by default the field that names it."""
    dates: tuple[str, ...] = ()
    """The moment at which a document is made, where a seed says nothing."""
    blank: Mapping[str, Any] = {}
    """What else a document holds at first, so that handlers find every field."""
    unique: tuple[str, ...] = ()
    """Fields besides the id that no two items share, all of them together."""
    exact: bool = False
    """Its ids need not be uuids, so every letter of them counts as it is (O49)."""

    @property
    def needed_fields(self) -> tuple[str, ...]:
        """The fields that an item of a seed must have."""
        return self.needs or ((self.name,) if self.name in _NAMING else ())


_of_user = partial(Kind, owner="userId")

KINDS: Mapping[str, Kind] = {
    "tags": Kind("label"),
    "ribbons": Kind("slug", unique=("slug",)),
    "contentTypes": Kind("label", unique=("label",)),
    "customFields": Kind(
        "slug", "level", needs=("slug", "level", "type"), unique=("level", "slug")
    ),
    "clients": Kind("slug", needs=("name", "slug"), dates=_MADE, blank=CLIENT, unique=("slug",)),
    "licenses": Kind("name", "clientId", needs=("name", "clientId"), dates=_MADE, blank=LICENSE),
    "users": Kind("email", "clientId", needs=("email",), dates=("createdAt",), blank=ACCOUNT),
    "locations": Kind("name", blank=LOCATION),
    "learningPaths": Kind("title"),
    "collections": Kind("title"),
    "subscriptions": Kind("title"),
    "videoAssets": Kind("title", needs=("title", "source"), exact=True),
    "assets": Kind(
        "title",
        moment="updatedAt",
        needs=("title", "assetType"),
        dates=_MADE,
        blank={**ASSET, "deletedAt": None, "revisionOf": None},
    ),
    "purchasePaths": Kind(
        owner="courseId",
        needs=("courseId", "label", "targetType"),
        dates=_MADE,
        blank=PURCHASE_PATH,
    ),
    "meetings": Kind("title", dates=_MADE, blank=MEETING),
    "coupons": Kind("code", needs=("code",), dates=_MADE, blank=COUPON),
    "enrollments": _of_user(needs=_OF_COURSE, dates=("createdAt",), blank=_ENROLLED),
    "learningPathEnrollments": _of_user(needs=_OF_PATH, blank=_ON_PATH),
    "learningPathActivities": _of_user(needs=_OF_PATH, dates=_AT, blank={"status": "completed"}),
    "progress": _of_user(
        needs=_OF_COURSE,
        dates=("startedAt", "updatedAt"),
        blank={"percent": 0, "completedAt": None},
    ),
    "transcripts": _of_user(needs=_OF_COURSE, dates=("completedAt",)),
    "certificates": _of_user(needs=_OF_COURSE, dates=("grantedAt",)),
    "attempts": _of_user(needs=(*_OF_COURSE, "assessmentId"), dates=_AT, blank=_GRADED),
    "scormAttempts": _of_user(
        needs=(*_OF_COURSE, "topicId"), dates=_AT, blank={"status": "incomplete"}
    ),
    "submissions": Kind(
        owner="learnerId",
        needs=("learnerId", "courseId", "assignmentId"),
        dates=_AT,
        blank=_SUBMITTED,
    ),
    "events": Kind(owner="kind", moment="timestamp", needs=("kind", "timestamp")),
    "notifications": Kind("url", needs=("url",)),
    "deliveries": Kind(owner="state", moment="dueAt"),
    "jobs": Kind(moment="dueAt", dates=("acceptedAt", "startsAt"), blank=JOB),
    "trash": Kind(owner="list", needs=("list", "doc")),
}
"""Every kind; a handler that needs another adds a line."""

WORDS = {
    "learningPaths": "learning path",
    "collections": "collection",
    "subscriptions": "subscription",
    "clients": "client",
    "licenses": "license",
    "users": "user",
    "tags": "tag",
}
"""The word for one object of a kind, in messages about an id of the wrong kind."""

_SPELLED = {name: orjson.dumps(kind.blank) for name, kind in KINDS.items()}
"""Reading one is many times faster than copying one."""
_WORDS = {bool: "true or false", int: "a number", str: "text", list: "a list", dict: "an object"}


def make_blank(kind: str, stamp: str) -> Doc:
    """The fields that a document of that kind has at first, made at `stamp`.

    `isShadow`, `secondaryEmails`, `deletedAt` and `revisionOf` are the sandbox's own: routes
    decide by them and show none of them.
    """
    fields: Doc = orjson.loads(_SPELLED[kind])
    return fields | dict.fromkeys(KINDS[kind].dates, stamp)


def fill_blanks(kind: str, item: Doc, *, stamp: str) -> Doc:
    """The item with every field that its kind has at first.

    Raises InvalidValue where a field is not of the type that handlers rely on.
    """
    begun = make_blank(kind, stamp)
    doc = add_missing_fields(item, begun)
    for name, value in begun.items():
        given = doc[name]
        if value is None or type(given) is type(value):  # a reset asks it for a thousand fields
            continue
        if given is None:
            doc[name] = value
        elif not _fits_blank(given, value):
            raise InvalidValue(f"is {quote_value(given)}; it must be {_WORDS[type(value)]}", name)
    return doc


def _fits_blank(given: Any, value: Any) -> bool:
    if isinstance(value, int) and not isinstance(value, bool):
        return isinstance(given, int | float) and not isinstance(given, bool)
    return isinstance(given, type(value))
