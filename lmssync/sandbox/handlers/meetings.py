"""`meeting.list`: the meetings of the company, by cursor (O54; the fields are not shown)."""

from typing import Any

from ..call import Call
from ..data.blanks import MEETING
from ..http import Answer
from ..platform import Platform
from .paging import by_cursor

Doc = dict[str, Any]
SHOWN = ("id", *MEETING, "createdAt", "updatedAt")


def of_company(platform: Platform, call: Call) -> Answer:
    """In the order of their beginning; the order is not shown."""
    return by_cursor(
        platform,
        call,
        "meetings",
        items=sorted(platform.objects.all("meetings"), key=_place),
        place=_place,
        size=platform.switches.pageSize,
        show=as_wire,
    )


def as_wire(meeting: Doc) -> Doc:
    return {name: meeting.get(name) for name in SHOWN}


def _place(meeting: Doc) -> list[Any]:
    return [str(meeting["startDate"] or ""), meeting["id"]]
