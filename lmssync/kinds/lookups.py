"""Names of things that are not managed here, and how their ids are looked up."""

from typing import NamedTuple

from ..problems import Rule

UNKNOWN_NAME = Rule(
    "unknown-name",
    "The platform has no tag, client or location of this name. Found by `plan` and `apply`.",
    "Correct the name, or make it in the admin interface.",
)
AMBIGUOUS_NAME = Rule(
    "ambiguous-name",
    "The platform has several of this name. Found by `plan` and `apply`.",
    "Give the uuid of the one that you mean.",
)


class Lookup(NamedTuple):
    """A list route, and the field that a manifest's name is compared with."""

    kind: str
    route: str
    list: str
    """Key of the list in the answer."""
    field: str
    query: str | None = None
    """Query parameter that narrows the list to a name, where the route has one."""


LOOKUPS = {
    lookup.kind: lookup
    for lookup in (
        Lookup("tag", "tag.list", "tags", "label"),
        Lookup("client", "client.list", "clients", "slug", query="query"),
        Lookup("location", "location.list", "locations", "name"),
    )
}
