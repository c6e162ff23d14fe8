"""What each route takes in its path and in its query."""

from collections.abc import Mapping

from lmssync.vocabulary import limits
from lmssync.vocabulary.enums import AssetType
from lmssync.vocabulary.routes import Route

from ..handlers import clients, content_search, groups
from ..handlers.events import feeds_of
from ..handlers.paging import LAST_PAGE, MANY_MOST, PAGE_MOST
from ..platform import Platform
from .words import MOMENT, TEXT, UUID, Schema, many, words

_PER_PAGE: Schema = {"type": "integer", "minimum": 1, "maximum": PAGE_MOST}
_PAGE: Schema = {"type": "integer", "minimum": 1, "maximum": LAST_PAGE}
_MILLISECONDS: Schema = {"type": "integer", "minimum": 0, "maximum": 10**15 - 1}
_BY_PAGE: dict[str, Schema] = {"page": _PAGE, "perPage": _PER_PAGE}
_BY_CURSOR: dict[str, Schema] = {"cursor": TEXT}
_BY_EITHER: dict[str, Schema] = {
    "page": _PAGE,
    "perPage": {**_PER_PAGE, "maximum": MANY_MOST},
    **_BY_CURSOR,
}

QUERIES: Mapping[str, Mapping[str, Schema]] = {
    "topic.list": {**_BY_CURSOR, "perPage": _PER_PAGE},
    "client.list": {
        "query": TEXT,
        "sort": words([*clients.SORTS, *(f"-{name}" for name in clients.SORTS)]),
        **_BY_CURSOR,
    },
    "tag.list": {"filters": TEXT, "filters[label]": TEXT, **_BY_PAGE},
    "location.list": _BY_CURSOR,
    "asset.list": {
        "assetType": words(AssetType),
        "search": {**TEXT, "maxLength": limits.ASSET_SEARCH},
        "tagIds": many(UUID),
        "updatedAfter": MOMENT,
        **_BY_CURSOR,
        "limit": {"type": "integer", "minimum": 1, "maximum": limits.ASSET_PAGE_MOST},
    },
    "event.list": {
        "startDate": _MILLISECONDS,
        "endDate": _MILLISECONDS,
        "notifiableId": TEXT,
        "userId": TEXT,
        **_BY_CURSOR,
    },
    "activity.assignment": {"jwt": TEXT},
    "criteria.list": _BY_PAGE,
    "group.list": {
        **_BY_EITHER,
        "kind": words(groups.KINDS),
        "archived": words(["true", "false"]),
    },
    "group.courses": _BY_EITHER,
    "section.list": _BY_EITHER,
    "section.lessons": _BY_EITHER,
    "lesson.list": _BY_EITHER,
    "user.list": _BY_CURSOR,
    "attempt.list": _BY_CURSOR,
    "meeting.list": _BY_CURSOR,
    "coupon.list": _BY_CURSOR,
    "content.search": {
        "types[]": many(words(content_search.TYPES)),
        "query": TEXT,
        "perPage": _PER_PAGE,
        **_BY_CURSOR,
    },
    "license.list": _BY_PAGE,
}
"""Parameters by route, besides those that say who asks; a list is one parameter an item."""


def of_path(platform: Platform, route: Route, name: str) -> Schema:
    """What a parameter of a path is. Another text than that is 404, as an unknown id is."""
    if name == "kind":
        return words(feeds_of(platform))
    by_email = route.name in _USERS and platform.profile == "extended"
    return {**TEXT, "minLength": 1} if by_email or name == "slug" else UUID


_USERS = frozenset({"user.read", "user.change"})
"""Routes that take an e-mail address in the place of an id, in the extended profile (O35)."""
