"""What each route takes in its query."""

from collections.abc import Mapping

from lmssync.vocabulary import limits
from lmssync.vocabulary.enums import AssetType

from ..areas import clients, content_search, groups
from ..areas.paging import PAGE_MOST
from .words import MOMENT, TEXT, UUID, Schema, many, words

_PER_PAGE: Schema = {"type": "integer", "minimum": 1, "maximum": PAGE_MOST}
_PAGE: Schema = {"type": "integer", "minimum": 1}
_MILLISECONDS: Schema = {"type": "integer", "minimum": 0, "maximum": 10**15 - 1}
_BY_PAGE: dict[str, Schema] = {"page": _PAGE, "perPage": _PER_PAGE}
_BY_CURSOR: dict[str, Schema] = {"cursor": TEXT}

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
        **_BY_PAGE,
        "kind": words(groups.KINDS),
        "archived": words(["true", "false"]),
    },
    "group.courses": _BY_PAGE,
    "content.search": {
        "types[]": many(words(content_search.TYPES)),
        "query": TEXT,
        "perPage": _PER_PAGE,
        **_BY_CURSOR,
    },
    "license.list": _BY_PAGE,
}
"""Parameters by route, besides those that say who asks; a list is one parameter an item."""
