"""Clients: `client.list`, searched, sorted, by cursor; `client.status` (spec 2.6, 4).

The list is described as also carrying courses, learning paths, licenses, appearance settings and
feature flags; their shapes are not shown, and `as_wire` is the one place that chooses them.
"""

from functools import partial
from typing import Any

from ..checks import quote_value
from ..data.object_kinds import OWN_TOGGLES, TOGGLES
from ..http_exchange import Answer, bad_request, not_found, refuse_access
from ..people.license_effects import seats_used
from ..sandbox_documents import Doc
from ..sandbox_platform import Call, Platform
from .licenses import as_wire as license_as_wire
from .paging import by_cursor

SORTS = ("id", "name", "slug", "createdAt", "updatedAt", "sku", "disabled")


def of_company(platform: Platform, call: Call) -> Answer:
    """`query` is searched in name, slug and sku; `sort` names a field, `-` before it turns it."""
    wanted = (call.last_value("query") or "").lower()
    sort = call.last_value("sort") or "name"
    falling, field = sort.startswith("-"), sort.removeprefix("-")
    if field not in SORTS:
        raise bad_request(
            f"sort: {quote_value(sort)} is not allowed; it must be one of {', '.join(SORTS)}"
        )

    def client_position(client: Doc) -> list[Any]:
        return [str(client.get(field) or "").lower(), client["id"]]

    items = [
        client
        for client in platform.objects.list_objects("clients")
        if call.key.may_see_client(client["id"])
        and any(wanted in (client.get(name) or "").lower() for name in ("name", "slug", "sku"))
    ]
    show = partial(as_wire, platform)
    return by_cursor(
        platform, call, "clients", items=items, place=client_position, show=show, falling=falling
    )


def as_wire(platform: Platform, client: Doc) -> Doc:
    """Courses are ids alone: a client may have thousands."""
    return {
        "id": client["id"],
        "name": client["name"],
        "slug": client["slug"],
        "createdAt": client["createdAt"],
        "updatedAt": client["updatedAt"],
        "tags": _name_objects(platform, "tags", client["tagIds"], field="label"),
        "sku": client["sku"],
        "disabled": client["disabled"],
        "courses": [{"id": id_} for id_ in client["courseIds"]],
        "learningPaths": _name_objects(
            platform, "learningPaths", client["learningPathIds"], field="title"
        ),
        "licenses": _client_licenses(platform, client["id"]),
        "appearanceSettings": {
            **(client["appearanceBlock"] or {}),
            "appearanceHash": client["appearanceHash"],
        },
        "featureFlags": {name: client[name] for name in (*TOGGLES, *OWN_TOGGLES)},
    }


def _name_objects(platform: Platform, kind: str, ids: list[str], *, field: str) -> list[Doc]:
    docs = (platform.objects.get_object(kind, id_) for id_ in ids)
    return [{"id": one["id"], field: one[field]} for one in docs if one]


def _client_licenses(platform: Platform, client_id: str) -> list[Doc]:
    """Each as spec 2.5 has it, with the seats in use."""
    licenses = platform.objects.list_owned("licenses", client_id)
    if not licenses:
        return []
    used = seats_used(platform, client_id)
    return [{**license_as_wire(one), "seatsUsed": used[one["id"]]} for one in licenses]


DISABLED = "disabled"


def update_status(platform: Platform, call: Call) -> Answer:
    """Any other status than `disabled` enables; the client comes back as the list shows it."""
    client = platform.objects.get_object("clients", call.path["id"])
    if client is None:
        raise not_found("client", call.path["id"])
    if not call.key.may_see_client(client["id"]):
        raise refuse_access("The API key may not change this client")
    status = call.body.get("status")
    if status is None:
        raise bad_request(
            "status: is required; disabled disables the client, any other value enables it"
        )
    if isinstance(status, list | dict):
        raise bad_request(
            f"status: is {quote_value(status)}; it must be text, a number, true or false"
        )
    client.update(disabled=status == DISABLED, updatedAt=platform.clock.format_now())
    platform.objects.save_object("clients", client)
    return Answer(as_wire(platform, client))
