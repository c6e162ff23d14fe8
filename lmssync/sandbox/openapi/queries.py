"""What each route takes in its path and in its query."""

from collections.abc import Mapping

from lmssync.vocabulary import limits
from lmssync.vocabulary.enums import AssetType
from lmssync.vocabulary.routes import Route

from ..handlers import clients, content_search, groups
from ..handlers.events import feeds_of
from ..handlers.paging import LAST_PAGE, MANY_MOST, PAGE_MOST
from ..sandbox_platform import Platform
from . import schema as s
from .schema import Schema

_PER_PAGE = s.integer_schema(1, PAGE_MOST)
_MILLISECONDS = s.any_of(s.integer_schema(0, 10**15 - 1), s.enum_schema([""]))
"""An empty one counts as left out."""
_BY_PAGE = {"page": s.integer_schema(1, LAST_PAGE), "perPage": _PER_PAGE}
_BY_CURSOR = {"cursor": s.STRING}
_BY_EITHER = {**_BY_PAGE, "perPage": s.integer_schema(1, MANY_MOST), **_BY_CURSOR}

QUERIES: Mapping[str, Mapping[str, Schema]] = {
    **dict.fromkeys(("criteria.list", "license.list"), _BY_PAGE),
    **dict.fromkeys(("location.list", "user.list", "attempt.list"), _BY_CURSOR),
    **dict.fromkeys(("meeting.list", "coupon.list"), _BY_CURSOR),
    **dict.fromkeys(("group.courses", "section.list", "section.lessons"), _BY_EITHER),
    "lesson.list": _BY_EITHER,
    "topic.list": {**_BY_CURSOR, "perPage": _PER_PAGE},
    "client.list": {
        "query": s.STRING,
        "sort": s.enum_schema([*clients.SORTS, *(f"-{name}" for name in clients.SORTS)]),
        **_BY_CURSOR,
    },
    "tag.list": {"filters": s.STRING, "filters[label]": s.STRING, **_BY_PAGE},
    "asset.list": {
        "assetType": s.enum_schema(AssetType),
        "search": s.string_schema(maxLength=limits.ASSET_SEARCH),
        "tagIds": s.array_schema(s.UUID),
        "updatedAfter": s.DATE_TIME,
        **_BY_CURSOR,
        "limit": s.integer_schema(1, limits.ASSET_PAGE_MOST),
    },
    "event.list": {
        "startDate": _MILLISECONDS,
        "endDate": _MILLISECONDS,
        "notifiableId": s.STRING,
        "userId": s.STRING,
        **_BY_CURSOR,
    },
    "activity.assignment": {"jwt": s.STRING},
    "group.list": {
        **_BY_EITHER,
        "kind": s.enum_schema(groups.KINDS),
        "archived": s.enum_schema(["true", "false"]),
    },
    "content.search": {
        "types[]": s.array_schema(s.enum_schema(content_search.TYPES)),
        "query": s.STRING,
        "perPage": _PER_PAGE,
        **_BY_CURSOR,
    },
}
"""Parameters by route, besides those that say who asks; a list is one parameter an item."""


def of_path(platform: Platform, route: Route, name: str) -> Schema:
    """What a parameter of a path is. Another text than that is 404, as an unknown id is."""
    if name == "kind":
        return s.enum_schema(feeds_of(platform))
    by_email = route.name in _USERS and platform.profile == "extended"
    return s.string_schema(minLength=1) if by_email or name == "slug" else s.UUID


_USERS = frozenset({"user.read", "user.change"})
"""Routes that take an e-mail address in the place of an id, in the extended profile (O35)."""
