"""The answers of refusals: which statuses a route has, and the shape of each (spec 7)."""

from collections.abc import Mapping
from http import HTTPStatus

from lmssync.vocabulary.envelopes import UNAUTHORIZED, Category, Envelope
from lmssync.vocabulary.routes import Route

from ..http import shape_of
from ..platform import Platform
from . import schema as s
from .queries import QUERIES
from .schema import Schema

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
