"""What each route takes in its path, in its query and in its body."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial

from ...vocabulary import limits
from ...vocabulary.enums import AssetType, CourseKind, CriterionType, ReleaseType, TopicType
from ...vocabulary.routes import Route
from ..handlers import (
    activity_routes,
    client_routes,
    content_routes,
    course_create,
    course_fields,
    course_reads,
    course_update,
    criteria_routes,
    purchase_path_routes,
    sublicense_routes,
    user_routes,
    user_writes,
)
from ..handlers.activity_routes import COURSE_RULES, PATH_RULES
from ..handlers.event_routes import feeds_of
from ..handlers.license_routes import ASSIGNMENTS, FIELD_RULES
from ..handlers.list_pages import LAST_PAGE, MANY_MOST, PAGE_MOST
from ..sandbox_documents import drop_fields
from ..sandbox_platform import Platform
from ..value_checks import Rule, check_uuid, one_of
from . import json_schemas as s
from .json_schemas import Schema, object_of

_PER_PAGE = s.integer_schema(1, PAGE_MOST)
_MILLISECONDS = s.any_of(s.integer_schema(0, 10**15 - 1), s.enum_schema([""]))
"""An empty one counts as left out."""
_BY_PAGE = {"page": s.integer_schema(1, LAST_PAGE), "perPage": _PER_PAGE}
_BY_CURSOR = {"cursor": s.STRING}
_BY_EITHER = {**_BY_PAGE, "perPage": s.integer_schema(1, MANY_MOST), **_BY_CURSOR}

QUERIES: Mapping[str, Mapping[str, Schema]] = {
    "criteria.list": _BY_PAGE,
    **dict.fromkeys(("location.list", "user.list", "attempt.list"), _BY_CURSOR),
    **dict.fromkeys(("meeting.list", "coupon.list"), _BY_CURSOR),
    **dict.fromkeys(("group.courses", "section.list", "section.lessons"), _BY_EITHER),
    **dict.fromkeys(("lesson.list", "license.list"), _BY_EITHER),
    "topic.list": {**_BY_CURSOR, "perPage": _PER_PAGE},
    "client.list": {
        "query": s.STRING,
        "sort": s.enum_schema(
            [*client_routes.SORTS, *(f"-{name}" for name in client_routes.SORTS)]
        ),
        **_BY_CURSOR,
    },
    "tag.list": {"filters": s.STRING, "filters[label]": s.STRING, **_BY_PAGE},
    "asset.list": {
        "assetType": s.enum_schema(AssetType),
        "search": s.string_schema(maxLength=limits.ASSET_SEARCH),
        "tagIds": s.array_schema(s.UUID),
        "updatedAfter": s.DATE_TIME,
        **_BY_CURSOR,
        "limit": s.integer_schema(1, limits.ASSET_PAGE_MOST),
    },
    "event.list": {
        "startDate": _MILLISECONDS,
        "endDate": _MILLISECONDS,
        "notifiableId": s.STRING,
        "userId": s.STRING,
        **_BY_CURSOR,
    },
    "activity.assignment": {"jwt": s.STRING},
    "group.list": {
        **_BY_EITHER,
        "kind": s.enum_schema(course_reads.KINDS),
        "archived": s.enum_schema(["true", "false"]),
    },
    "content.search": {
        "types[]": s.array_schema(s.enum_schema(content_routes.TYPES)),
        "query": s.STRING,
        "perPage": _PER_PAGE,
        **_BY_CURSOR,
    },
}
"""Parameters by route, besides those that say who asks; a list is one parameter an item."""


def path_parameter_schema(platform: Platform, route: Route, name: str) -> Schema:
    """What a parameter of a path is. Another text than that is 404, as an unknown id is; users
    have e-mail addresses in the place of ids, in the extended profile (O35)."""
    if name == "kind":
        return s.enum_schema(feeds_of(platform))
    by_email = route.name.startswith("user.") and platform.profile == "extended"
    return s.string_schema(minLength=1) if by_email or name == "slug" else s.UUID


_FILLED = ("title", "slug", "openType")
"""What no change of a course can clear."""
_NAMES: Mapping[str, str] = {
    TopicType.ARTICLE: "Article",
    TopicType.AUDIO: "Audio",
    TopicType.PDF_VIEWER: "Pdf",
    TopicType.SHAREABLE_CONTENT_OBJECT: "Package",
    TopicType.TEXT: "Text",
    TopicType.VIDEO: "Video",
    TopicType.X_API_OBJECT: "XApi",
}
"""What the forms of topics are called, by the first type that has one; all others are plain."""
Rules = Mapping[str, Rule]
Names = tuple[str, ...]
Body = Schema | Callable[[Platform], Schema]
"""The schema of a body; a function where it depends on the switches."""


def _course_object(platform: Platform) -> Callable[..., Schema]:
    """`object_of`, which refuses unknown fields of a course as the switch says."""
    return partial(object_of, strict=platform.switches.unknownFields == "refuse")


def _course_create(platform: Platform) -> Schema:
    """The entries of each kind, with the structure of the kind (spec 2.2)."""
    make, topic_list = _course_object(platform), s.array_schema(s.schema_ref("Topic"))
    refused = "source" if platform.switches.sourceRefused else ""
    in_lesson, in_section = ("title", "openType", "topics"), ("title", "lessons")
    lesson = make(course_fields.LESSON_RULES, name="Lesson", required=in_lesson, topics=topic_list)
    lessons = s.array_schema(lesson)
    section = make(
        course_fields.SECTION_RULES, name="Section", required=in_section, lessons=lessons
    )
    structures: Mapping[str, Mapping[str, Schema]] = {
        CourseKind.COURSE_GROUP: {"sections": s.nullable_schema(s.array_schema(section))},
        CourseKind.MICRO_COURSE: {"topics": s.nullable_schema(topic_list)},
    }
    entries = [
        make(
            drop_fields(rules, refused),
            name=f"{kind[0].upper()}{kind[1:]}Entry",
            required=("title", "kind"),
            kind=s.enum_schema([kind]),
            **structures.get(kind, {}),
        )
        for kind, rules in course_create.CREATE_RULES.items()
    ]
    attributes = s.array_schema(s.any_of(*entries), minItems=1, maxItems=limits.COURSES_PER_CREATE)
    return s.open_record(courseAttributes=attributes)


def topic_schema(platform: Platform) -> Schema:
    make, rules = _course_object(platform), course_fields.TOPIC_CREATE_RULES
    return s.any_of(*_schemas_by_fields(make, "Topic", rules, required=("type",)))


def _schemas_by_fields(
    make: Callable[..., Schema], suffix: str, rules_of: Mapping[str, Rules], *, required: Names
) -> Iterator[Schema]:
    """One schema for all types of topics that take the same fields."""
    types_of: dict[Names, list[str]] = {}
    for type_, rules in rules_of.items():
        types_of.setdefault(tuple(rules), []).append(type_)
    for types in types_of.values():
        name = f"{_NAMES.get(types[0], 'Plain')}{suffix}"
        yield make(rules_of[types[0]], name=name, required=required, type=s.enum_schema(types))


def _course_update(platform: Platform) -> Schema:
    """An entry with `id` changes, one without adds (O3)."""
    make = _course_object(platform)

    def changed_schema(name: str, rules: Rules) -> Schema:
        rules = {"id": check_uuid, **rules}
        return make(rules, name=f"{name}Change", required=("id",), filled=_FILLED)

    def entry_schema(name: str, parent: str, rules: Rules, new: Rules | None = None) -> Schema:
        added = {parent: check_uuid, **(new or rules)}
        addition = make(added, name=f"{name}Addition", required=(parent, "title"))
        return s.array_schema(s.any_of(changed_schema(name, rules), addition))

    refused = "" if platform.switches.statusOnUpdate else "status"
    session = drop_fields(course_update.UPDATE_SESSION_RULES, refused)
    section = drop_fields(course_fields.SECTION_RULES, "lessons")
    lesson = drop_fields(course_fields.LESSON_RULES, "topics")
    of_type = course_fields.TOPIC_UPDATE_RULES
    any_topic = {name: rule for rules in of_type.values() for name, rule in rules.items()}
    new_topics = _schemas_by_fields(
        make,
        "TopicAddition",
        {type_: {"lessonId": check_uuid, **rules} for type_, rules in of_type.items()},
        required=("lessonId", "title", "type"),
    )
    new_session = course_update.NEW_SESSION_RULES
    lists = {
        "courseGroups": s.array_schema(changed_schema("Group", course_update.UPDATE_GROUP_RULES)),
        "courses": entry_schema("Session", "courseGroupId", session, new_session),
        "sections": entry_schema("Section", "courseId", section),
        "lessons": entry_schema("Lesson", "sectionId", lesson),
        "topics": s.array_schema(s.any_of(changed_schema("Topic", any_topic), *new_topics)),
    }
    changes = s.record_schema("CourseChanges", optional=lists, **s.all_nullable(lists))
    return s.open_record(courseAttributes=changes)


_CRITERION = object_of(
    {
        "id": check_uuid,
        "courseId": check_uuid,
        "type": one_of(CriterionType),
        **criteria_routes.VALUE_RULES,
    },
    name="CriterionEntry",
    strict=False,
)
_USER = object_of(sublicense_routes.USER_RULES, name="SublicenseUser")
_CONTENT_USER = object_of(user_routes.ENTRY_RULES, name="ContentUser")
_OPTIONS = object_of(sublicense_routes.OPTION_RULES, name="EnrollmentOptions")
_SUBLICENSE = s.record_schema(
    optional=["enrollmentOptions"],
    users=s.array_schema(_USER, minItems=1, maxItems=limits.USERS_PER_SUBLICENSE),
    enrollmentOptions=s.nullable_schema(_OPTIONS),
)
_NAME = s.string_schema(minLength=1)
_SLUG = s.string_schema(pattern="^[a-z0-9-]{0,255}$")
_SCALAR: Schema = {"type": ["string", "boolean", "number"]}

BODIES: Mapping[str, Body] = {
    "course.create": _course_create,
    "course.update": _course_update,
    "criteria.update": s.open_record(criteria=s.array_schema(_CRITERION)),
    "client.clone": s.open_record(optional=["slug"], name=_NAME, slug=s.nullable_schema(_SLUG)),
    "client.status": s.open_record(status=_SCALAR),
    "license.create": object_of(
        {"clientId": check_uuid, **FIELD_RULES}, required=("clientId", *ASSIGNMENTS, "name")
    ),
    "license.update": object_of(FIELD_RULES, filled=("name", *ASSIGNMENTS)),
    "sublicense.assign": _SUBLICENSE,
    "path.create": object_of(purchase_path_routes.RULES, required=("label", "targetType")),
    "attempt.forgive": {**s.OBJECT, "additionalProperties": False},
    "activity.learningPath": object_of(PATH_RULES, required=("userId", "learningPathId")),
    "activity.course": object_of(COURSE_RULES, required=COURSE_RULES),
    "activity.assignment": object_of(
        activity_routes.ASSIGNMENT_RULES, required=activity_routes.ASSIGNMENT_NEEDED
    ),
    "user.create": object_of(user_writes.CREATE_RULES, required=("email",)),
    "user.change": object_of(user_writes.CHANGE_RULES, filled=user_writes.NEVER_NULL),
    "user.status": object_of(user_writes.STATUS_RULES, required=user_writes.STATUS_RULES),
    "user.dualRole": object_of(user_writes.DUAL_RULES, required=user_writes.DUAL_RULES),
    "user.removeManagers": object_of(user_writes.REMOVAL_RULES, required=user_writes.REMOVAL_RULES),
    "user.assignContent": s.record_schema(users=s.array_schema(_CONTENT_USER)),
    "content.release": s.open_record(releaseType=s.enum_schema(ReleaseType)),
}
