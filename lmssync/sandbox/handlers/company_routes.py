"""The lists of the company, `ping`, and background jobs.

`location.list`, `tag.list` (spec 2.6, 4); `asset.list`, newest first (spec 2.6, 4, 7); `user.list`
(O51); `meeting.list` and `coupon.list` (O54, where the fields and the order are not shown).
"""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any

import orjson

from ...vocabulary import limits
from ...vocabulary.enums import AssetType
from .. import value_checks
from ..data.object_kinds import ASSET, COUPON, LOCATION, MEETING
from ..http_messages import Answer, Refusal, bad_request, not_found
from ..sandbox_documents import Doc, drop_fields, pick_fields
from ..sandbox_jobs import show_job
from ..sandbox_platform import Call, Platform
from ..value_checks import V3, InvalidValue, Rule, collect_fields
from .list_pages import encode_cursor, index_after, page_by_cursor, page_by_number, parse_number
from .user_routes import may_see, show_user

ASSET_SHOWN = ("id", *ASSET, "createdAt", "updatedAt")
_KEYS = frozenset({"secretKey", "jwt"})
"""What a query may hold to say who asks (spec 5)."""


def list_assets(platform: Platform, call: Call) -> Answer:
    if call.key.scope != "company":  # the library is the company's
        raise Refusal(403, "You need a manager session or a company API key to do this")
    query = _read_filters(call.query)
    assets = [
        asset
        for asset in platform.objects.list_objects("assets")
        if _matches_filters(asset, query, every_tag=platform.switches.assetTags == "all")
    ]
    assets.sort(key=asset_position, reverse=True)
    start = index_after(query.get("cursor"), assets, place=asset_position, falling=True)
    end = start + query.get("limit", limits.ASSET_PAGE_DEFAULT)
    items = [pick_fields(asset, ASSET_SHOWN) for asset in assets[start:end]]
    following = encode_cursor(asset_position(assets[end - 1])) if end < len(assets) else None
    return Answer({"data": {"items": items, "nextCursor": following}})


def asset_position(asset: Doc) -> list[Any]:
    """By the moment of the change and then by id, so that a cursor outlives changes of others."""
    return [asset["updatedAt"], asset["id"]]


def _matches_filters(asset: Doc, query: Doc, *, every_tag: bool) -> bool:
    """Neither soft-deleted nor an old revision, and in every filter that is given; of several tags
    one is enough, or all are needed (not shown)."""
    tags, wanted = set(asset["tagIds"]), set(query.get("tagIds", ()))
    return (
        asset.get("deletedAt") is None
        and asset.get("revisionOf") is None
        and query.get("assetType") in (None, asset["assetType"])
        and query.get("search", "").casefold() in asset["title"].casefold()
        and asset["updatedAt"] > query.get("updatedAfter", "")
        and (not wanted or (wanted <= tags if every_tag else bool(wanted & tags)))
    )


def _read_filters(query: Mapping[str, list[str]]) -> Doc:
    """The filters; 400 BAD_REQUEST names every constraint that fails."""
    given = drop_fields(query, *_KEYS)
    filters, errors = collect_fields(given, _RULES, words=V3._replace(wrong="{1}"))
    if errors:
        raise bad_request(*errors)
    return filters


def _given_once(name: str, read: Rule) -> Rule:
    def check_single(values: Any) -> Any:
        if len(values) > 1:
            raise InvalidValue(f"{name} must be given once")
        return read(values[0])

    return check_single


def _with_wording(read: Rule, constraint: str) -> Rule:
    """A rule that says what is wrong in the words of this route."""

    def check_and_word(value: Any) -> Any:
        try:
            return read(value)
        except (InvalidValue, Refusal):
            raise InvalidValue(constraint) from None

    return check_and_word


_SEARCH, _LIMIT = limits.ASSET_SEARCH, limits.ASSET_PAGE_MOST
_TAG_ID = _with_wording(value_checks.check_uuid, "each value in tagIds must be a UUID")
_SINGLE: Mapping[str, Rule] = {
    "assetType": _with_wording(
        value_checks.one_of(AssetType),
        f"assetType must be one of the following values: {', '.join(AssetType)}",
    ),
    "search": _with_wording(
        value_checks.text_up_to(_SEARCH), f"search must be at most {_SEARCH} characters long"
    ),
    "updatedAfter": _with_wording(value_checks.check_date, "updatedAfter must be an ISO 8601 date"),
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
"""Each reads the values of a name; raises InvalidValue with the constraint, which names it."""


def answer_ping(_platform: Platform, _call: Call) -> Answer:
    return Answer({"valid": True})


def read_job(platform: Platform, call: Call) -> Answer:
    job = platform.objects.get_object("jobs", call.path["id"])
    if job is None:
        raise not_found("job", call.path["id"])
    return Answer(show_job(job, now=platform.clock.read_time()))


LOCATION_SHOWN = ("id", *LOCATION)
MEETING_SHOWN = ("id", *MEETING, "createdAt", "updatedAt")
COUPON_SHOWN = ("id", *COUPON, "createdAt", "updatedAt")


def list_locations(platform: Platform, call: Call) -> Answer:
    """By name; the order is not shown."""
    return _list_kind(platform, call, "locations", LOCATION_SHOWN, lambda doc: doc["name"].lower())


def list_meetings(platform: Platform, call: Call) -> Answer:
    """In the order of their beginning; the order is not shown."""
    return _list_kind(platform, call, "meetings", MEETING_SHOWN, lambda doc: doc["startDate"])


def list_coupons(platform: Platform, call: Call) -> Answer:
    """In the order of their codes; the order is not shown."""
    return _list_kind(platform, call, "coupons", COUPON_SHOWN, lambda doc: doc["code"])


def list_users(platform: Platform, call: Call) -> Answer:
    """Whole profiles (spec 2.4), oldest first; the order is not shown."""
    items = (user for user in platform.objects.list_objects("users") if may_see(call.key, user))
    place = partial(_list_position, by=lambda user: user["createdAt"])
    return page_by_cursor(platform, call, "users", items=items, place=place, show=show_user)


def _list_kind(
    platform: Platform, call: Call, kind: str, names: Iterable[str], by: Callable[[Doc], Any]
) -> Answer:
    """These fields of all of a kind, in the order of `by` and then of ids."""
    items, show = platform.objects.list_objects(kind), partial(pick_fields, names=names)
    place = partial(_list_position, by=by)
    return page_by_cursor(platform, call, kind, items=items, place=place, show=show)


def _list_position(doc: Doc, *, by: Callable[[Doc], Any]) -> list[Any]:
    return [str(by(doc) or ""), doc["id"]]


def list_tags(platform: Platform, call: Call) -> Answer:
    """`filters` is a JSON object or `filters[label]=x`; its encoding is not shown."""
    label, tags = _label_filter(call).lower(), platform.objects.list_objects("tags")
    matching = [tag for tag in tags if label in tag["label"].lower()]
    show = partial(pick_fields, names=("id", "label"))
    return page_by_number(platform, call, "tags", items=matching, show=show)


def _label_filter(call: Call) -> str:
    direct = call.last_value("filters[label]")
    if direct is not None:
        return direct
    given = call.last_value("filters")
    if not given:
        return ""
    try:
        filters = orjson.loads(given)
    except orjson.JSONDecodeError:
        filters = None
    if not isinstance(filters, dict):
        raise bad_request('filters: it must be a JSON object such as {"label": "Safety"}')
    label = filters.get("label") or ""
    if not isinstance(label, str):
        raise bad_request("filters.label: it must be text")
    return label
