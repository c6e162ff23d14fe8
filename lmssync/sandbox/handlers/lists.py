"""The lists of the company: all of one kind in some order.

`location.list`, `tag.list` (spec 2.6, 4); `user.list` (O51); `meeting.list` and `coupon.list` (O54,
where the fields and the order are not shown).
"""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import orjson

from ..data.object_kinds import COUPON, LOCATION, MEETING
from ..http_exchange import Answer, bad_request
from ..people.accounts import may_see
from ..sandbox_documents import Doc, pick_fields
from ..sandbox_platform import Call, Platform
from .paging import by_cursor, by_page
from .users import as_wire as user_as_wire

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
    return by_cursor(platform, call, "users", items=items, place=place, show=user_as_wire)


def _list_kind(
    platform: Platform, call: Call, kind: str, names: Iterable[str], by: Callable[[Doc], Any]
) -> Answer:
    """These fields of all of a kind, in the order of `by` and then of ids."""
    items, show = platform.objects.list_objects(kind), partial(pick_fields, names=names)
    return by_cursor(
        platform, call, kind, items=items, place=partial(_list_position, by=by), show=show
    )


def _list_position(doc: Doc, *, by: Callable[[Doc], Any]) -> list[Any]:
    return [str(by(doc) or ""), doc["id"]]


def list_tags(platform: Platform, call: Call) -> Answer:
    """`filters` is a JSON object or `filters[label]=x`; its encoding is not shown."""
    label = _label_filter(call).lower()
    matching = [
        tag for tag in platform.objects.list_objects("tags") if label in tag["label"].lower()
    ]
    show = partial(pick_fields, names=("id", "label"))
    return by_page(platform, call, "tags", items=matching, show=show)


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
