"""The document: every route that this sandbox serves, as it is switched now."""

import inspect
import re
from collections.abc import Iterable, Mapping
from http import HTTPStatus
from typing import Any

from ...vocabulary.routes import ROUTES, UNAUTHORIZED, Capability, Category, Envelope, Route
from ..http_messages import shape_of
from ..oauth_tokens import PATH as TOKENS
from ..sandbox_documents import Doc
from ..sandbox_platform import Platform
from . import json_schemas as s
from .json_schemas import Schema
from .openapi_answers import ANSWERS
from .openapi_requests import BODIES, QUERIES, of_path, topic_schema

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
        400: not route.reads or route.name in QUERIES,
        401: True,
        403: bool(route.permission or route.features) or route.name in _SCOPED,
        404: "{" in route.path,
        409: route.name in _CONFLICTING,
        413: not route.reads,
        415: not route.reads,
        429: bool(route.windows) or platform.switches.accountFigures != "off" or of_user_tier,
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
        "security": [{"bearer": []}, {"secretKey": []}, {"jwt": []}, {"oauth": []}],
    }


def _describe_operation(platform: Platform, route: Route, handler: Any) -> Doc:
    operation: Doc = {
        "operationId": route.name,
        "summary": (inspect.getdoc(handler) or route.name).splitlines()[0],
        "parameters": [
            *(
                _describe_parameter("path", name, of_path(platform, route, name))
                for name in _PARAMETER.findall(route.path)
            ),
            *(
                _describe_parameter("query", *query)
                for query in QUERIES.get(route.name, {}).items()
            ),
        ],
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
    responses = {
        status: _describe_response("Done", schema, _WINDOW_HEADERS if route.windows else ())
    }
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
    """The ways to say who asks (spec 5)."""
    scopes = sorted({route.permission for route in ROUTES.values() if route.permission})
    flow = {"tokenUrl": TOKENS, "scopes": dict.fromkeys(scopes, "A permission")}
    return {
        "bearer": {"type": "http", "scheme": "bearer"},
        "secretKey": {"type": "apiKey", "in": "query", "name": "secretKey"},
        "jwt": {"type": "apiKey", "in": "query", "name": "jwt"},
        "oauth": {"type": "oauth2", "flows": {"clientCredentials": flow}},
    }
