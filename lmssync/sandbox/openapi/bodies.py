"""What each route takes in its body."""

from collections.abc import Callable, Iterable, Mapping

from lmssync.vocabulary import limits
from lmssync.vocabulary.enums import CourseKind, CriterionType, ReleaseType

from .. import checks
from ..areas import assignment_activity, path_activity, purchase_paths, sublicense_body
from ..areas.course_create import CREATE_RULES
from ..areas.course_update_entry import NEW_SESSION_RULES, UPDATE_GROUP_RULES, UPDATE_SESSION_RULES
from ..areas.criteria import VALUE_RULES
from ..areas.licenses import ASSIGNMENTS, FIELD_RULES
from ..areas.topic_fields import CREATE_RULES as TOPIC_RULES
from ..areas.topic_fields import LESSON_RULES, SECTION_RULES, UPDATE_RULES
from ..checks import Rule
from .rule_schemas import object_of
from .words import OBJECT, TEXT, Schema, either, many, nullable, or_null, record, words

Rules = Mapping[str, Rule]
Body = Callable[[bool], Schema]
"""The schema of a body; the argument says whether unknown fields of a course are refused."""


def _course_create(strict: bool) -> Schema:  # noqa: FBT001 - one kind of function in the table
    entries = [_entry(kind, rules, strict=strict) for kind, rules in CREATE_RULES.items()]
    entries_list = many(either(*entries), minItems=1, maxItems=limits.COURSES_PER_CREATE)
    return record({"courseAttributes": entries_list})


def _entry(kind: str, rules: Rules, *, strict: bool) -> Schema:
    """One element of `courseAttributes`, with the structure of its kind (spec 2.2)."""
    schema = object_of(rules, required=("title", "kind"), strict=strict)
    fields = schema["properties"]
    fields["kind"] = words([kind])
    if kind == CourseKind.COURSE_GROUP:
        fields["sections"] = or_null(many(_section(strict=strict)))
    if kind == CourseKind.MICRO_COURSE:
        fields["topics"] = or_null(many(_topic(strict=strict)))
    return schema


def _section(*, strict: bool) -> Schema:
    schema = object_of(SECTION_RULES, required=("title", "lessons"), strict=strict)
    schema["properties"]["lessons"] = many(_lesson(strict=strict))
    return schema


def _lesson(*, strict: bool) -> Schema:
    schema = object_of(LESSON_RULES, required=("title", "openType", "topics"), strict=strict)
    schema["properties"]["topics"] = many(_topic(strict=strict))
    return schema


def _topic(*, strict: bool) -> Schema:
    return {"$ref": f"#/components/schemas/{'Topic' if strict else 'LooseTopic'}"}


def topics(*, strict: bool) -> Schema:
    """A topic of any type: one form for all types that take the same fields."""
    return either(*_by_fields(TOPIC_RULES, required=("type",), strict=strict))


def _by_fields(
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
        forms.append(form)
    return forms


def _course_update(strict: bool) -> Schema:  # noqa: FBT001
    """An entry with `id` changes, one without adds (O3)."""
    ids: Rules = {"id": checks.uuid}
    section, lesson = _without(SECTION_RULES, "lessons"), _without(LESSON_RULES, "topics")
    any_topic = {name: rule for rules in UPDATE_RULES.values() for name, rule in rules.items()}
    added = _by_fields(
        UPDATE_RULES,
        required=("lessonId", "title", "type"),
        strict=strict,
        more={"lessonId": checks.uuid},
    )

    def changed(rules: Rules) -> Schema:
        return object_of({**ids, **rules}, required=("id",), strict=strict)

    def new(parent: str, rules: Rules) -> Schema:
        return object_of({parent: checks.uuid, **rules}, required=(parent, "title"), strict=strict)

    lists = {
        "courseGroups": many(changed(UPDATE_GROUP_RULES)),
        "courses": many(
            either(changed(UPDATE_SESSION_RULES), new("courseGroupId", NEW_SESSION_RULES))
        ),
        "sections": many(either(changed(section), new("courseId", section))),
        "lessons": many(either(changed(lesson), new("sectionId", lesson))),
        "topics": many(either(changed(any_topic), *added)),
    }
    wrapper = record(nullable(lists), optional=lists)
    return record({"courseAttributes": wrapper})


def _without(rules: Rules, name: str) -> Rules:
    return {key: rule for key, rule in rules.items() if key != name}


def _criteria(_strict: bool) -> Schema:  # noqa: FBT001
    rules = {
        "id": checks.uuid,
        "courseId": checks.uuid,
        "type": checks.one_of(CriterionType),
        **VALUE_RULES,
    }
    return record({"criteria": many(object_of(rules, strict=False))})


def _license(_strict: bool) -> Schema:  # noqa: FBT001
    rules = {"clientId": checks.uuid, **FIELD_RULES}
    return object_of(rules, required=("clientId", *ASSIGNMENTS, "name"))


def _sublicense(_strict: bool) -> Schema:  # noqa: FBT001
    users = many(
        object_of(sublicense_body.USER_RULES), minItems=1, maxItems=limits.USERS_PER_SUBLICENSE
    )
    options = or_null(object_of(sublicense_body.OPTION_RULES))
    return record({"users": users, "enrollmentOptions": options}, optional=["enrollmentOptions"])


def _fixed(schema: Schema) -> Body:
    return lambda _strict: schema


_SLUG: Schema = {"type": "string", "pattern": "^[a-z0-9-]{0,255}$"}
BODIES: Mapping[str, Body] = {
    "course.create": _course_create,
    "course.update": _course_update,
    "criteria.update": _criteria,
    "client.clone": _fixed(
        {**OBJECT, "properties": {"name": TEXT, "slug": or_null(_SLUG)}, "required": ["name"]}
    ),
    "license.create": _license,
    "license.update": _fixed(object_of(FIELD_RULES)),
    "sublicense.assign": _sublicense,
    "path.create": _fixed(object_of(purchase_paths.RULES, required=("label", "targetType"))),
    "attempt.forgive": _fixed({**OBJECT, "additionalProperties": False}),
    "activity.learningPath": _fixed(
        object_of(path_activity.RULES, required=("userId", "learningPathId"))
    ),
    "activity.assignment": _fixed(
        object_of(assignment_activity.RULES, required=assignment_activity.NEEDED)
    ),
    "content.release": _fixed(
        {**OBJECT, "properties": {"releaseType": words(ReleaseType)}, "required": ["releaseType"]}
    ),
    "client.status": _fixed({**OBJECT, "properties": {"status": {}}, "required": ["status"]}),
}
