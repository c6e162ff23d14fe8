"""What each route answers when it has done what was asked."""

from collections.abc import Callable, Mapping

from ..world import World
from . import records
from .words import FLAG, OBJECT, TEXT, UUID, WHOLE, Schema, either, many, or_null, record, words

Success = tuple[int, Schema | None]
"""A status and the shape of its body; None is an empty one."""
Answer = Callable[[World], Success]

_BY_PAGE = record({"perPage": WHOLE, "currentPage": WHOLE, "total": WHOLE, "hasMore": FLAG})
_BY_CURSOR = record({"total": WHOLE, "cursor": or_null(TEXT), "hasMore": FLAG})
_OF_EVENTS = record({"cursor": TEXT, "hasMore": FLAG}, optional=["cursor"])
_QUEUED = {"backgroundJob": records.JOB}
_MISTAKEN = record({"errors": many(TEXT, minItems=1)})


def _is(schema: Schema, status: int = 200) -> Answer:
    return lambda _world: (status, schema)


def _made(schema: Schema) -> Answer:
    return lambda world: (int(world.switches.createStatus), schema)


def _empty(status: int) -> Answer:
    return lambda _world: (status, None)


def _listed(key: str, item: Schema, info: Schema) -> Answer:
    """A v2 list in the envelope of the switch `listEnvelope` (O44)."""
    return lambda world: (200, _list(world, key, item, info))


def _list(world: World, key: str, item: Schema, info: Schema) -> Schema:
    form = world.switches.listEnvelope
    if form == "bare":
        return many(item)
    return record({"pageInfo": info, "data" if form == "data" else key: many(item)})


def _or_mistaken(answer: Answer) -> Answer:
    """200 with `errors` where the extended profile tells the kind of a wrong id (O29)."""

    def told(world: World) -> Success:
        status, schema = answer(world)
        assert schema is not None  # a body is what is told in
        return status, either(schema, _MISTAKEN) if world.profile == "extended" else schema

    return told


def _user(world: World) -> Success:
    if world.switches.missingUser != "errors":
        return 200, records.USER
    missing = record({"errors": many(record({"message": TEXT}))})
    return 200, either(records.USER, missing)


def _clone(world: World) -> Success:
    data = record({"APICloneClient": records.JOB})
    return int(world.switches.cloneStatus), record({"data": data})


def _full(world: World) -> Success:
    """Flat keys hold whatever a course holds; nested, its three levels are named."""
    if world.switches.fullContent == "flat":
        return 200, {**OBJECT, "required": ["id", "title", "status"]}
    topic = {**OBJECT, "required": ["id", "title", "type", "updatedAt"]}
    lesson = {**OBJECT, "properties": {"topics": many(topic)}, "required": ["id", "topics"]}
    section = {**OBJECT, "properties": {"lessons": many(lesson)}, "required": ["id", "lessons"]}
    return 200, record({**records.SESSION["properties"], "sections": many(section)})


_CRITERIA = record(
    {
        "createdCount": WHOLE,
        "updatedCount": WHOLE,
        "errors": many(
            record(
                {"courseId": or_null(TEXT), "type": or_null(TEXT), "error": TEXT, "record": TEXT}
            )
        ),
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
    "group.list": _listed("courseGroups", records.GROUP, _BY_PAGE),
    "group.read": _or_mistaken(_is(records.GROUP)),
    "group.bySlug": _is(records.GROUP),
    "group.courses": _or_mistaken(_listed("courses", records.SESSION, _BY_PAGE)),
    "group.displayCourse": _or_mistaken(_is(records.SESSION)),
    "content.search": _listed("contentItems", records.CONTENT_ITEM, _BY_CURSOR),
    "content.release": _or_mistaken(
        _is(record({"id": UUID, "status": words(("draft", "pending", "published"))}))
    ),
}
