"""Whether a request may go on: its key, the permission, the features (spec 5)."""

from lmssync.vocabulary.enums import Feature
from lmssync.vocabulary.routes import Route

from ..http import NO_KEY, Refusal, refuse_access
from .keys import Key

ON_AT_FIRST = frozenset(
    {Feature.EXTERNAL_ACTIVITY, Feature.ADVANCED_CLIENTS, Feature.BULK_MIGRATION}
)
"""Features of a new sandbox, so that every route can be tried."""

_FEATURE_OFF = "This feature is not available for your account"
_ACTIVITY_OFF = "The external activity feature is not enabled"


def require_key(key: Key | None) -> Key:
    """The key, or 401."""
    if key is None:
        raise Refusal(401, NO_KEY)
    return key


def require_permission(key: Key, route: Route) -> None:
    """403 unless the key carries the permission that the route names."""
    if route.permission and key.permissions is not None and route.permission not in key.permissions:
        raise refuse_access(f"You need the permission {route.permission} to do this")


def require_features(features: frozenset[Feature], route: Route) -> None:
    """403 if the account lacks a feature of the route; 400 on the activity routes (spec 4)."""
    if all(feature in features for feature in route.features):
        return
    if Feature.EXTERNAL_ACTIVITY in route.features:
        raise Refusal(400, _ACTIVITY_OFF)
    raise refuse_access(_FEATURE_OFF)
