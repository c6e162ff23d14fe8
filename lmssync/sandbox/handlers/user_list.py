"""`user.list`: the accounts that a key may see, by cursor (O51)."""

from typing import Any

from ..call import Call
from ..http import Answer
from ..people.accounts import may_see
from ..platform import Platform
from .paging import by_cursor
from .users import as_wire

Doc = dict[str, Any]


def of_company(platform: Platform, call: Call) -> Answer:
    """Whole profiles (spec 2.4), oldest first; the order is not shown."""
    return by_cursor(
        platform,
        call,
        "users",
        items=sorted(
            (u for u in platform.objects.all("users") if may_see(call.key, u)), key=_place
        ),
        place=_place,
        size=platform.switches.pageSize,
        show=as_wire,
    )


def _place(user: Doc) -> list[Any]:
    return [str(user["createdAt"] or ""), user["id"]]
