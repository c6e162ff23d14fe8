"""What each route takes in its body."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial

from lmssync.vocabulary import limits
from lmssync.vocabulary.enums import CourseKind, CriterionType, ReleaseType, TopicType

from .. import checks
from ..checks import Rule
from ..handlers import (
    assignment_activity,
    course_create,
    course_update_entry,
    criteria,
    purchase_paths,
    sublicense_body,
    topic_fields,
    users,
)
from ..handlers.content_activity import COURSE_RULES, PATH_RULES
from ..handlers.licenses import ASSIGNMENTS, FIELD_RULES
from ..sandbox_platform import Platform
from . import schema as s
from .rule_schemas import object_of
from .schema import Schema

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


def _drop_rule(rules: Rules, name: str) -> Rules:
    return {key: rule for key, rule in rules.items() if key != name}


def _course_create(platform: Platform) -> Schema:
    """The entries of each kind, with the structure of the kind (spec 2.2)."""
    make, topic_list = _course_object(platform), s.array_schema(s.schema_ref("Topic"))
    refused = "source" if platform.switches.sourceRefused else ""
    in_lesson, in_section = ("title", "openType", "topics"), ("title", "lessons")
    lesson = make(topic_fields.LESSON_RULES, name="Lesson", required=in_lesson, topics=topic_list)
    lessons = s.array_schema(lesson)
    section = make(topic_fields.SECTION_RULES, name="Section", required=in_section, lessons=lessons)
    structures: Mapping[str, Mapping[str, Schema]] = {
        CourseKind.COURSE_GROUP: {"sections": s.nullable_schema(s.array_schema(section))},
        CourseKind.MICRO_COURSE: {"topics": s.nullable_schema(topic_list)},
    }
    entries = [
        make(
            _drop_rule(rules, refused),
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
    """A topic of any type."""
    return s.any_of(
        *_by_fields(
            _course_object(platform), "Topic", topic_fields.CREATE_RULES, required=("type",)
        )
    )


def _by_fields(
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
        rules = {"id": checks.check_uuid, **rules}
        return make(rules, name=f"{name}Change", required=("id",), filled=_FILLED)

    def added_schema(name: str, parent: str, rules: Rules) -> Schema:
        rules = {parent: checks.check_uuid, **rules}
        return make(rules, name=f"{name}Addition", required=(parent, "title"))

    def entry_schema(name: str, parent: str, rules: Rules, new: Rules | None = None) -> Schema:
        return s.array_schema(
            s.any_of(changed_schema(name, rules), added_schema(name, parent, new or rules))
        )

    refused = "" if platform.switches.statusOnUpdate else "status"
    session = _drop_rule(course_update_entry.UPDATE_SESSION_RULES, refused)
    any_topic = {
        name: rule for rules in topic_fields.UPDATE_RULES.values() for name, rule in rules.items()
    }
    of_type = {
        type_: {"lessonId": checks.check_uuid, **rules}
        for type_, rules in topic_fields.UPDATE_RULES.items()
    }
    new_topics = _by_fields(make, "TopicAddition", of_type, required=("lessonId", "title", "type"))
    lists = {
        "courseGroups": s.array_schema(
            changed_schema("Group", course_update_entry.UPDATE_GROUP_RULES)
        ),
        "courses": entry_schema(
            "Session", "courseGroupId", session, course_update_entry.NEW_SESSION_RULES
        ),
        "sections": entry_schema(
            "Section", "courseId", _drop_rule(topic_fields.SECTION_RULES, "lessons")
        ),
        "lessons": entry_schema(
            "Lesson", "sectionId", _drop_rule(topic_fields.LESSON_RULES, "topics")
        ),
        "topics": s.array_schema(s.any_of(changed_schema("Topic", any_topic), *new_topics)),
    }
    changes = s.record_schema("CourseChanges", optional=lists, **s.all_nullable(lists))
    return s.open_record(courseAttributes=changes)


_CRITERION = object_of(
    {
        "id": checks.check_uuid,
        "courseId": checks.check_uuid,
        "type": checks.one_of(CriterionType),
        **criteria.VALUE_RULES,
    },
    name="CriterionEntry",
    strict=False,
)
_USER = object_of(sublicense_body.USER_RULES, name="SublicenseUser")
_OPTIONS = object_of(sublicense_body.OPTION_RULES, name="EnrollmentOptions")
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
        {"clientId": checks.check_uuid, **FIELD_RULES}, required=("clientId", *ASSIGNMENTS, "name")
    ),
    "license.update": object_of(FIELD_RULES, filled=("name", *ASSIGNMENTS)),
    "sublicense.assign": _SUBLICENSE,
    "path.create": object_of(purchase_paths.RULES, required=("label", "targetType")),
    "attempt.forgive": {**s.OBJECT, "additionalProperties": False},
    "activity.learningPath": object_of(PATH_RULES, required=("userId", "learningPathId")),
    "activity.course": object_of(COURSE_RULES, required=COURSE_RULES),
    "activity.assignment": object_of(
        assignment_activity.RULES, required=assignment_activity.NEEDED
    ),
    "user.create": object_of(users.CREATE_RULES, required=("email",)),
    "user.change": object_of(users.CHANGE_RULES, filled=users.NEVER_NULL),
    "content.release": s.open_record(releaseType=s.enum_schema(ReleaseType)),
}
