"""How a license is made and found again."""

from collections.abc import Iterator

from ...kind import (
    CallPart,
    Effect,
    Ids,
    InList,
    Json,
    Mention,
    Mentioned,
    PermanentLoss,
    Reading,
    ReadRequest,
    Removal,
    Search,
)
from ...resource import Address, Form
from ..on_wire import as_instant, as_unordered
from ..references import is_uuid, rename_references
from .spec import REFERENCES, LicenseSpec

CREATE = "license.create"
REPLACES = {
    "replaceCourseIds": "course",
    "replaceLearningPathIds": "learning path",
    "replaceCourseTagIds": "tag",
}
"""The flags, and the assignments that each takes away."""


def create_license_part(address: Address, form: Form, marker: str | None) -> CallPart:
    """The marker is `refN=value`: the project file names the field."""
    body = {
        key: value
        for key, value in rename_references(REFERENCES, form).items()
        if value is not None
    }
    if marker:
        field, _, value = marker.partition("=")
        body.setdefault(field, value)
    return CallPart.describe_part(address, CREATE, body, adds=True, repeatable=False)


def remove_license(_form: Form) -> Removal:
    """A license is never deleted, not even where an instance has a route for it (O33): what its
    holders would lose is not shown."""
    return Removal(Effect.ACCESS, "its holders keep their access, and their seats stay taken")


def match_license(_form: Form, _marker: str | None, live: Json, *_: object) -> Ids | None:
    """The answer of a create is the license itself (spec 4)."""
    return Ids({"id": live["id"]}) if "id" in live else None


def search_license(form: Form, marker: str | None) -> Search:
    """How to find it by its mark among its client's licenses, if they can be listed (O33).

    Without a mark, a person must decide about a license of the same name.
    """
    field, _, value = (marker or "").partition("=")
    request = ReadRequest("license.list", {"id": form["client"]}, {}, "licenses")

    def license_fits(item: Json) -> str | None:
        same = item.get(field) == value if field else item.get("name") == form["name"]
        return str(item["id"]) if same else None

    return Search(request, license_fits)


def find_among_clients(form: Form, marker: str | None, clients: Json) -> Mentioned | None:
    """The license with its mark in the entry of its client, or one of its name where the entry
    shows no marks: the list of clients is said to carry licenses, and their shape is not shown
    (spec 2.6). Whatever carries our mark under an id of its own is ours."""
    mine = [client for client in clients if client["id"] == form["client"]]
    held = mine[0].get("licenses") if mine else None
    if not isinstance(held, list) or not all(isinstance(one, dict) for one in held):
        return None
    if not all("id" in one and "name" in one for one in held):
        return None
    field, _, value = (marker or "").partition("=")
    marked = [one["id"] for one in held if field in one and one[field] == value]
    if not all(isinstance(id_, str) and is_uuid(id_) for id_ in marked):
        return None
    named = [one for one in held if field not in one and one["name"] == form["name"]]
    return Mentioned(marked, alike=bool(marked or named))


MENTION = Mention(
    "the list of clients", ReadRequest("client.list", {}, {}, "clients"), find_among_clients
)


def show_live_license(form: Form, _ids: Ids, item: Json) -> Form:
    """Every field that the platform keeps; flags of the call are not kept."""
    names = {declared.wire: field for field, declared in REFERENCES.items()}
    shown = {names.get(name, name): value for name, value in item.items()}
    return shown | {"client": form["client"]}


READINGS = (
    Reading(
        route="license.list",
        request=lambda _address, form: ReadRequest(
            "license.list", {"id": form["client"]}, {}, "licenses"
        ),
        listed=InList("id", exact=True),
        shows=show_live_license,
        proves=LicenseSpec.model_fields.keys() - REPLACES.keys(),
    ),
)
ON_WIRE = {
    "expirationDate": as_instant,
    "seatsLimit": lambda seats: seats or None,  # none and 0 are unlimited (O32)
    **dict.fromkeys(("courses", "learningPaths", "courseTags"), as_unordered),
}


def license_losses(before: Form, after: Form) -> Iterator[PermanentLoss]:
    """A replace flag ends what other licenses of the client have assigned (spec 4)."""
    for field in REPLACES:
        if after.get(field) and not before.get(field):
            yield PermanentLoss(taken_away(field), Effect.ACCESS)


def taken_away(flag: str) -> str:
    """What a call with a replace flag does to others."""
    return (
        f"`{flag}: true` takes away every other {REPLACES[flag]} assignment of the client, "
        "those of its other licenses too, and they cannot be restored"
    )
