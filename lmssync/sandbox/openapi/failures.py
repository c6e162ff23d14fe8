"""The answers of refusals: which statuses a route has, and the shape of each (spec 7)."""

from collections.abc import Mapping
from http import HTTPStatus

from lmssync.vocabulary.envelopes import UNAUTHORIZED, Category, Envelope
from lmssync.vocabulary.routes import Route

from ..http import shape_of
from ..platform import Platform
from .components import ref
from .queries import QUERIES
from .words import (
    FLAG,
    MOMENT,
    OBJECT,
    TEXT,
    WHOLE,
    Schema,
    either,
    many,
    named,
    or_null,
    record,
    words,
)

_TEXTS = many(TEXT, minItems=1)
_ASSIGNMENT = named(
    "AssignmentNotRecorded",
    record(
        {
            "valid": {**FLAG, "const": False},
            "errors": _TEXTS,
            "assignmentSubmission": or_null(OBJECT),
        }
    ),
)
ENVELOPES: Mapping[str, Schema] = {
    "EnvelopeA": record({"errors": _TEXTS}),
    "EnvelopeB": record({"valid": {**FLAG, "const": False}, "errors": _TEXTS}),
    "EnvelopeB403": record({"error": TEXT}),
    "EnvelopeC": record(
        {
            "error": TEXT,
            "message": TEXT,
            "details": many(record({"field": TEXT, "code": TEXT, "message": TEXT})),
        },
        optional=["details"],
    ),
    "EnvelopeC401": record({"error": words([UNAUTHORIZED]), "message": TEXT}),
    "EnvelopeD": record(
        {
            "code": TEXT,
            "message": TEXT,
            "category": words(Category),
            "timestamp": MOMENT,
            "statusCode": WHOLE,
            "metadata": or_null(OBJECT),
        },
        optional=["metadata"],
    ),
    "EnvelopeE": record({"errors": many(record({"message": TEXT}), minItems=1)}),
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


def failures_of(route: Route, platform: Platform) -> dict[int, Schema | None]:
    """The statuses of refusals of a route with their shapes; None is an empty body."""
    return {
        status: None if _is_empty(status, route, platform) else _shape(status, route)
        for status in _statuses(route, platform)
    }


def _statuses(route: Route, platform: Platform) -> list[int]:
    has = {
        400: not route.reads or route.name in QUERIES,
        401: True,
        403: bool(route.permission or route.features) or route.name in SCOPED,
        404: "{" in route.path,
        409: route.name in CONFLICTING,
        413: not route.reads,
        415: not route.reads,
        429: bool(route.windows)
        or platform.switches.accountFigures != "off"
        or _is_user_read(route),
        503: True,
    }
    return [status for status, there in has.items() if there]


def _is_user_read(route: Route) -> bool:
    """The user tier can be seen to hit reads of users (O36, switch `userTierOnReads`)."""
    return route.reads and route.name.startswith("user.")


def _is_empty(status: int, route: Route, platform: Platform) -> bool:
    switched = route.name in platform.switches.emptyUnauthorized
    return status == HTTPStatus.UNAUTHORIZED and switched


def _shape(status: int, route: Route) -> Schema:
    shape = shape_of(status, route.envelope)
    if shape is Envelope.C and status == HTTPStatus.UNAUTHORIZED:
        return ref("EnvelopeC401")
    if shape is Envelope.B and status == HTTPStatus.FORBIDDEN:
        return ref("EnvelopeB403")
    own = ref(f"Envelope{shape}")
    if status != HTTPStatus.BAD_REQUEST:
        return own
    if route.name in _MASKED:
        return either(own, ref("EnvelopeE"))
    return either(own, _ASSIGNMENT) if route.name == "activity.assignment" else own
