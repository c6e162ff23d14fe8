"""`asset.list`: the items of the asset library, newest first (spec 2.6, 4, 7)."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from lmssync.vocabulary import limits
from lmssync.vocabulary.enums import AssetType

from .. import checks
from ..checks import V3, Rule, Wrong, collect_fields
from ..data.object_kinds import ASSET
from ..http_exchange import Answer, Refusal, bad_request, refuse_access
from ..sandbox_documents import Doc, pick_fields
from ..sandbox_platform import Call, Platform
from .paging import cursor_of, index_after, parse_number

SHOWN = ("id", *ASSET, "createdAt", "updatedAt")
_KEYS = frozenset({"secretKey", "jwt"})
"""What a query may hold to say who asks (spec 5)."""


def of_company(platform: Platform, call: Call) -> Answer:
    if call.key.scope != "company":  # the library is the company's
        raise refuse_access("You need a manager session or a company API key to do this")
    query = _read_filters(call.query)
    assets = [
        asset
        for asset in platform.objects.list_objects("assets")
        if _matches_filters(asset, query, every_tag=platform.switches.assetTags == "all")
    ]
    assets.sort(key=asset_position, reverse=True)
    start = index_after(query.get("cursor"), assets, place=asset_position, falling=True)
    end = start + query.get("limit", limits.ASSET_PAGE_DEFAULT)
    items = [as_wire(asset) for asset in assets[start:end]]
    following = cursor_of(asset_position(assets[end - 1])) if end < len(assets) else None
    return Answer({"data": {"items": items, "nextCursor": following}})


def asset_position(asset: Doc) -> list[Any]:
    """By the moment of the change and then by id, so that a cursor outlives changes of others."""
    return [asset["updatedAt"], asset["id"]]


def as_wire(asset: Doc) -> Doc:
    return pick_fields(asset, SHOWN)


def _matches_filters(asset: Doc, query: Doc, *, every_tag: bool) -> bool:
    """Neither soft-deleted nor an old revision, and in every filter that is given; of several tags
    one is enough, or all are needed (not shown)."""
    held, wanted = set(asset["tagIds"]), set(query.get("tagIds", ()))
    return (
        asset.get("deletedAt") is None
        and asset.get("revisionOf") is None
        and query.get("assetType") in (None, asset["assetType"])
        and query.get("search", "").casefold() in asset["title"].casefold()
        and asset["updatedAt"] > query.get("updatedAfter", "")
        and (not wanted or (wanted <= held if every_tag else bool(wanted & held)))
    )


def _read_filters(query: Mapping[str, list[str]]) -> Doc:
    """The filters; 400 BAD_REQUEST names every constraint that fails."""
    given = {name: values for name, values in query.items() if name not in _KEYS}
    filters, errors = collect_fields(given, _RULES, words=V3._replace(wrong="{1}"))
    if errors:
        raise bad_request(*errors)
    return filters


def _given_once(name: str, read: Rule) -> Rule:
    def check_single(values: Any) -> Any:
        if len(values) > 1:
            raise Wrong(f"{name} must be given once")
        return read(values[0])

    return check_single


def _with_wording(read: Rule, constraint: str) -> Rule:
    """A rule that says what is wrong in the words of this route."""

    def check_and_word(value: Any) -> Any:
        try:
            return read(value)
        except (Wrong, Refusal):
            raise Wrong(constraint) from None

    return check_and_word


_SEARCH, _LIMIT = limits.ASSET_SEARCH, limits.ASSET_PAGE_MOST
_TAG_ID = _with_wording(checks.check_uuid, "each value in tagIds must be a UUID")
_SINGLE: Mapping[str, Rule] = {
    "assetType": _with_wording(
        checks.one_of(AssetType),
        f"assetType must be one of the following values: {', '.join(AssetType)}",
    ),
    "search": _with_wording(
        checks.text_up_to(_SEARCH), f"search must be at most {_SEARCH} characters long"
    ),
    "updatedAfter": _with_wording(checks.check_date, "updatedAfter must be an ISO 8601 date"),
    "cursor": str,
    "limit": _with_wording(
        partial(parse_number, name="limit", most=_LIMIT),
        f"limit must be an integer between 1 and {_LIMIT}",
    ),
}
_RULES: Mapping[str, Rule] = {
    "tagIds": lambda values: [_TAG_ID(value) for value in values],
    **{name: _given_once(name, read) for name, read in _SINGLE.items()},
}
"""Each reads the values of a name; raises Wrong with the constraint, which names the field."""
