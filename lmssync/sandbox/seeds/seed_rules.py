"""What the fields of a seed's items must be: the rules of the routes, and those of what no route
takes; and their serials. A field without a rule is kept as it is, since nothing relies on it."""

import re
from collections.abc import Iterable, Mapping
from itertools import count
from typing import Any

from ...vocabulary import enums
from ...vocabulary.limits import SLUG
from .. import value_checks
from ..data.object_documents import Level
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
from ..people.event_feed import RECORDED, RECORDED_TEXT, PushedOnly
from ..people.license_effects import RESTARTS
from ..sandbox_documents import Doc, drop_fields
from ..sandbox_platform import Platform
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
            fields = value_checks.json_object(item)
            for name, check in rules.items():
                try:
                    fields = {**fields, name: check(fields.get(name))}
                except InvalidValue as wrong:
                    raise InvalidValue(f"[{index}].{name} {wrong}") from None
            kept.append(fields)
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


def _rules_by_name(names: str, **others: Rule) -> dict[str, Rule]:
    """Rules that follow from the names: a moment, an id, several ids, else text; and others."""
    return {name: _rule_of(name) for name in names.split()} | others


def _rule_of(name: str) -> Rule:
    if name.endswith(("At", "Date")):
        return value_checks.check_date
    if name.endswith("Ids"):
        return identities
    return check_identity if name.endswith("Id") else value_checks.check_text


_FLAG, _DATE, _TEXT, _OBJECT, _UUID = (
    value_checks.check_flag, value_checks.check_date, value_checks.check_text,
    value_checks.json_object, value_checks.check_uuid,
)  # fmt: skip
_WHOLE, _PERCENT = (
    value_checks.whole_number_between(0), value_checks.whole_number_between(0, 100),
)  # fmt: skip
_ANY_TOPIC = {name: rule for rules in TOPIC_UPDATE_RULES.values() for name, rule in rules.items()}
_DESIGN = dict.fromkeys((*BLOCKS, *LAYOUTS), _OBJECT)
_KIND = value_checks.one_of((*enums.CourseKind, *enums.RefusedKind))
_ACCESS = value_checks.one_of((ACTIVE, REVOKED))
_ITEM = _rules_by_name(
    "title description slug sku ribbon courseIds tagIds createdAt updatedAt",
    priceInCents=_WHOLE,
    active=_FLAG,
)
_USER: dict[str, Rule] = {
    **{name: _TEXT for name, value in USER.items() if value is None},
    **_rules_by_name("email roleKey clientId learnerUserId managerUserId createdAt lastActiveAt"),
    **dict.fromkeys(("disabled", "isShadow"), _FLAG),
    "customFields": value_checks.custom_values,
    "secondaryEmails": _many_of(_TEXT),
    "allocatedLicenses": _list_of_objects(licenseId=check_identity),
    "allocatedLearningPaths": _list_of_objects(learningPathId=check_identity),
    "purchasedCourses": _list_of_objects(courseId=check_identity),
    "waitlistedCourses": _list_of_objects(courseId=check_identity),
    "purchasedBundles": _list_of_objects(bundleId=_TEXT),
}

SEED_RULES: Mapping[str, Mapping[str, Rule]] = {
    "courseGroups": {
        **GROUP_RULES,
        **_rules_by_name("title createdAt updatedAt", kind=_KIND, deleted=_FLAG),
        "slug": value_checks.text_up_to(SLUG, least=1),
    },
    "courses": {
        **SESSION_RULES,
        **_rules_by_name("title createdAt updatedAt", courseGroupId=_UUID, kind=_KIND),
        **dict.fromkeys(("status", "statusBefore"), value_checks.one_of(enums.SessionStatus)),
        "lastNumber": value_checks.whole_number_between(0, _NUMBER_MOST),
        RESTARTS: _FLAG,
        **dict.fromkeys(("sections", "criteria"), _stand_apart),
    },
    "sections": {**SECTION_RULES, **_rules_by_name("title", courseId=_UUID, lessons=_stand_apart)},
    "lessons": {**LESSON_RULES, **_rules_by_name("title", sectionId=_UUID, topics=_stand_apart)},
    "topics": {**_ANY_TOPIC, **_rules_by_name("updatedAt", lessonId=_UUID, filled=_FLAG)},
    "completionCriteria": {
        **criteria_routes.VALUE_RULES,
        "courseId": _UUID,
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
        **_rules_by_name(
            "name slug sku customHost defaultLanguage tagIds courseTagIds courseIds learningPathIds"
            " purchasableContentIds purchasableTagIds primaryLicenseId licenseEndDate createdAt"
            " updatedAt",
            seatsLimit=_WHOLE,
        ),
        **dict.fromkeys(("languages", "notificationEmails"), _many_of(_TEXT)),
        **_DESIGN,
    },
    "licenses": {
        **drop_fields(license_routes.FIELD_RULES, *license_routes.ASSIGNMENTS.values()),
        **_rules_by_name(
            "name clientId parentLicenseId courseIds learningPathIds courseTagIds createdAt"
            " updatedAt"
        ),
        **_DESIGN,
    },
    "users": _USER,
    "locations": dict.fromkeys(LOCATION, _TEXT),
    **dict.fromkeys(("learningPaths", "collections", "subscriptions"), _ITEM),
    "videoAssets": _rules_by_name("title", source=value_checks.one_of(enums.VideoSource)),
    "assets": {
        **{name: _TEXT for name, value in ASSET.items() if value is None},
        **_rules_by_name("title tagIds locationIds revisionOf deletedAt createdAt updatedAt"),
        "assetType": value_checks.one_of(enums.AssetType),
        "processingStatus": value_checks.one_of(enums.ProcessingStatus),
        "version": value_checks.whole_number_between(1),
    },
    "purchasePaths": _rules_by_name(
        "label targetUrl targetUrlTitle courseId targetId createdAt updatedAt",
        targetType=value_checks.one_of(enums.TargetType),
        displayOrder=_WHOLE,
        hidePrimaryCta=_FLAG,
    ),
    "meetings": _rules_by_name(
        "title timeZone url courseId topicId locationId startDate endDate createdAt updatedAt",
        attendeesLimit=_WHOLE,
    ),
    "coupons": {
        **_rules_by_name("code description startDate endDate courseIds createdAt updatedAt"),
        "percentOff": _PERCENT,
        **dict.fromkeys(("amountOffInCents", "usageLimit", "usageCount"), _WHOLE),
        "disabled": _FLAG,
    },
    "enrollments": _rules_by_name(
        "userId courseId licenseId learningPathId createdAt",
        status=_ACCESS,
        source=value_checks.one_of(Source),
    ),
    "learningPathEnrollments": _rules_by_name("userId learningPathId licenseId", status=_ACCESS),
    "learningPathActivities": _rules_by_name("userId learningPathId status", at=_DATE),
    "progress": _rules_by_name("userId courseId startedAt updatedAt completedAt", percent=_PERCENT),
    "transcripts": _rules_by_name("userId courseId completedAt"),
    "certificates": _rules_by_name("userId courseId grantedAt"),
    "attempts": {
        **_rules_by_name("userId courseId assessmentId", grade=_WHOLE, at=_DATE),
        **dict.fromkeys(("user", "course", "assessment"), _OBJECT),
        **dict.fromkeys(("passed", "forgiven"), _FLAG),
    },
    "scormAttempts": _rules_by_name("userId courseId topicId status", at=_DATE),
    "submissions": _rules_by_name(
        "learnerId courseId assignmentId status gradeFeedback",
        grade=value_checks.check_number,
        at=_DATE,
    ),
    "events": {
        "kind": value_checks.one_of((*enums.EventKind, *enums.FurtherEventKind, *PushedOnly)),
        "timestamp": _DATE,
        "userDetail": _OBJECT,
        RECORDED: _OBJECT,
        RECORDED_TEXT: value_checks.check_json_text,
    },
    "notifications": _rules_by_name(
        "url", kinds=_many_of(value_checks.one_of((*enums.EventKind, *PushedOnly)))
    ),
    "deliveries": {},
    "jobs": _rules_by_name(
        "description errorMessage work acceptedAt startsAt dueAt endedAt",
        status=value_checks.one_of(enums.JobStatus),
        arguments=_OBJECT,
    ),
    "trash": {**dict.fromkeys(("id", "list", "parentId"), _TEXT), "index": _WHOLE, "doc": _OBJECT},
}


Below = Mapping[str, list[tuple[str, Doc]]]
"""The children of everything in the tree, by its id: items with the names of their lists."""
Serials = Mapping[str, Mapping[str, int]]
"""The serials of groups and of courses, by the name of the list and by id."""


def assign_serials(platform: Platform, seed: Doc, below: Below) -> Serials:
    """The serials of all groups and courses of a seed."""
    return {
        name: _serials_in_order(platform, seed.get(name, ()), level, below)
        for name, level in (("courseGroups", Level.GROUP), ("courses", Level.COURSE))
    }


def reserve_ids(platform: Platform, items: Iterable[Doc], serials: Serials) -> None:
    """New things must not get the ids that a dump of a platform with this id seed brings."""
    known = [identity for item in items if (identity := platform.ids.read_id(str(item.get("id"))))]
    in_courses = [one.serial for one in known if one.level is not Level.OBJECT]
    assigned = (serial for one in serials.values() for serial in one.values())
    platform.courses.reserve_serials(max((*in_courses, *assigned), default=0))
    of_objects = (one.serial for one in known if one.level is Level.OBJECT)
    platform.objects.reserve_ids(max(of_objects, default=0))


def _serials_in_order(
    platform: Platform, items: Iterable[Doc], level: Level, below: Below
) -> dict[str, int]:
    """The serials of groups or courses, by id.

    The serial is what an id of ours says, of the item or of a part in it; an item from elsewhere
    gets the next one that is free, so that the order of a dump stays.
    """
    identities = {item["id"]: platform.ids.read_id(item["id"]) for item in items}
    serials = {id_: one.serial for id_, one in identities.items() if one and one.level is level}
    taken, last = set(serials.values()), platform.courses.last_serial
    for id_ in identities:
        if id_ not in serials:
            inner = _serial_of_parts(platform, id_, below) if level is Level.COURSE else None
            free = (number for number in count(last + 1) if number not in taken)
            serials[id_] = next(free) if inner is None or inner in taken else inner
        last = serials[id_]
        taken.add(last)
    return serials


def _serial_of_parts(platform: Platform, id_: str, below: Below) -> int | None:
    """The serial that the id of a part of ours says, anywhere in a course."""
    for _, part in below.get(id_, ()):
        identity = platform.ids.read_id(part["id"])
        inner = identity.serial if identity else _serial_of_parts(platform, part["id"], below)
        if inner is not None:
            return inner
    return None
