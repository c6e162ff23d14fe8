"""The lists of the company: all of one kind in some order.

`location.list`, `tag.list` (spec 2.6, 4); `user.list` (O51); `meeting.list` and `coupon.list` (O54,
where the fields and the order are not shown).
"""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import orjson

from ..call import Call
from ..data.blanks import COUPON, LOCATION, MEETING
from ..documents import Doc, picked
from ..http import Answer, bad
from ..people.accounts import may_see
from ..platform import Platform
from .paging import by_cursor, by_page
from .users import as_wire as user_as_wire

Show = Callable[[Doc], Doc]
LOCATION_SHOWN = ("id", *LOCATION)
MEETING_SHOWN = ("id", *MEETING, "createdAt", "updatedAt")
COUPON_SHOWN = ("id", *COUPON, "createdAt", "updatedAt")


def locations(platform: Platform, call: Call) -> Answer:
    """By name; the order is not shown."""
    items, show = platform.objects.all("locations"), partial(picked, names=LOCATION_SHOWN)
    return _listed(
        platform, call, "locations", items, by=lambda doc: doc["name"].lower(), show=show
    )


def meetings(platform: Platform, call: Call) -> Answer:
    """In the order of their beginning; the order is not shown."""
    items, show = platform.objects.all("meetings"), partial(picked, names=MEETING_SHOWN)
    return _listed(platform, call, "meetings", items, by=lambda doc: doc["startDate"], show=show)


def coupons(platform: Platform, call: Call) -> Answer:
    """In the order of their codes; the order is not shown."""
    items, show = platform.objects.all("coupons"), partial(picked, names=COUPON_SHOWN)
    return _listed(platform, call, "coupons", items, by=lambda doc: doc["code"], show=show)


def users(platform: Platform, call: Call) -> Answer:
    """Whole profiles (spec 2.4), oldest first; the order is not shown."""
    items = (user for user in platform.objects.all("users") if may_see(call.key, user))
    return _listed(
        platform, call, "users", items, by=lambda user: user["createdAt"], show=user_as_wire
    )


def _listed(
    platform: Platform,
    call: Call,
    key: str,
    items: Iterable[Doc],
    *,
    by: Callable[[Doc], str | None],
    show: Show,
) -> Answer:
    """In the order of `by` and then of ids."""

    def place(doc: Doc) -> list[Any]:
        return [str(by(doc) or ""), doc["id"]]

    return by_cursor(platform, call, key, items=items, place=place, show=show)


def tags(platform: Platform, call: Call) -> Answer:
    """`filters` is a JSON object or `filters[label]=x`; its encoding is not shown."""
    label = _label_filter(call).lower()
    matching = [tag for tag in platform.objects.all("tags") if label in tag["label"].lower()]
    return by_page(platform, call, "tags", items=matching, show=_tag)


def _tag(tag: Doc) -> Doc:
    return {"id": tag["id"], "label": tag["label"]}


def _label_filter(call: Call) -> str:
    direct = call.one("filters[label]")
    if direct is not None:
        return direct
    given = call.one("filters")
    if not given:
        return ""
    try:
        filters = orjson.loads(given)
    except orjson.JSONDecodeError:
        filters = None
    if not isinstance(filters, dict):
        raise bad('filters: it must be a JSON object such as {"label": "Safety"}')
    label = filters.get("label") or ""
    if not isinstance(label, str):
        raise bad("filters.label: it must be text")
    return label
