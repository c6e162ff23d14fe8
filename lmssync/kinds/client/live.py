"""A client as the platform lists it (spec 4, clone rule 6)."""

from collections.abc import Set

from ...address import Address
from ...resource import Form
from ..kind import Ids, Json, ReadRequest
from .calls import LIST


def request(_address: Address, form: Form) -> ReadRequest:
    """The search that finds a finished clone (spec 4, clone rule 6); it finds others as well."""
    return ReadRequest(LIST, {}, {"query": form["slug"]}, "clients")


def match(form: Form, _marker: str | None, live: Json, taken: Set[str], *_: object) -> Ids | None:
    """The client with this slug, of which there is one, if it goes by this name too.

    Under another name it is somebody else's, and was there before.
    """
    for client in live:
        same = client["slug"] == form["slug"] and _plain(client["name"]) == _plain(form["name"])
        if same and client["id"] not in taken:
            return Ids({"id": client["id"]})
    return None


def _plain(name: str) -> str:
    return " ".join(name.split()).casefold()


def observed(_form: Form, ids: Ids, live: Json) -> Form:
    """Name and slug; what it was made of, no read shows."""
    mine = (client for client in live if client["id"] == ids.own["id"])
    return next(({"name": one["name"], "slug": one["slug"]} for one in mine), {})
