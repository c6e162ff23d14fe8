"""How a license is found on the platform (O33)."""

from ...resource import Form
from ...vocabulary.routes import Capability
from ..kind import Ids, Json, ReadRequest, Search


def match(_form: Form, _marker: str | None, live: Json, *_: object) -> Ids | None:
    """The answer of a create is the license itself (spec 4)."""
    return Ids({"id": live["id"]}) if "id" in live else None


def search(form: Form, marker: str | None) -> Search:
    """Among the licenses of its client, where the instance lists them (O33): by its mark.

    Without one, a license of the same name stays a matter for a person.
    """
    field, _, value = (marker or "").partition("=")
    reading = ReadRequest("license.list", {"id": form["client"]}, {}, "licenses")

    def fits(item: Json) -> str | None:
        same = item.get(field) == value if field else item.get("name") == form["name"]
        return str(item["id"]) if same else None

    return Search(reading, fits, Capability.EXTENDED)
