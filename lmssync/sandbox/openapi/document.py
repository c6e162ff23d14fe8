"""The document: every route that this sandbox serves, as it is switched now."""

import inspect
import re
from collections.abc import Mapping
from typing import Any

from lmssync.vocabulary.routes import ROUTES, Capability, Route

from ..platform import Platform
from ..serving.tokens import PATH as TOKENS
from . import bodies
from .answers import ANSWERS
from .bodies import BODIES
from .components import parted
from .failures import ENVELOPES, failures_of
from .queries import QUERIES, of_path
from .words import WHOLE, Schema

Doc = dict[str, Any]
_PARAMETER = re.compile(r"{(\w+)}")
_TOLD = ("X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset")
_TOO_MANY = 429


def document(platform: Platform, handlers: Mapping[str, Any]) -> Doc:
    """The OpenAPI 3.1 document of the handlers that the platform's profile has."""
    paths: Doc = {}
    for name, handler in handlers.items():
        route = ROUTES[name]
        if route.capability is Capability.CORE or platform.profile == "extended":
            operation = _operation(platform, route, handler)
            paths.setdefault(route.path, {})[route.method.lower()] = operation
    paths, schemas = parted(paths)
    topic, more = parted(bodies.topics(strict=bodies.is_strict(platform)))
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
            "schemas": {**schemas, **more, **ENVELOPES, "Topic": topic},
            "securitySchemes": _ways_in(),
        },
        "security": [{"bearer": []}, {"secretKey": []}, {"jwt": []}, {"oauth": []}],
    }


def _operation(platform: Platform, route: Route, handler: Any) -> Doc:
    operation: Doc = {
        "operationId": route.name,
        "summary": (inspect.getdoc(handler) or route.name).splitlines()[0],
        "parameters": [*_path(platform, route), *_query(route)],
        "responses": _responses(platform, route),
    }
    if route.permission:
        operation["description"] = f"Permission: {route.permission}"
    if route.name in BODIES:
        schema = BODIES[route.name](platform)
        operation["requestBody"] = {"required": bool(schema.get("required")), **_json(schema)}
    return operation


def _path(platform: Platform, route: Route) -> list[Doc]:
    return [
        {"name": name, "in": "path", "required": True, "schema": of_path(platform, route, name)}
        for name in _PARAMETER.findall(route.path)
    ]


def _query(route: Route) -> list[Doc]:
    return [
        {"name": name, "in": "query", "required": False, "schema": schema}
        for name, schema in QUERIES.get(route.name, {}).items()
    ]


def _responses(platform: Platform, route: Route) -> Doc:
    status, schema = ANSWERS[route.name](platform)
    done: Doc = {"description": "Done", **(_json(schema) if schema is not None else {})}
    if route.windows:
        done["headers"] = {name: {"schema": WHOLE} for name in _TOLD}
    responses = {str(status): done}
    for code, shape in failures_of(route, platform).items():
        refused: Doc = {"description": "Refused", **(_json(shape) if shape is not None else {})}
        if code == _TOO_MANY:
            names = ("X-RateLimit-Reset", "Retry-After")
            refused["headers"] = {name: {"schema": WHOLE} for name in names}
        responses[str(code)] = refused
    return responses


def _json(schema: Schema) -> Doc:
    return {"content": {"application/json": {"schema": schema}}}


def _ways_in() -> Doc:
    """The ways to say who asks (spec 5)."""
    scopes = sorted({route.permission for route in ROUTES.values() if route.permission})
    flow = {"tokenUrl": TOKENS, "scopes": dict.fromkeys(scopes, "A permission")}
    return {
        "bearer": {"type": "http", "scheme": "bearer"},
        "secretKey": {"type": "apiKey", "in": "query", "name": "secretKey"},
        "jwt": {"type": "apiKey", "in": "query", "name": "jwt"},
        "oauth": {"type": "oauth2", "flows": {"clientCredentials": flow}},
    }
