"""What the fields of a seed's items must be: the rules of the routes, and those of what no route
takes. A field that has no rule here is kept as it is, since nothing relies on it."""

import re
from collections.abc import Mapping
from typing import Any

from lmssync.vocabulary import enums
from lmssync.vocabulary.limits import SLUG

from .. import checks
from ..checks import Rule, Wrong
from ..data import blanks
from ..documents import Doc
from ..handlers import criteria, licenses
from ..handlers.course_fields import GROUP_RULES, SESSION_RULES
from ..handlers.topic_fields import LESSON_RULES, SECTION_RULES, UPDATE_RULES
from ..people.feed import PushedOnly
from ..people.learners import ACTIVE, REVOKED, Source
from ..people.reach import RESTARTS

_IDENTITY = re.compile(r"[A-Za-z0-9._-]{1,100}")
_NUMBER_MOST = 2**24 - 1
"""The highest number of a child in a course: what an id has room for."""


def _stand_apart(_value: Any) -> Any:
    raise Wrong("go in a list of their own and name their parent by its id")


def _objects(**rules: Rule) -> Rule:
    """A list of objects; the fields that are named must be there."""

    def rule(value: Any) -> list[Doc]:
        kept = []
        for index, item in enumerate(checks.many(value)):
            held = checks.json_object(item)
            for name, check in rules.items():
                try:
                    held = {**held, name: check(held.get(name))}
                except Wrong as wrong:
                    raise Wrong(f"[{index}].{name} {wrong}") from None
            kept.append(held)
        return kept

    return rule


def _many_of(rule: Rule) -> Rule:
    return lambda value: [rule(item) for item in checks.many(value)]


def identity(value: Any) -> str:
    """The id of what is no part of a course: a seed may have ids of another form than ours."""
    if isinstance(value, str) and _IDENTITY.fullmatch(value):
        return value.lower()
    raise Wrong(f"is {checks.shown(value)}; it must be an id, such as a uuid")


identities = _many_of(identity)


def _all(rule: Rule, *names: str) -> dict[str, Rule]:
    return dict.fromkeys(names, rule)


_MADE = _all(checks.date, "createdAt", "updatedAt")
_ANY_TOPIC = {name: rule for rules in UPDATE_RULES.values() for name, rule in rules.items()}
_DESIGN = _all(checks.json_object, *blanks.BLOCKS, *blanks.LAYOUTS)
_OF_A_COURSE = _all(identity, "userId", "courseId")
_ITEM: dict[str, Rule] = {
    **_all(checks.text, "title", "description", "slug", "sku", "ribbon"),
    **_all(identities, "courseIds", "tagIds"),
    "priceInCents": checks.whole(0),
    "active": checks.flag,
    **_MADE,
}
_USER: dict[str, Rule] = {
    **{name: checks.text for name, value in blanks.USER.items() if value is None},
    **_all(checks.text, "email", "roleKey"),
    **_all(checks.flag, "disabled", "isShadow"),
    **_all(identity, "clientId", "learnerUserId", "managerUserId"),
    **_all(checks.date, "createdAt", "lastActiveAt"),
    "customFields": checks.custom_values,
    "secondaryEmails": _many_of(checks.text),
    "allocatedLicenses": _objects(licenseId=identity),
    "allocatedLearningPaths": _objects(learningPathId=identity),
    "purchasedCourses": _objects(courseId=identity),
    "waitlistedCourses": _objects(courseId=identity),
    "purchasedBundles": _objects(bundleId=checks.text),
}

RULES: Mapping[str, Mapping[str, Rule]] = {
    "courseGroups": {
        **GROUP_RULES,
        "title": checks.text,
        "slug": checks.text_up_to(SLUG, least=1),
        "kind": checks.one_of((*enums.CourseKind, *enums.RefusedKind)),
        "deleted": checks.flag,
        **_MADE,
    },
    "courses": {
        **SESSION_RULES,
        "title": checks.text,
        "courseGroupId": checks.uuid,
        "kind": checks.one_of((*enums.CourseKind, *enums.RefusedKind)),
        **_all(checks.one_of(enums.SessionStatus), "status", "statusBefore"),
        "lastNumber": checks.whole(0, _NUMBER_MOST),
        RESTARTS: checks.flag,
        **_MADE,
        **_all(_stand_apart, "sections", "criteria"),
    },
    "sections": {
        **SECTION_RULES,
        "title": checks.text,
        "courseId": checks.uuid,
        "lessons": _stand_apart,
    },
    "lessons": {
        **LESSON_RULES,
        "title": checks.text,
        "sectionId": checks.uuid,
        "topics": _stand_apart,
    },
    "topics": {
        **_ANY_TOPIC,
        "lessonId": checks.uuid,
        "filled": checks.flag,
        "updatedAt": checks.date,
    },
    "completionCriteria": {
        **criteria.VALUE_RULES,
        "courseId": checks.uuid,
        "type": checks.one_of(enums.CriterionType),
    },
    "tags": _all(checks.text, "label"),
    "ribbons": _all(checks.text, "slug"),
    "contentTypes": _all(checks.text, "label"),
    "customFields": {
        "slug": checks.text,
        "level": checks.one_of(("group", "session")),
        "type": checks.one_of(("text", "one", "several")),
        "options": checks.names,
    },
    "clients": {
        **_all(checks.text, "name", "slug", "sku", "customHost", "defaultLanguage"),
        **_all(identities, "tagIds", "courseTagIds", "courseIds", "learningPathIds"),
        **_all(identities, "purchasableContentIds", "purchasableTagIds"),
        **_all(_many_of(checks.text), "languages", "notificationEmails"),
        "primaryLicenseId": identity,
        "seatsLimit": checks.whole(0),
        "licenseEndDate": checks.date,
        **_DESIGN,
        **_MADE,
    },
    "licenses": {
        **{name: rule for name, rule in licenses.FIELD_RULES.items() if "replace" not in name},
        "name": checks.text,
        **_all(identity, "clientId", "parentLicenseId"),
        **_all(identities, "courseIds", "learningPathIds", "courseTagIds"),
        **_DESIGN,
        **_MADE,
    },
    "users": _USER,
    "locations": _all(checks.text, *blanks.LOCATION),
    **dict.fromkeys(("learningPaths", "collections", "subscriptions"), _ITEM),
    "videoAssets": {"title": checks.text, "source": checks.one_of(enums.VideoSource)},
    "assets": {
        **{name: checks.text for name, value in blanks.ASSET.items() if value is None},
        "title": checks.text,
        "assetType": checks.one_of(enums.AssetType),
        "processingStatus": checks.one_of(enums.ProcessingStatus),
        **_all(identities, "tagIds", "locationIds"),
        "version": checks.whole(1),
        "revisionOf": checks.text,
        "deletedAt": checks.date,
        **_MADE,
    },
    "purchasePaths": {
        **_all(checks.text, "label", "targetUrl", "targetUrlTitle"),
        "targetType": checks.one_of(enums.TargetType),
        **_all(identity, "courseId", "targetId"),
        "displayOrder": checks.whole(0),
        "hidePrimaryCta": checks.flag,
        **_MADE,
    },
    "meetings": {
        **_all(checks.text, "title", "timeZone", "url"),
        **_all(identity, "courseId", "topicId", "locationId"),
        **_all(checks.date, "startDate", "endDate"),
        "attendeesLimit": checks.whole(0),
        **_MADE,
    },
    "coupons": {
        **_all(checks.text, "code", "description"),
        "percentOff": checks.whole(0, 100),
        **_all(checks.whole(0), "amountOffInCents", "usageLimit", "usageCount"),
        **_all(checks.date, "startDate", "endDate"),
        "courseIds": identities,
        "disabled": checks.flag,
        **_MADE,
    },
    "enrollments": {
        **_OF_A_COURSE,
        **_all(identity, "licenseId", "learningPathId"),
        "status": checks.one_of((ACTIVE, REVOKED)),
        "source": checks.one_of(Source),
        "createdAt": checks.date,
    },
    "learningPathEnrollments": {
        **_all(identity, "userId", "learningPathId", "licenseId"),
        "status": checks.one_of((ACTIVE, REVOKED)),
    },
    "learningPathActivities": {
        **_all(identity, "userId", "learningPathId"),
        "status": checks.text,
        "at": checks.date,
    },
    "progress": {
        **_OF_A_COURSE,
        "percent": checks.whole(0, 100),
        **_all(checks.date, "startedAt", "updatedAt", "completedAt"),
    },
    "transcripts": {**_OF_A_COURSE, "completedAt": checks.date},
    "certificates": {**_OF_A_COURSE, "grantedAt": checks.date},
    "attempts": {
        **_OF_A_COURSE,
        "assessmentId": identity,
        **_all(checks.json_object, "user", "course", "assessment"),
        "grade": checks.whole(0),
        **_all(checks.flag, "passed", "forgiven"),
        "at": checks.date,
    },
    "scormAttempts": {
        **_OF_A_COURSE,
        "topicId": identity,
        "status": checks.text,
        "at": checks.date,
    },
    "submissions": {
        **_all(identity, "learnerId", "courseId", "assignmentId"),
        **_all(checks.text, "status", "gradeFeedback"),
        "grade": checks.number(-(10**9), 10**9),
        "at": checks.date,
    },
    "events": {
        "kind": checks.one_of((*enums.EventKind, *enums.FurtherEventKind, *PushedOnly)),
        "timestamp": checks.date,
        "userDetail": checks.json_object,
    },
    "notifications": {
        "url": checks.text,
        "kinds": _many_of(checks.one_of((*enums.EventKind, *PushedOnly))),
    },
    "deliveries": {},
    "jobs": {
        **_all(checks.text, "description", "errorMessage", "work"),
        "status": checks.one_of(enums.JobStatus),
        "arguments": checks.json_object,
        **_all(checks.date, "acceptedAt", "startsAt", "dueAt", "endedAt"),
    },
    "trash": {
        **_all(checks.text, "id", "list", "parentId"),
        "index": checks.whole(0),
        "doc": checks.json_object,
    },
}
