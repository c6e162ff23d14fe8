"""The document: every route that this sandbox serves and what it answers, as it is switched now."""

import inspect
import re
from collections.abc import Callable, Iterable, Mapping
from http import HTTPStatus
from typing import Any

from ...vocabulary.routes import ROUTES, UNAUTHORIZED, Capability, Category, Envelope, Route
from ..http_messages import shape_of
from ..oauth_tokens import PATH as TOKENS
from ..sandbox_documents import Doc
from ..sandbox_platform import Platform
from . import json_schemas as s, openapi_records as records
from .json_schemas import Schema
from .openapi_requests import BODIES, QUERIES, path_parameter_schema, topic_schema

Success = tuple[int, Schema | None]
"""A status and the shape of its body; None is an empty one."""
Answer = Callable[[Platform], Success]
"""What a route answers when it has done what was asked, by the switches."""

_PAGED = {"perPage": s.INTEGER, "currentPage": s.INTEGER, "total": s.INTEGER, "hasMore": s.BOOLEAN}
_BY_PAGE = s.record_schema("PageInfo", **_PAGED)
_BY_EITHER = s.record_schema("PageOrCursorInfo", optional=["cursor"], **_PAGED, cursor=s.STRING)
_BY_CURSOR = s.record_schema(
    "CursorInfo", total=s.INTEGER, cursor=s.nullable_schema(s.STRING), hasMore=s.BOOLEAN
)
_OF_EVENTS = s.record_schema("EventInfo", optional=["cursor"], cursor=s.STRING, hasMore=s.BOOLEAN)
_MISTAKEN = s.record_schema("Mistaken", errors=s.array_schema(s.STRING, minItems=1))


def _answer_ok(schema: Schema, status: int = 200) -> Answer:
    return lambda _platform: (status, schema)


def _answer_created(schema: Schema) -> Answer:
    return lambda platform: (int(platform.switches.createStatus), schema)


def _answer_empty(status: int) -> Answer:
    return lambda _platform: (status, None)


def _answer_list(key: str, item: Schema, info: Schema, **beside: Schema) -> Answer:
    """A v2 list in the envelope of the switch `listEnvelope` (O44), with what is `beside` it."""
    shapes = {
        "bare": s.array_schema(item),
        "data": s.record_schema(pageInfo=info, data=s.array_schema(item), **beside),
        "key": s.record_schema(pageInfo=info, **{key: s.array_schema(item)}, **beside),
    }
    return lambda platform: (200, shapes[platform.switches.listEnvelope])


def _or_mistaken(answer: Answer) -> Answer:
    """200 with `errors` where the extended profile tells the kind of a wrong id (O29)."""

    def describe_success(platform: Platform) -> Success:
        status, schema = answer(platform)
        assert schema is not None  # `errors` need a body
        return status, s.any_of(schema, _MISTAKEN) if platform.profile == "extended" else schema

    return describe_success


_MESSAGES = s.array_schema(s.record_schema("RefusalMessage", message=s.STRING), minItems=1)
_REFUSED_IN_200 = s.record_schema("RefusedInside200", errors=_MESSAGES)


def _describe_user(platform: Platform) -> Success:
    if platform.switches.missingUser != "errors":
        return 200, records.USER
    return 200, s.any_of(records.USER, _REFUSED_IN_200)


def _of_user_write(answer: Answer) -> Answer:
    """The answer, or a refusal with the status of a success: the switch `userRefusals` (O64)."""

    def describe_success(platform: Platform) -> Success:
        status, schema = answer(platform)
        forms = {"errors": _REFUSED_IN_200, "list": _MESSAGES}
        refused = forms.get(platform.switches.userRefusals)
        assert schema is not None  # user writes answer with a body
        return status, s.any_of(schema, refused) if refused else schema

    return describe_success


def _describe_clone(platform: Platform) -> Success:
    data = s.record_schema(APICloneClient=records.JOB)
    return int(platform.switches.cloneStatus), s.record_schema(data=data)


def _of_content(flat: Schema, nested: Schema) -> Answer:
    """The flat or the nested answer, as the switch `fullContent` says."""
    return lambda platform: (200, flat if platform.switches.fullContent == "flat" else nested)


def _extend_schema(name: str, like: Schema, *fields: str, **more: Schema) -> Schema:
    """An object that holds at least these fields of another, and more of its own."""
    return s.open_record(name, **{field: like["properties"][field] for field in fields}, **more)


_FULL_TOPIC = _extend_schema("FullTopic", records.TOPIC_ITEM, "id", "title", "type", "updatedAt")
_TOPICS = s.array_schema(_FULL_TOPIC)
_LESSONS = s.array_schema(_extend_schema("FullLesson", records.LESSON, "id", topics=_TOPICS))
_FULL_SECTION = _extend_schema("FullSection", records.SECTION, "id", lessons=_LESSONS)
_FULL_COURSE = _of_content(
    _extend_schema("FlatCourse", records.SESSION, "id", "title", "status"),
    s.record_schema(
        "FullCourse", **records.SESSION["properties"], sections=s.array_schema(_FULL_SECTION)
    ),
)
_REFUSED_CRITERION = s.record_schema(
    "RefusedCriterion",
    courseId=s.nullable_schema(s.STRING),
    type=s.nullable_schema(s.STRING),
    error=s.STRING,
    record=s.STRING,
)
_CRITERIA = s.record_schema(
    createdCount=s.INTEGER,
    updatedCount=s.INTEGER,
    errors=s.array_schema(_REFUSED_CRITERION),
    warnings=s.array_schema(s.STRING),
)
_CREATED = s.record_schema(
    optional=["backgroundJob"],
    courseIds=s.array_schema(s.UUID),
    courseGroupIds=s.array_schema(s.UUID),
    backgroundJob=records.JOB,
)
_ASSIGNED = s.record_schema(
    data=s.record_schema(
        jobId=s.UUID, totalCount=s.INTEGER, unresolvedIdentifiers=s.array_schema(s.STRING)
    )
)
_DUAL = s.record_schema(learnerId=s.UUID, managerId=s.UUID)
_MANAGERS_REMOVED = s.record_schema(
    updatedRecordCount=s.INTEGER, invalidUserIds=s.array_schema(s.STRING)
)
_REFUSED_USER = s.record_schema("RefusedUser", user=s.STRING, message=s.STRING)
_CONTENT_ASSIGNED = s.record_schema(
    updatedRecordCount=s.INTEGER, errors=s.array_schema(_REFUSED_USER)
)
_ASSETS = s.record_schema(
    data=s.record_schema(
        items=s.array_schema(records.ASSET), nextCursor=s.nullable_schema(s.STRING)
    )
)
_RELEASED = s.record_schema(id=s.UUID, status=s.enum_schema(("draft", "pending", "published")))
_COURSE = _or_mistaken(_answer_ok(records.COURSE))

ANSWERS: Mapping[str, Answer] = {
    "ping": _answer_ok(s.record_schema(valid=s.BOOLEAN)),
    "course.create": _answer_created(_CREATED),
    "course.update": _answer_ok(
        s.record_schema(optional=["backgroundJob"], backgroundJob=records.JOB)
    ),
    "course.read": _COURSE,
    "course.structure": _COURSE,
    "course.full": _or_mistaken(_FULL_COURSE),
    "topic.list": _answer_list("topics", records.TOPIC_ITEM, _BY_CURSOR),
    "criteria.update": _answer_ok(_CRITERIA),
    "criteria.list": _or_mistaken(_answer_list("completionCriteria", records.CRITERION, _BY_PAGE)),
    "client.list": _answer_list("clients", records.CLIENT, _BY_CURSOR),
    "client.clone": _describe_clone,
    "client.read": _answer_ok(records.CLIENT_READ),
    "client.status": _answer_ok(records.CLIENT),
    "license.create": _answer_created(records.LICENSE),
    "license.update": _answer_ok(records.LICENSE),
    "license.delete": _answer_ok(records.LICENSE),
    "license.list": _answer_list(
        "licenses", records.LICENSE_ITEM, _BY_EITHER, **records.CLIENT_OF_LICENSES
    ),
    "user.read": _describe_user,
    "sublicense.assign": _answer_ok(_ASSIGNED, 202),
    "tag.list": _answer_list("tags", records.TAG, _BY_PAGE),
    "location.list": _answer_list("locations", records.LOCATION, _BY_CURSOR),
    "asset.list": _answer_ok(_ASSETS),
    "job.read": _answer_ok(records.JOB),
    "path.create": _answer_ok(s.record_schema(data=records.PURCHASE_PATH), 201),
    "path.list": _answer_ok(s.record_schema(data=s.array_schema(records.PURCHASE_PATH))),
    "event.list": _answer_list("events", records.EVENT, _OF_EVENTS),
    "attempt.forgive": _answer_ok(records.ATTEMPT),
    "activity.learningPath": _answer_empty(200),
    "activity.assignment": _answer_empty(302),
    "group.list": _answer_list("courseGroups", records.GROUP, _BY_EITHER),
    "group.read": _or_mistaken(_answer_ok(records.GROUP)),
    "group.bySlug": _answer_ok(records.GROUP),
    "group.courses": _or_mistaken(_answer_list("courses", records.SESSION, _BY_EITHER)),
    "group.displayCourse": _or_mistaken(_answer_ok(records.SESSION)),
    "section.list": _or_mistaken(_answer_list("sections", records.SECTION_ITEM, _BY_EITHER)),
    "section.read": _or_mistaken(_answer_ok(records.SECTION)),
    "section.lessons": _or_mistaken(_answer_list("lessons", records.LESSON_ITEM, _BY_EITHER)),
    "lesson.list": _or_mistaken(_answer_list("lessons", records.LESSON_ITEM, _BY_EITHER)),
    "lesson.read": _or_mistaken(_answer_ok(records.LESSON)),
    "topic.read": _or_mistaken(_answer_ok(records.TOPIC)),
    "learningPath.full": _or_mistaken(_of_content(records.PATH_FLAT, records.PATH_NESTED)),
    "user.list": _answer_list("users", records.USER, _BY_CURSOR),
    "user.create": _of_user_write(_answer_created(records.USER)),
    "user.change": _of_user_write(_answer_ok(records.USER)),
    "user.status": _of_user_write(_answer_ok(records.USER)),
    "user.dualRole": _of_user_write(_answer_ok(_DUAL)),
    "user.removeManagers": _of_user_write(_answer_ok(_MANAGERS_REMOVED)),
    "user.assignContent": _of_user_write(_answer_ok(_CONTENT_ASSIGNED)),
    "attempt.list": _answer_list("assessmentAttempts", records.ATTEMPT_ITEM, _BY_CURSOR),
    "meeting.list": _answer_list("meetings", records.MEETING, _BY_CURSOR),
    "coupon.list": _answer_list("coupons", records.COUPON, _BY_CURSOR),
    "activity.course": _answer_empty(200),
    "content.search": _answer_list("contentItems", records.CONTENT_ITEM, _BY_CURSOR),
    "content.release": _or_mistaken(_answer_ok(_RELEASED)),
}

_ERRORS = s.array_schema(s.STRING, minItems=1)
_INVALID = {"valid": {**s.BOOLEAN, "const": False}, "errors": _ERRORS}
_DETAIL = s.record_schema(field=s.STRING, code=s.STRING, message=s.STRING)
_ASSIGNMENT = s.record_schema(
    "AssignmentNotRecorded", **_INVALID, assignmentSubmission=s.nullable_schema(s.OBJECT)
)
ENVELOPES: Mapping[str, Schema] = {
    "EnvelopeA": s.record_schema(errors=_ERRORS),
    "EnvelopeB": s.record_schema(**_INVALID),
    "EnvelopeB403": s.record_schema(error=s.STRING),
    "EnvelopeC": s.record_schema(
        optional=["details"], error=s.STRING, message=s.STRING, details=s.array_schema(_DETAIL)
    ),
    "EnvelopeC401": s.record_schema(error=s.enum_schema([UNAUTHORIZED]), message=s.STRING),
    "EnvelopeD": s.record_schema(
        optional=["metadata"],
        code=s.STRING,
        message=s.STRING,
        category=s.enum_schema(Category),
        timestamp=s.DATE_TIME,
        statusCode=s.INTEGER,
        metadata=s.nullable_schema(s.OBJECT),
    ),
    "EnvelopeE": s.record_schema(
        errors=s.array_schema(s.record_schema(message=s.STRING), minItems=1)
    ),
}

_OF_STATUS = {(Envelope.C, 401): "EnvelopeC401", (Envelope.B, 403): "EnvelopeB403"}
"""Envelopes that have another shape with one status."""
_BESIDES = {"client.clone": s.schema_ref("EnvelopeE"), "activity.assignment": _ASSIGNMENT}
"""Other shapes of a 400, by route."""
_SCOPED = frozenset(
    {
        *("license.create", "license.update", "license.delete"),
        *("client.status", "client.clone", "asset.list"),
    }
)
"""Routes that refuse a key of another scope with 403."""
_CONFLICTING = frozenset({"content.release", "user.create", "user.change"})


def failures_of(route: Route, platform: Platform) -> dict[int, Schema | None]:
    """The statuses of refusals of a route with their shapes; None is an empty body."""
    shapes: dict[int, Schema | None] = {
        status: _refusal_schema(status, route) for status in _refusal_statuses(route, platform)
    }
    return shapes | ({401: None} if route.name in platform.switches.emptyUnauthorized else {})


def _refusal_statuses(route: Route, platform: Platform) -> list[int]:
    of_user_tier = route.reads and route.name.startswith("user.")  # O36, switch `userTierOnReads`
    has = {
        # A read without a query has nothing that could be malformed.
        400: not route.reads or route.name in QUERIES,
        401: True,
        403: bool(route.permission or route.features) or route.name in _SCOPED,
        404: "{" in route.path,
        409: route.name in _CONFLICTING,
        413: not route.reads,
        415: not route.reads,
        429: bool(route.windows) or platform.switches.accountFigures != "off" or of_user_tier,
        # Faults on request and a full disk give it on any route.
        503: True,
    }
    return [status for status, there in has.items() if there]


def _refusal_schema(status: int, route: Route) -> Schema:
    envelope = shape_of(status, route.envelope)
    shape = s.schema_ref(_OF_STATUS.get((envelope, status), f"Envelope{envelope}"))
    if status == HTTPStatus.BAD_REQUEST and route.name in _BESIDES:
        return s.any_of(shape, _BESIDES[route.name])
    return shape


_PARAMETER = re.compile(r"{(\w+)}")
_WINDOW_HEADERS = ("X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset")
_TOO_MANY = 429


def build_document(platform: Platform, handlers: Mapping[str, Any]) -> Doc:
    """The OpenAPI 3.1 document of the handlers that the platform's profile has."""
    paths: Doc = {}
    for name, handler in handlers.items():
        route = ROUTES[name]
        if route.capability is Capability.CORE or platform.profile == "extended":
            operation = _describe_operation(platform, route, handler)
            paths.setdefault(route.path, {})[route.method.lower()] = operation
    schemas: dict[str, Schema] = {}
    paths, topic = (s.components_of(value, schemas) for value in (paths, topic_schema(platform)))
    return {
        "openapi": "3.1.0",
        "info": {
            "title": f"Learning platform sandbox: {platform.company_name}",
            "version": platform.profile,
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": platform.address or "/"}],
        "paths": paths,
        "components": {
            "schemas": {**schemas, **ENVELOPES, "Topic": topic},
            "securitySchemes": _security_schemes(),
        },
        "security": [{"bearer": []}, {"secretKey": []}, {"jwt": []}],
    }


def _describe_operation(platform: Platform, route: Route, handler: Any) -> Doc:
    in_path = (
        _describe_parameter("path", name, path_parameter_schema(platform, route, name))
        for name in _PARAMETER.findall(route.path)
    )
    in_query = (_describe_parameter("query", *one) for one in QUERIES.get(route.name, {}).items())
    operation: Doc = {
        "operationId": route.name,
        "summary": (inspect.getdoc(handler) or route.name).splitlines()[0],
        "parameters": [*in_path, *in_query],
        "responses": _describe_responses(platform, route),
    }
    if route.permission:
        operation["description"] = f"Permission: {route.permission}"
    if body := BODIES.get(route.name):
        schema = body(platform) if callable(body) else body
        operation["requestBody"] = {
            "required": bool(schema.get("required")),
            **_json_content(schema),
        }
    return operation


def _describe_parameter(place: str, name: str, schema: Schema) -> Doc:
    return {"name": name, "in": place, "required": place == "path", "schema": schema}


def _describe_responses(platform: Platform, route: Route) -> Doc:
    status, schema = ANSWERS[route.name](platform)
    headers = _WINDOW_HEADERS if route.windows else ()
    responses = {status: _describe_response("Done", schema, headers)}
    for code, shape in failures_of(route, platform).items():
        names = ("X-RateLimit-Reset", "Retry-After") if code == _TOO_MANY else ()
        responses[code] = _describe_response("Refused", shape, names)
    return {str(code): response for code, response in responses.items()}


def _describe_response(description: str, schema: Schema | None, headers: Iterable[str]) -> Doc:
    response: Doc = {
        "description": description,
        **({} if schema is None else _json_content(schema)),
    }
    if headers:
        response["headers"] = {name: {"schema": s.INTEGER} for name in headers}
    return response


def _json_content(schema: Schema) -> Doc:
    return {"content": {"application/json": {"schema": schema}}}


def _security_schemes() -> Doc:
    """The ways to say who asks (spec 5).

    OAuth has no scheme of its own: its tokens are sent as `bearer`, and clients of some generators
    would overwrite that header with a token that nobody has asked for.
    """
    about = f"An API key, or a token that POST {TOKENS} gives for client credentials."
    return {
        "bearer": {"type": "http", "scheme": "bearer", "description": about},
        "secretKey": {"type": "apiKey", "in": "query", "name": "secretKey"},
        "jwt": {"type": "apiKey", "in": "query", "name": "jwt"},
    }
