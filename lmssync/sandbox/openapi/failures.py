"""The answers of refusals: which statuses a route has, and the shape of each (spec 7)."""

from collections.abc import Mapping
from http import HTTPStatus

from lmssync.vocabulary.envelopes import UNAUTHORIZED, Category, Envelope
from lmssync.vocabulary.routes import Route

from ..serving.envelopes import shape_of
from ..world import World
from . import schema as s
from .queries import QUERIES
from .schema import Schema

_ERRORS = s.array(s.STRING, minItems=1)
_INVALID = {"valid": {**s.BOOLEAN, "const": False}, "errors": _ERRORS}
_DETAIL = s.record(field=s.STRING, code=s.STRING, message=s.STRING)
_ASSIGNMENT = s.record(
    "AssignmentNotRecorded", **_INVALID, assignmentSubmission=s.nullable(s.OBJECT)
)
ENVELOPES: Mapping[str, Schema] = {
    "EnvelopeA": s.record(errors=_ERRORS),
    "EnvelopeB": s.record(**_INVALID),
    "EnvelopeB403": s.record(error=s.STRING),
    "EnvelopeC": s.record(
        optional=["details"], error=s.STRING, message=s.STRING, details=s.array(_DETAIL)
    ),
    "EnvelopeC401": s.record(error=s.enum([UNAUTHORIZED]), message=s.STRING),
    "EnvelopeD": s.record(
        optional=["metadata"],
        code=s.STRING,
        message=s.STRING,
        category=s.enum(Category),
        timestamp=s.DATE_TIME,
        statusCode=s.INTEGER,
        metadata=s.nullable(s.OBJECT),
    ),
    "EnvelopeE": s.record(errors=s.array(s.record(message=s.STRING), minItems=1)),
}

SCOPED = frozenset(
    {
        *("license.create", "license.update", "license.delete", "client.status", "client.clone"),
        "asset.list",
    }
)
"""Routes that refuse a key of another scope with 403."""
CONFLICTING = frozenset({"content.release", "user.create", "user.change"})
_MASKED = frozenset({"client.clone"})


def failures_of(route: Route, world: World) -> dict[int, Schema | None]:
    """The statuses of refusals of a route with their shapes; None is an empty body."""
    return {
        status: None if _is_empty(status, route, world) else _shape(status, route)
        for status in _statuses(route, world)
    }


def _statuses(route: Route, world: World) -> list[int]:
    has = {
        400: not route.reads or route.name in QUERIES,
        401: True,
        403: bool(route.permission or route.features) or route.name in SCOPED,
        404: "{" in route.path,
        409: route.name in CONFLICTING,
        413: not route.reads,
        415: not route.reads,
        429: bool(route.windows) or world.switches.accountFigures != "off" or _is_user_read(route),
        503: True,
    }
    return [status for status, there in has.items() if there]


def _is_user_read(route: Route) -> bool:
    """The user tier can be seen to hit reads of users (O36, switch `userTierOnReads`)."""
    return route.reads and route.name.startswith("user.")


def _is_empty(status: int, route: Route, world: World) -> bool:
    switched = route.name in world.switches.emptyUnauthorized
    return status == HTTPStatus.UNAUTHORIZED and switched


def _shape(status: int, route: Route) -> Schema:
    shape = shape_of(status, route.envelope)
    if shape is Envelope.C and status == HTTPStatus.UNAUTHORIZED:
        return s.ref("EnvelopeC401")
    if shape is Envelope.B and status == HTTPStatus.FORBIDDEN:
        return s.ref("EnvelopeB403")
    own = s.ref(f"Envelope{shape}")
    if status != HTTPStatus.BAD_REQUEST:
        return own
    if route.name in _MASKED:
        return s.any_of(own, s.ref("EnvelopeE"))
    return s.any_of(own, _ASSIGNMENT) if route.name == "activity.assignment" else own
