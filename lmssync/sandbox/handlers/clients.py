"""`client.list`: the clients of the company, searched, sorted, by cursor (spec 4)."""

from typing import Any

from ..call import Call
from ..checks import shown
from ..documents import Doc
from ..http import Answer, bad
from ..platform import Platform
from .client_view import as_wire
from .paging import by_cursor

SORTS = ("id", "name", "slug", "createdAt", "updatedAt", "sku", "disabled")


def of_company(platform: Platform, call: Call) -> Answer:
    """`query` is searched in name, slug and sku; `sort` names a field, `-` before it turns it."""
    wanted = (call.one("query") or "").lower()
    sort = call.one("sort") or "name"
    falling, field = sort.startswith("-"), sort.removeprefix("-")
    if field not in SORTS:
        raise bad(f"sort: {shown(sort)} is not allowed; it must be one of {', '.join(SORTS)}")

    def place(client: Doc) -> list[Any]:
        return [str(client.get(field) or "").lower(), client["id"]]

    return by_cursor(
        platform,
        call,
        "clients",
        items=[
            client
            for client in platform.objects.all("clients")
            if call.key.may_see_client(client["id"]) and _mentions(client, wanted)
        ],
        place=place,
        falling=falling,
        show=lambda client: as_wire(platform, client),
    )


def _mentions(client: Doc, wanted: str) -> bool:
    texts = (client.get(name) or "" for name in ("name", "slug", "sku"))
    return any(wanted in text.lower() for text in texts)
