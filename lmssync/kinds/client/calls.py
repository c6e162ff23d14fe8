"""How a client is cloned and found again, and the steps for a person: no route changes one."""

from collections.abc import Set

from ...address import Address
from ...kind import (
    CallPart,
    Effect,
    Ids,
    InList,
    Json,
    Reading,
    ReadRequest,
    Removal,
)
from ...resource import Form

CLONE, LIST = "client.clone", "client.list"
NOT_COPIED = (
    "sku",
    "seatsLimit",
    "licenseEndDate of the client",
    "notificationEmails",
    "enableCustomEmailSettings (without it, copied e-mail branding is not used)",
    "enableContentDetailPage",
    "enableLicenseDashboards",
    "enableCreditPurchasing",
    "customHost",
    "learners and enrollments",
    "responses to the onboarding survey",
)
"""What a clone does not have of its source (spec 4, clone rule 5)."""

BY_HAND = {
    "name": "call the client “{new}” in the admin interface",
    "slug": "change the slug from `{old}` to `{new}` in the admin interface, which breaks links to "
    "the old address; or write `slug: {old}` in the manifest to keep it",
    "cloneOf": "a client cannot be cloned again from another one: copy the settings by hand, "
    "or put the old `cloneOf` back",
}
"""No route changes a client."""


def create(address: Address, form: Form, _marker: str | None) -> CallPart:
    body = {"name": form["name"], "slug": form["slug"]}
    params = {"id": form["cloneOf"]}
    return CallPart.of(address, CLONE, body, params=params, adds=True, repeatable=False)


def removal(_form: Form) -> Removal:
    """No route deletes a client."""
    return Removal(Effect.ACCESS, "its learners keep their access, and its licenses stay valid")


def jobs(answer: Json) -> list[str]:
    """The job that clones (spec 4, clone rule 3)."""
    return [answer["data"]["APICloneClient"]["id"]]


def request(_address: Address, form: Form) -> ReadRequest:
    """The search that finds a finished clone (spec 4, clone rule 6); it finds others as well."""
    return ReadRequest(LIST, {}, {"query": form["slug"]}, "clients")


def match(form: Form, _marker: str | None, live: Json, taken: Set[str], *_: object) -> Ids | None:
    """Finds the one client with this slug, if its name matches as well.

    A client with another name belongs to somebody else and existed before.
    """
    for client in live:
        same = client["slug"] == form["slug"] and _plain(client["name"]) == _plain(form["name"])
        if same and client["id"] not in taken:
            return Ids({"id": client["id"]})
    return None


def _plain(name: str) -> str:
    return " ".join(name.split()).casefold()


def observed(_form: Form, ids: Ids, live: Json) -> Form:
    """Name and slug; no read shows which client it was cloned from."""
    mine = (client for client in live if client["id"] == ids.own["id"])
    return next(({"name": one["name"], "slug": one["slug"]} for one in mine), {})


READINGS = (
    Reading(
        route=LIST,
        request=request,
        listed=InList("id", whole=ReadRequest(LIST, {}, {}, "clients")),
        shows=lambda _form, _ids, item: {"name": item["name"], "slug": item["slug"]},
        proves=frozenset({"name", "slug"}),
        shape=lambda item: [item],
    ),
)
