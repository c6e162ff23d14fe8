"""What the fields of a seed's items must be: the rules of the routes, and those of what no route
takes. A field that has no rule here is kept as it is, since nothing relies on it."""

import re
from collections.abc import Mapping
from typing import Any

from lmssync.vocabulary import enums
from lmssync.vocabulary.limits import SLUG

from .. import value_checks
from ..data.object_kinds import ASSET, BLOCKS, LAYOUTS, LOCATION, USER
from ..handlers import criteria_routes, license_routes
from ..handlers.course_fields import (
    GROUP_RULES,
    LESSON_RULES,
    SECTION_RULES,
    SESSION_RULES,
    TOPIC_UPDATE_RULES,
)
from ..people.enrollments import ACTIVE, REVOKED, Source
from ..people.event_feed import PushedOnly
from ..people.license_effects import RESTARTS
from ..sandbox_documents import Doc
from ..value_checks import InvalidValue, Rule, quote_value

_IDENTITY = re.compile(r"[A-Za-z0-9._-]{1,100}")
_NUMBER_MOST = 2**24 - 1
"""The highest number of a child in a course: what an id has room for."""


def _stand_apart(_value: Any) -> Any:
    raise InvalidValue("go in a list of their own and name their parent by its id")


def _list_of_objects(**rules: Rule) -> Rule:
    """A list of objects; the fields that are named must be there."""

    def check_objects(value: Any) -> list[Doc]:
        kept = []
        for index, item in enumerate(value_checks.check_list(value)):
            held = value_checks.json_object(item)
            for name, check in rules.items():
                try:
                    held = {**held, name: check(held.get(name))}
                except InvalidValue as wrong:
                    raise InvalidValue(f"[{index}].{name} {wrong}") from None
            kept.append(held)
        return kept

    return check_objects


def _many_of(rule: Rule) -> Rule:
    return lambda value: [rule(item) for item in value_checks.check_list(value)]


def check_identity(value: Any) -> str:
    """The id of what is no part of a course: a seed may have ids of another form than ours."""
    if isinstance(value, str) and _IDENTITY.fullmatch(value):
        return value.lower()
    raise InvalidValue(f"is {quote_value(value)}; it must be an id, such as a uuid")


identities = _many_of(check_identity)


def _rules_for(rule: Rule, *names: str) -> dict[str, Rule]:
    return dict.fromkeys(names, rule)


def _rules_by_name(names: str, **others: Rule) -> dict[str, Rule]:
    """Rules that follow from the names: a moment, an id, several ids, else text; and others."""
    return {name: _rule_of(name) for name in names.split()} | others


def _rule_of(name: str) -> Rule:
    if name.endswith(("At", "Date")):
        return value_checks.check_date
    if name.endswith("Ids"):
        return identities
    return check_identity if name.endswith("Id") else value_checks.check_text


_MADE = _rules_by_name("createdAt updatedAt")
_ANY_TOPIC = {name: rule for rules in TOPIC_UPDATE_RULES.values() for name, rule in rules.items()}
_DESIGN = _rules_for(value_checks.json_object, *BLOCKS, *LAYOUTS)
_KIND = value_checks.one_of((*enums.CourseKind, *enums.RefusedKind))
_ACCESS = value_checks.one_of((ACTIVE, REVOKED))
_ITEM = _rules_by_name(
    "title description slug sku ribbon courseIds tagIds createdAt updatedAt",
    priceInCents=value_checks.whole_number_between(0),
    active=value_checks.check_flag,
)
_USER: dict[str, Rule] = {
    **{name: value_checks.check_text for name, value in USER.items() if value is None},
    **_rules_by_name("email roleKey clientId learnerUserId managerUserId createdAt lastActiveAt"),
    **_rules_for(value_checks.check_flag, "disabled", "isShadow"),
    "customFields": value_checks.custom_values,
    "secondaryEmails": _many_of(value_checks.check_text),
    "allocatedLicenses": _list_of_objects(licenseId=check_identity),
    "allocatedLearningPaths": _list_of_objects(learningPathId=check_identity),
    **_rules_for(
        _list_of_objects(courseId=check_identity), "purchasedCourses", "waitlistedCourses"
    ),
    "purchasedBundles": _list_of_objects(bundleId=value_checks.check_text),
}

SEED_RULES: Mapping[str, Mapping[str, Rule]] = {
    "courseGroups": {
        **GROUP_RULES,
        **_rules_by_name("title createdAt updatedAt", kind=_KIND, deleted=value_checks.check_flag),
        "slug": value_checks.text_up_to(SLUG, least=1),
    },
    "courses": {
        **SESSION_RULES,
        **_rules_by_name(
            "title createdAt updatedAt", courseGroupId=value_checks.check_uuid, kind=_KIND
        ),
        **_rules_for(value_checks.one_of(enums.SessionStatus), "status", "statusBefore"),
        "lastNumber": value_checks.whole_number_between(0, _NUMBER_MOST),
        RESTARTS: value_checks.check_flag,
        **_rules_for(_stand_apart, "sections", "criteria"),
    },
    "sections": {
        **SECTION_RULES,
        **_rules_by_name("title", courseId=value_checks.check_uuid, lessons=_stand_apart),
    },
    "lessons": {
        **LESSON_RULES,
        **_rules_by_name("title", sectionId=value_checks.check_uuid, topics=_stand_apart),
    },
    "topics": {
        **_ANY_TOPIC,
        **_rules_by_name(
            "updatedAt", lessonId=value_checks.check_uuid, filled=value_checks.check_flag
        ),
    },
    "completionCriteria": {
        **criteria_routes.VALUE_RULES,
        "courseId": value_checks.check_uuid,
        "type": value_checks.one_of(enums.CriterionType),
    },
    "tags": _rules_by_name("label"),
    "ribbons": _rules_by_name("slug"),
    "contentTypes": _rules_by_name("label"),
    "customFields": _rules_by_name(
        "slug",
        level=value_checks.one_of(("group", "session")),
        type=value_checks.one_of(("text", "one", "several")),
        options=value_checks.check_names,
    ),
    "clients": {
        **_rules_by_name("name slug sku customHost defaultLanguage tagIds courseTagIds courseIds"),
        **_rules_by_name(
            "learningPathIds purchasableContentIds purchasableTagIds primaryLicenseId"
        ),
        **_rules_by_name(
            "licenseEndDate createdAt updatedAt", seatsLimit=value_checks.whole_number_between(0)
        ),
        **_rules_for(_many_of(value_checks.check_text), "languages", "notificationEmails"),
        **_DESIGN,
    },
    "licenses": {
        **{
            name: rule for name, rule in license_routes.FIELD_RULES.items() if "replace" not in name
        },
        **_rules_by_name("name clientId parentLicenseId courseIds learningPathIds courseTagIds"),
        **_DESIGN,
        **_MADE,
    },
    "users": _USER,
    "locations": _rules_for(value_checks.check_text, *LOCATION),
    **dict.fromkeys(("learningPaths", "collections", "subscriptions"), _ITEM),
    "videoAssets": _rules_by_name("title", source=value_checks.one_of(enums.VideoSource)),
    "assets": {
        **{name: value_checks.check_text for name, value in ASSET.items() if value is None},
        **_rules_by_name("title tagIds locationIds revisionOf deletedAt createdAt updatedAt"),
        "assetType": value_checks.one_of(enums.AssetType),
        "processingStatus": value_checks.one_of(enums.ProcessingStatus),
        "version": value_checks.whole_number_between(1),
    },
    "purchasePaths": _rules_by_name(
        "label targetUrl targetUrlTitle courseId targetId createdAt updatedAt",
        targetType=value_checks.one_of(enums.TargetType),
        displayOrder=value_checks.whole_number_between(0),
        hidePrimaryCta=value_checks.check_flag,
    ),
    "meetings": _rules_by_name(
        "title timeZone url courseId topicId locationId startDate endDate createdAt updatedAt",
        attendeesLimit=value_checks.whole_number_between(0),
    ),
    "coupons": {
        **_rules_by_name("code description startDate endDate courseIds createdAt updatedAt"),
        "percentOff": value_checks.whole_number_between(0, 100),
        **_rules_for(
            value_checks.whole_number_between(0), "amountOffInCents", "usageLimit", "usageCount"
        ),
        "disabled": value_checks.check_flag,
    },
    "enrollments": _rules_by_name(
        "userId courseId licenseId learningPathId createdAt",
        status=_ACCESS,
        source=value_checks.one_of(Source),
    ),
    "learningPathEnrollments": _rules_by_name("userId learningPathId licenseId", status=_ACCESS),
    "learningPathActivities": _rules_by_name(
        "userId learningPathId status", at=value_checks.check_date
    ),
    "progress": _rules_by_name(
        "userId courseId startedAt updatedAt completedAt",
        percent=value_checks.whole_number_between(0, 100),
    ),
    "transcripts": _rules_by_name("userId courseId completedAt"),
    "certificates": _rules_by_name("userId courseId grantedAt"),
    "attempts": {
        **_rules_by_name(
            "userId courseId assessmentId",
            grade=value_checks.whole_number_between(0),
            at=value_checks.check_date,
        ),
        **_rules_for(value_checks.json_object, "user", "course", "assessment"),
        **_rules_for(value_checks.check_flag, "passed", "forgiven"),
    },
    "scormAttempts": _rules_by_name("userId courseId topicId status", at=value_checks.check_date),
    "submissions": _rules_by_name(
        "learnerId courseId assignmentId status gradeFeedback",
        grade=value_checks.number_between(-(10**9), 10**9),
        at=value_checks.check_date,
    ),
    "events": {
        "kind": value_checks.one_of((*enums.EventKind, *enums.FurtherEventKind, *PushedOnly)),
        "timestamp": value_checks.check_date,
        "userDetail": value_checks.json_object,
    },
    "notifications": _rules_by_name(
        "url", kinds=_many_of(value_checks.one_of((*enums.EventKind, *PushedOnly)))
    ),
    "deliveries": {},
    "jobs": _rules_by_name(
        "description errorMessage work acceptedAt startsAt dueAt endedAt",
        status=value_checks.one_of(enums.JobStatus),
        arguments=value_checks.json_object,
    ),
    "trash": {
        **_rules_for(value_checks.check_text, "id", "list", "parentId"),
        "index": value_checks.whole_number_between(0),
        "doc": value_checks.json_object,
    },
}
