"""What a seeded document holds where its seed says nothing, so that handlers find every field."""

from lmssync.vocabulary.enums import AssetType, JobStatus, ProcessingStatus
from lmssync.vocabulary.limits import REFS

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
