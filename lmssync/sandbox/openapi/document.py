"""The document: every route that this sandbox serves, as it is switched now."""

import inspect
import re
from collections.abc import Iterable, Mapping
from typing import Any

from lmssync.vocabulary.routes import ROUTES, Capability, Route

from ..documents import Doc
from ..platform import Platform
from ..serving.tokens import PATH as TOKENS
from . import schema as s
from .answers import ANSWERS
from .bodies import BODIES, topic_schema
from .failures import ENVELOPES, failures_of
from .queries import QUERIES, of_path
from .schema import Schema

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
