"""`asset.list`: the items of the asset library, newest first (spec 2.6, 4, 7)."""

from collections.abc import Mapping
from typing import Any

from lmssync.vocabulary import limits
from lmssync.vocabulary.enums import AssetType

from .. import checks
from ..call import Call
from ..checks import V3, Rule, Wrong, collect
from ..data.blanks import ASSET
from ..documents import Doc, picked
from ..http import Answer, bad, forbidden
from ..platform import Platform
from .paging import after, cursor_of

SHOWN = ("id", *ASSET, "createdAt", "updatedAt")
_KEYS = frozenset({"secretKey", "jwt"})
"""What a query may hold to say who asks (spec 5)."""


def of_company(platform: Platform, call: Call) -> Answer:
    _require_company(call)
    query = _query(call.query)
    assets = [
        asset
        for asset in platform.objects.all("assets")
        if _listed(asset) and _matches(asset, query, every_tag=platform.switches.assetTags == "all")
    ]
    assets.sort(key=place, reverse=True)
    start = after(query.get("cursor"), assets, place=place, falling=True)
    end = start + query.get("limit", limits.ASSET_PAGE_DEFAULT)
    items = [as_wire(asset) for asset in assets[start:end]]
    following = cursor_of(place(assets[end - 1])) if end < len(assets) else None
    return Answer({"data": {"items": items, "nextCursor": following}})


def place(asset: Doc) -> list[Any]:
    """By the moment of the change and then by id, so that a cursor outlives changes of others."""
    return [asset["updatedAt"], asset["id"]]


def as_wire(asset: Doc) -> Doc:
    return picked(asset, SHOWN)


def _require_company(call: Call) -> None:
    """403 for a key that is bound to clients: the library is the company's."""
    if call.key.scope != "company":
        raise forbidden("You need a manager session or a company API key to do this")


def _listed(asset: Doc) -> bool:
    """Neither soft-deleted nor an old revision."""
    return asset.get("deletedAt") is None and asset.get("revisionOf") is None


def _matches(asset: Doc, query: Doc, *, every_tag: bool) -> bool:
    """Every filter that is given; of several tags one is enough, or all are needed (not shown)."""
    held, wanted = set(asset["tagIds"]), set(query.get("tagIds", ()))
    return (
        query.get("assetType") in (None, asset["assetType"])
        and query.get("search", "").casefold() in asset["title"].casefold()
        and asset["updatedAt"] > query.get("updatedAfter", "")
        and (not wanted or (wanted <= held if every_tag else bool(wanted & held)))
    )


def _query(query: Mapping[str, list[str]]) -> Doc:
    """The filters; 400 BAD_REQUEST names every constraint that fails."""
    given = {name: values for name, values in query.items() if name not in _KEYS}
    filters, errors = collect(given, _RULES, words=V3._replace(wrong="{1}"))
    if errors:
        raise bad(*errors)
    return filters


def _once(name: str, read: Rule) -> Rule:
    def rule(values: Any) -> Any:
        if len(values) > 1:
            raise Wrong(f"{name} must be given once")
        return read(values[0])

    return rule


def _tag_id(value: str) -> str:
    try:
        return checks.uuid(value)
    except Wrong:
        raise Wrong("each value in tagIds must be a UUID") from None


def _asset_type(value: str) -> str:
    if value not in list(AssetType):
        raise Wrong(f"assetType must be one of the following values: {', '.join(AssetType)}")
    return value


def _search(value: str) -> str:
    if len(value) > limits.ASSET_SEARCH:
        raise Wrong(f"search must be at most {limits.ASSET_SEARCH} characters long")
    return value


def _updated_after(value: str) -> str:
    try:
        return checks.date(value)
    except Wrong:
        raise Wrong("updatedAfter must be an ISO 8601 date") from None


def _limit(value: str) -> int:
    most = limits.ASSET_PAGE_MOST
    if not (value.isascii() and value.isdigit()) or not 1 <= int(value[:12]) <= most:
        raise Wrong(f"limit must be an integer between 1 and {most}")
    return int(value)


_SINGLE: Mapping[str, Rule] = {
    "assetType": _asset_type,
    "search": _search,
    "updatedAfter": _updated_after,
    "cursor": str,
    "limit": _limit,
}
_RULES: Mapping[str, Rule] = {
    "tagIds": lambda values: [_tag_id(value) for value in values],
    **{name: _once(name, read) for name, read in _SINGLE.items()},
}
"""Each reads the values of a name; raises Wrong with the constraint, which names the field."""
