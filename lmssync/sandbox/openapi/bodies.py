"""What each route takes in its body."""

from collections.abc import Callable, Iterable, Mapping

from lmssync.vocabulary import limits
from lmssync.vocabulary.enums import CourseKind, CriterionType, ReleaseType, TopicType

from .. import checks
from ..checks import Rule
from ..handlers import (
    assignment_activity,
    course_activity,
    path_activity,
    purchase_paths,
    sublicense_body,
    users,
)
from ..handlers.course_create import CREATE_RULES
from ..handlers.course_update_entry import (
    NEW_SESSION_RULES,
    UPDATE_GROUP_RULES,
    UPDATE_SESSION_RULES,
)
from ..handlers.criteria import VALUE_RULES
from ..handlers.licenses import ASSIGNMENTS, FIELD_RULES
from ..handlers.topic_fields import CREATE_RULES as TOPIC_RULES
from ..handlers.topic_fields import LESSON_RULES, SECTION_RULES, UPDATE_RULES
from ..platform import Platform
from .components import ref
from .rule_schemas import object_of
from .words import OBJECT, Schema, either, many, named, nullable, or_null, record, words

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
Body = Callable[[Platform], Schema]
"""The schema of a body, as the switches are now."""


def is_strict(platform: Platform) -> bool:
    """Whether unknown fields of a course are refused."""
    return platform.switches.unknownFields == "refuse"


def _course_create(platform: Platform) -> Schema:
    refused = "source" if platform.switches.sourceRefused else ""
    entries = [
        _entry(kind, _without(rules, refused), strict=is_strict(platform))
        for kind, rules in CREATE_RULES.items()
    ]
    entries_list = many(either(*entries), minItems=1, maxItems=limits.COURSES_PER_CREATE)
    return _wrapper("courseAttributes", entries_list)


def _wrapper(name: str, schema: Schema) -> Schema:
    """A body with one field; what stands beside it is passed over."""
    return {**OBJECT, "properties": {name: schema}, "required": [name]}


def _entry(kind: str, rules: Rules, *, strict: bool) -> Schema:
    """One element of `courseAttributes`, with the structure of its kind (spec 2.2)."""
    schema = object_of(rules, required=("title", "kind"), strict=strict)
    fields = schema["properties"]
    fields["kind"] = words([kind])
    if kind == CourseKind.COURSE_GROUP:
        fields["sections"] = or_null(many(_section(strict=strict)))
    if kind == CourseKind.MICRO_COURSE:
        fields["topics"] = or_null(many(ref("Topic")))
    return named(f"{kind[0].upper()}{kind[1:]}Entry", schema)


def _section(*, strict: bool) -> Schema:
    schema = object_of(SECTION_RULES, required=("title", "lessons"), strict=strict)
    schema["properties"]["lessons"] = many(_lesson(strict=strict))
    return named("Section", schema)


def _lesson(*, strict: bool) -> Schema:
    schema = object_of(LESSON_RULES, required=("title", "openType", "topics"), strict=strict)
    schema["properties"]["topics"] = many(ref("Topic"))
    return named("Lesson", schema)


def topics(*, strict: bool) -> Schema:
    """A topic of any type: one form for all types that take the same fields."""
    return either(*_by_fields("Topic", TOPIC_RULES, required=("type",), strict=strict))


def _by_fields(
    word: str,
    rules_of: Mapping[str, Rules],
    *,
    required: Iterable[str],
    strict: bool,
    more: Rules | None = None,
) -> list[Schema]:
    alike: dict[tuple[str, ...], list[str]] = {}
    for kind, rules in rules_of.items():
        alike.setdefault(tuple(rules), []).append(kind)
    forms = []
    for kinds in alike.values():
        rules = {**(more or {}), **rules_of[kinds[0]]}
        form = object_of(rules, required=required, strict=strict)
        form["properties"]["type"] = words(kinds)
        forms.append(named(f"{_NAMES.get(kinds[0], 'Plain')}{word}", form))
    return forms


def _course_update(platform: Platform) -> Schema:
    """An entry with `id` changes, one without adds (O3)."""
    ids: Rules = {"id": checks.uuid}
    strict = is_strict(platform)
    section, lesson = _without(SECTION_RULES, "lessons"), _without(LESSON_RULES, "topics")
    any_topic = {name: rule for rules in UPDATE_RULES.values() for name, rule in rules.items()}
    added = _by_fields(
        "TopicAddition",
        UPDATE_RULES,
        required=("lessonId", "title", "type"),
        strict=strict,
        more={"lessonId": checks.uuid},
    )

    def changed(name: str, rules: Rules) -> Schema:
        form = object_of({**ids, **rules}, required=("id",), filled=_FILLED, strict=strict)
        return named(f"{name}Change", form)

    def new(name: str, parent: str, rules: Rules) -> Schema:
        form = object_of({parent: checks.uuid, **rules}, required=(parent, "title"), strict=strict)
        return named(f"{name}Addition", form)

    def both(name: str, parent: str, rules: Rules) -> Schema:
        return many(either(changed(name, rules), new(name, parent, rules)))

    refused = "" if platform.switches.statusOnUpdate else "status"
    session = changed("Session", _without(UPDATE_SESSION_RULES, refused))
    lists = {
        "courseGroups": many(changed("Group", UPDATE_GROUP_RULES)),
        "courses": many(either(session, new("Session", "courseGroupId", NEW_SESSION_RULES))),
        "sections": both("Section", "courseId", section),
        "lessons": both("Lesson", "sectionId", lesson),
        "topics": many(either(changed("Topic", any_topic), *added)),
    }
    wrapper = named("CourseChanges", record(nullable(lists), optional=lists))
    return _wrapper("courseAttributes", wrapper)


def _without(rules: Rules, name: str) -> Rules:
    return {key: rule for key, rule in rules.items() if key != name}


def _criteria(_platform: Platform) -> Schema:
    rules = {
        "id": checks.uuid,
        "courseId": checks.uuid,
        "type": checks.one_of(CriterionType),
        **VALUE_RULES,
    }
    return _wrapper("criteria", many(named("CriterionEntry", object_of(rules, strict=False))))


def _license(_platform: Platform) -> Schema:
    rules = {"clientId": checks.uuid, **FIELD_RULES}
    return object_of(rules, required=("clientId", *ASSIGNMENTS, "name"))


def _sublicense(_platform: Platform) -> Schema:
    user = named("SublicenseUser", object_of(sublicense_body.USER_RULES))
    users = many(user, minItems=1, maxItems=limits.USERS_PER_SUBLICENSE)
    options = or_null(named("EnrollmentOptions", object_of(sublicense_body.OPTION_RULES)))
    return record({"users": users, "enrollmentOptions": options}, optional=["enrollmentOptions"])


def _fixed(schema: Schema) -> Body:
    return lambda _platform: schema


_NAME: Schema = {"type": "string", "minLength": 1}
_SCALAR: Schema = {"type": ["string", "boolean", "number"]}
_SLUG: Schema = {"type": "string", "pattern": "^[a-z0-9-]{0,255}$"}
BODIES: Mapping[str, Body] = {
    "course.create": _course_create,
    "course.update": _course_update,
    "criteria.update": _criteria,
    "client.clone": _fixed(
        {**OBJECT, "properties": {"name": _NAME, "slug": or_null(_SLUG)}, "required": ["name"]}
    ),
    "license.create": _license,
    "license.update": _fixed(object_of(FIELD_RULES, filled=("name", *ASSIGNMENTS))),
    "sublicense.assign": _sublicense,
    "path.create": _fixed(object_of(purchase_paths.RULES, required=("label", "targetType"))),
    "attempt.forgive": _fixed({**OBJECT, "additionalProperties": False}),
    "activity.learningPath": _fixed(
        object_of(path_activity.RULES, required=("userId", "learningPathId"))
    ),
    "activity.course": _fixed(object_of(course_activity.RULES, required=course_activity.RULES)),
    "user.create": _fixed(object_of(users.CREATE_RULES, required=("email",))),
    "user.change": _fixed(object_of(users.CHANGE_RULES, filled=users.NEVER_NULL)),
    "activity.assignment": _fixed(
        object_of(assignment_activity.RULES, required=assignment_activity.NEEDED)
    ),
    "content.release": _fixed(
        {**OBJECT, "properties": {"releaseType": words(ReleaseType)}, "required": ["releaseType"]}
    ),
    "client.status": _fixed({**OBJECT, "properties": {"status": _SCALAR}, "required": ["status"]}),
}
