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


def _named(names: str, **others: Rule) -> dict[str, Rule]:
    """Rules that follow from the names: a moment, an id, several ids, else text; and others."""
    return {name: _rule_of(name) for name in names.split()} | others


def _rule_of(name: str) -> Rule:
    if name.endswith(("At", "Date")):
        return checks.date
    if name.endswith("Ids"):
        return identities
    return identity if name.endswith("Id") else checks.text


_MADE = _named("createdAt updatedAt")
_ANY_TOPIC = {name: rule for rules in UPDATE_RULES.values() for name, rule in rules.items()}
_DESIGN = _all(checks.json_object, *blanks.BLOCKS, *blanks.LAYOUTS)
_KIND = checks.one_of((*enums.CourseKind, *enums.RefusedKind))
_ACCESS = checks.one_of((ACTIVE, REVOKED))
_ITEM = _named(
    "title description slug sku ribbon courseIds tagIds createdAt updatedAt",
    priceInCents=checks.whole(0),
    active=checks.flag,
)
_USER: dict[str, Rule] = {
    **{name: checks.text for name, value in blanks.USER.items() if value is None},
    **_named("email roleKey clientId learnerUserId managerUserId createdAt lastActiveAt"),
    **_all(checks.flag, "disabled", "isShadow"),
    "customFields": checks.custom_values,
    "secondaryEmails": _many_of(checks.text),
    "allocatedLicenses": _objects(licenseId=identity),
    "allocatedLearningPaths": _objects(learningPathId=identity),
    **_all(_objects(courseId=identity), "purchasedCourses", "waitlistedCourses"),
    "purchasedBundles": _objects(bundleId=checks.text),
}

RULES: Mapping[str, Mapping[str, Rule]] = {
    "courseGroups": {
        **GROUP_RULES,
        **_named("title createdAt updatedAt", kind=_KIND, deleted=checks.flag),
        "slug": checks.text_up_to(SLUG, least=1),
    },
    "courses": {
        **SESSION_RULES,
        **_named("title createdAt updatedAt", courseGroupId=checks.uuid, kind=_KIND),
        **_all(checks.one_of(enums.SessionStatus), "status", "statusBefore"),
        "lastNumber": checks.whole(0, _NUMBER_MOST),
        RESTARTS: checks.flag,
        **_all(_stand_apart, "sections", "criteria"),
    },
    "sections": {**SECTION_RULES, **_named("title", courseId=checks.uuid, lessons=_stand_apart)},
    "lessons": {**LESSON_RULES, **_named("title", sectionId=checks.uuid, topics=_stand_apart)},
    "topics": {**_ANY_TOPIC, **_named("updatedAt", lessonId=checks.uuid, filled=checks.flag)},
    "completionCriteria": {
        **criteria.VALUE_RULES,
        "courseId": checks.uuid,
        "type": checks.one_of(enums.CriterionType),
    },
    "tags": _named("label"),
    "ribbons": _named("slug"),
    "contentTypes": _named("label"),
    "customFields": _named(
        "slug",
        level=checks.one_of(("group", "session")),
        type=checks.one_of(("text", "one", "several")),
        options=checks.names,
    ),
    "clients": {
        **_named("name slug sku customHost defaultLanguage tagIds courseTagIds courseIds"),
        **_named("learningPathIds purchasableContentIds purchasableTagIds primaryLicenseId"),
        **_named("licenseEndDate createdAt updatedAt", seatsLimit=checks.whole(0)),
        **_all(_many_of(checks.text), "languages", "notificationEmails"),
        **_DESIGN,
    },
    "licenses": {
        **{name: rule for name, rule in licenses.FIELD_RULES.items() if "replace" not in name},
        **_named("name clientId parentLicenseId courseIds learningPathIds courseTagIds"),
        **_DESIGN,
        **_MADE,
    },
    "users": _USER,
    "locations": _all(checks.text, *blanks.LOCATION),
    **dict.fromkeys(("learningPaths", "collections", "subscriptions"), _ITEM),
    "videoAssets": _named("title", source=checks.one_of(enums.VideoSource)),
    "assets": {
        **{name: checks.text for name, value in blanks.ASSET.items() if value is None},
        **_named("title tagIds locationIds revisionOf deletedAt createdAt updatedAt"),
        "assetType": checks.one_of(enums.AssetType),
        "processingStatus": checks.one_of(enums.ProcessingStatus),
        "version": checks.whole(1),
    },
    "purchasePaths": _named(
        "label targetUrl targetUrlTitle courseId targetId createdAt updatedAt",
        targetType=checks.one_of(enums.TargetType),
        displayOrder=checks.whole(0),
        hidePrimaryCta=checks.flag,
    ),
    "meetings": _named(
        "title timeZone url courseId topicId locationId startDate endDate createdAt updatedAt",
        attendeesLimit=checks.whole(0),
    ),
    "coupons": {
        **_named("code description startDate endDate courseIds createdAt updatedAt"),
        "percentOff": checks.whole(0, 100),
        **_all(checks.whole(0), "amountOffInCents", "usageLimit", "usageCount"),
        "disabled": checks.flag,
    },
    "enrollments": _named(
        "userId courseId licenseId learningPathId createdAt",
        status=_ACCESS,
        source=checks.one_of(Source),
    ),
    "learningPathEnrollments": _named("userId learningPathId licenseId", status=_ACCESS),
    "learningPathActivities": _named("userId learningPathId status", at=checks.date),
    "progress": _named(
        "userId courseId startedAt updatedAt completedAt", percent=checks.whole(0, 100)
    ),
    "transcripts": _named("userId courseId completedAt"),
    "certificates": _named("userId courseId grantedAt"),
    "attempts": {
        **_named("userId courseId assessmentId", grade=checks.whole(0), at=checks.date),
        **_all(checks.json_object, "user", "course", "assessment"),
        **_all(checks.flag, "passed", "forgiven"),
    },
    "scormAttempts": _named("userId courseId topicId status", at=checks.date),
    "submissions": _named(
        "learnerId courseId assignmentId status gradeFeedback",
        grade=checks.number(-(10**9), 10**9),
        at=checks.date,
    ),
    "events": {
        "kind": checks.one_of((*enums.EventKind, *enums.FurtherEventKind, *PushedOnly)),
        "timestamp": checks.date,
        "userDetail": checks.json_object,
    },
    "notifications": _named("url", kinds=_many_of(checks.one_of((*enums.EventKind, *PushedOnly)))),
    "deliveries": {},
    "jobs": _named(
        "description errorMessage work acceptedAt startsAt dueAt endedAt",
        status=checks.one_of(enums.JobStatus),
        arguments=checks.json_object,
    ),
    "trash": {
        **_all(checks.text, "id", "list", "parentId"),
        "index": checks.whole(0),
        "doc": checks.json_object,
    },
}
