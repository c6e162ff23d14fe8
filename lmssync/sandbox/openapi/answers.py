"""What each route answers when it has done what was asked."""

from collections.abc import Callable, Mapping

from ..platform import Platform
from . import extended_records, records
from .words import (
    FLAG,
    OBJECT,
    TEXT,
    UUID,
    WHOLE,
    Schema,
    either,
    many,
    named,
    or_null,
    record,
    words,
)

Success = tuple[int, Schema | None]
"""A status and the shape of its body; None is an empty one."""
Answer = Callable[[Platform], Success]

_PAGED = {"perPage": WHOLE, "currentPage": WHOLE, "total": WHOLE, "hasMore": FLAG}
_BY_PAGE = named("PageInfo", record(_PAGED))
_BY_EITHER = named("PageOrCursorInfo", record({**_PAGED, "cursor": TEXT}, optional=["cursor"]))
_BY_CURSOR = named("CursorInfo", record({"total": WHOLE, "cursor": or_null(TEXT), "hasMore": FLAG}))
_OF_EVENTS = named("EventInfo", record({"cursor": TEXT, "hasMore": FLAG}, optional=["cursor"]))
_QUEUED = {"backgroundJob": records.JOB}
_MISTAKEN = named("Mistaken", record({"errors": many(TEXT, minItems=1)}))


def _is(schema: Schema, status: int = 200) -> Answer:
    return lambda _platform: (status, schema)


def _made(schema: Schema) -> Answer:
    return lambda platform: (int(platform.switches.createStatus), schema)


def _empty(status: int) -> Answer:
    return lambda _platform: (status, None)


def _listed(key: str, item: Schema, info: Schema) -> Answer:
    """A v2 list in the envelope of the switch `listEnvelope` (O44)."""
    return lambda platform: (200, _list(platform, key, item, info))


def _list(platform: Platform, key: str, item: Schema, info: Schema) -> Schema:
    form = platform.switches.listEnvelope
    if form == "bare":
        return many(item)
    return record({"pageInfo": info, "data" if form == "data" else key: many(item)})


def _or_mistaken(answer: Answer) -> Answer:
    """200 with `errors` where the extended profile tells the kind of a wrong id (O29)."""

    def told(platform: Platform) -> Success:
        status, schema = answer(platform)
        assert schema is not None  # a body is what is told in
        return status, either(schema, _MISTAKEN) if platform.profile == "extended" else schema

    return told


def _user(platform: Platform) -> Success:
    if platform.switches.missingUser != "errors":
        return 200, records.USER
    message = named("MissingUserError", record({"message": TEXT}))
    missing = named("MissingUser", record({"errors": many(message)}))
    return 200, either(records.USER, missing)


def _clone(platform: Platform) -> Success:
    data = record({"APICloneClient": records.JOB})
    return int(platform.switches.cloneStatus), record({"data": data})


def _full(platform: Platform) -> Success:
    """Flat keys hold whatever a course holds; nested, its three levels are named."""
    if platform.switches.fullContent == "flat":
        return 200, _FLAT
    topic = named("FullTopic", _open(records.TOPIC_ITEM, "id", "title", "type", "updatedAt"))
    lesson = named("FullLesson", _open(extended_records.LESSON, "id", topics=many(topic)))
    section = named("FullSection", _open(extended_records.SECTION, "id", lessons=many(lesson)))
    whole = {**records.SESSION["properties"], "sections": many(section)}
    return 200, named("FullCourse", record(whole))


def _learning_path(platform: Platform) -> Success:
    flat = platform.switches.fullContent == "flat"
    return 200, extended_records.PATH_FLAT if flat else extended_records.PATH_NESTED


def _open(like: Schema, *names: str, **more: Schema) -> Schema:
    """An object that holds at least these fields of another, and more of its own."""
    fields = {name: like["properties"][name] for name in names} | more
    return {**OBJECT, "properties": fields, "required": list(fields)}


_REFUSED_CRITERION = named(
    "RefusedCriterion",
    record({"courseId": or_null(TEXT), "type": or_null(TEXT), "error": TEXT, "record": TEXT}),
)
_FLAT = named("FlatCourse", _open(records.SESSION, "id", "title", "status"))
_CRITERIA = record(
    {
        "createdCount": WHOLE,
        "updatedCount": WHOLE,
        "errors": many(_REFUSED_CRITERION),
        "warnings": many(TEXT),
    }
)
_CREATED = record(
    {"courseIds": many(UUID), "courseGroupIds": many(UUID), **_QUEUED}, optional=_QUEUED
)
_COURSE = _or_mistaken(_is(records.COURSE))

ANSWERS: Mapping[str, Answer] = {
    "ping": _is(record({"valid": FLAG})),
    "course.create": _made(_CREATED),
    "course.update": _is(record(_QUEUED, optional=_QUEUED)),
    "course.read": _COURSE,
    "course.structure": _COURSE,
    "course.full": _or_mistaken(_full),
    "topic.list": _listed("topics", records.TOPIC_ITEM, _BY_CURSOR),
    "criteria.update": _is(_CRITERIA),
    "criteria.list": _or_mistaken(_listed("completionCriteria", records.CRITERION, _BY_PAGE)),
    "client.list": _listed("clients", records.CLIENT, _BY_CURSOR),
    "client.clone": _clone,
    "client.status": _is(records.CLIENT),
    "license.create": _made(records.LICENSE),
    "license.update": _is(records.LICENSE),
    "license.delete": _is(records.LICENSE),
    "license.list": _listed("licenses", records.LICENSE, _BY_PAGE),
    "user.read": _user,
    "sublicense.assign": _is(
        record(
            {
                "data": record(
                    {"jobId": UUID, "totalCount": WHOLE, "unresolvedIdentifiers": many(TEXT)}
                )
            }
        ),
        202,
    ),
    "tag.list": _listed("tags", records.TAG, _BY_PAGE),
    "location.list": _listed("locations", records.LOCATION, _BY_CURSOR),
    "asset.list": _is(
        record({"data": record({"items": many(records.ASSET), "nextCursor": or_null(TEXT)})})
    ),
    "job.read": _is(records.JOB),
    "path.create": _is(record({"data": records.PURCHASE_PATH}), 201),
    "path.list": _is(record({"data": many(records.PURCHASE_PATH)})),
    "event.list": _listed("events", records.EVENT, _OF_EVENTS),
    "attempt.forgive": _is(records.ATTEMPT),
    "activity.learningPath": _empty(200),
    "activity.assignment": _empty(302),
    "group.list": _listed("courseGroups", records.GROUP, _BY_EITHER),
    "group.read": _or_mistaken(_is(records.GROUP)),
    "group.bySlug": _is(records.GROUP),
    "group.courses": _or_mistaken(_listed("courses", records.SESSION, _BY_EITHER)),
    "group.displayCourse": _or_mistaken(_is(records.SESSION)),
    "section.list": _or_mistaken(_listed("sections", extended_records.SECTION_ITEM, _BY_EITHER)),
    "section.read": _or_mistaken(_is(extended_records.SECTION)),
    "section.lessons": _or_mistaken(_listed("lessons", extended_records.LESSON_ITEM, _BY_EITHER)),
    "lesson.list": _or_mistaken(_listed("lessons", extended_records.LESSON_ITEM, _BY_EITHER)),
    "lesson.read": _or_mistaken(_is(extended_records.LESSON)),
    "topic.read": _or_mistaken(_is(extended_records.TOPIC)),
    "learningPath.full": _or_mistaken(_learning_path),
    "user.list": _listed("users", records.USER, _BY_CURSOR),
    "user.create": _made(records.USER),
    "user.change": _is(records.USER),
    "attempt.list": _listed("assessmentAttempts", extended_records.ATTEMPT_ITEM, _BY_CURSOR),
    "meeting.list": _listed("meetings", extended_records.MEETING, _BY_CURSOR),
    "coupon.list": _listed("coupons", extended_records.COUPON, _BY_CURSOR),
    "activity.course": _empty(200),
    "content.search": _listed("contentItems", extended_records.CONTENT_ITEM, _BY_CURSOR),
    "content.release": _or_mistaken(
        _is(record({"id": UUID, "status": words(("draft", "pending", "published"))}))
    ),
}
