"""`coupon.list`: the coupons of the company, by cursor (O54; the fields are not shown)."""

from typing import Any

from ..call import Call
from ..data.blanks import COUPON
from ..http import Answer
from ..platform import Platform
from .paging import by_cursor

Doc = dict[str, Any]
SHOWN = ("id", *COUPON, "createdAt", "updatedAt")


def of_company(platform: Platform, call: Call) -> Answer:
    """In the order of their codes; the order is not shown."""
    return by_cursor(
        platform,
        call,
        "coupons",
        items=sorted(platform.objects.all("coupons"), key=_place),
        place=_place,
        size=platform.switches.pageSize,
        show=as_wire,
    )


def as_wire(coupon: Doc) -> Doc:
    return {name: coupon.get(name) for name in SHOWN}


def _place(coupon: Doc) -> list[Any]:
    return [str(coupon["code"] or ""), coupon["id"]]
