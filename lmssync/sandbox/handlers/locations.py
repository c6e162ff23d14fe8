"""`location.list`: the locations of the company, by cursor (spec 2.6, 4)."""

from typing import Any

from ..call import Call
from ..data.blanks import LOCATION
from ..http import Answer
from ..platform import Platform
from .paging import by_cursor

Doc = dict[str, Any]
SHOWN = ("id", *LOCATION)


def of_company(platform: Platform, call: Call) -> Answer:
    """By name; the order is not shown."""

    def place(location: Doc) -> list[Any]:
        return [location["name"].lower(), location["id"]]

    return by_cursor(
        platform,
        call,
        "locations",
        items=sorted(platform.objects.all("locations"), key=place),
        place=place,
        size=platform.switches.pageSize,
        show=as_wire,
    )


def as_wire(location: Doc) -> Doc:
    return {name: location.get(name) for name in SHOWN}
