"""How a client is shown in the list of clients (spec 2.6).

The list is described as also carrying courses, learning paths, licenses, appearance settings and
feature flags; their shapes are not shown, and this is the one place that chooses them.
"""

from ..data.blanks import OWN_TOGGLES, TOGGLES
from ..documents import Doc
from ..people import seats
from ..platform import Platform
from .licenses import as_wire as license_as_wire


def as_wire(platform: Platform, client: Doc) -> Doc:
    """Courses are ids alone: a client may have thousands."""
    return {
        "id": client["id"],
        "name": client["name"],
        "slug": client["slug"],
        "createdAt": client["createdAt"],
        "updatedAt": client["updatedAt"],
        "tags": _named(platform, "tags", client["tagIds"], field="label"),
        "sku": client["sku"],
        "disabled": client["disabled"],
        "courses": [{"id": id_} for id_ in client["courseIds"]],
        "learningPaths": _named(
            platform, "learningPaths", client["learningPathIds"], field="title"
        ),
        "licenses": _licenses(platform, client["id"]),
        "appearanceSettings": _appearance(client),
        "featureFlags": {name: client[name] for name in (*TOGGLES, *OWN_TOGGLES)},
    }


def _named(platform: Platform, kind: str, ids: list[str], *, field: str) -> list[Doc]:
    found = (platform.objects.get(kind, id_) for id_ in ids)
    return [{"id": one["id"], field: one[field]} for one in found if one]


def _licenses(platform: Platform, client_id: str) -> list[Doc]:
    """Each as spec 2.5 has it, with the seats in use."""
    licenses = platform.objects.owned("licenses", client_id)
    if not licenses:
        return []
    used = seats.used(platform, client_id)
    return [{**license_as_wire(one), "seatsUsed": used[one["id"]]} for one in licenses]


def _appearance(client: Doc) -> Doc:
    return {**(client["appearanceBlock"] or {}), "appearanceHash": client["appearanceHash"]}
