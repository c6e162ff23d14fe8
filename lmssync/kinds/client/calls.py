"""The call that clones a client, and the steps for a person: no route changes one."""

from ...address import Address
from ...resource import Form
from ..kind import Change, Departure, Described, Effect, Json, Manual, Piece

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


def create(_address: Address, form: Form, _marker: str | None) -> Piece:
    body = {"name": form["name"], "slug": form["slug"]}
    params = {"id": form["cloneOf"]}
    return Piece(CLONE, body, after=form, params=params, adds=True, repeatable=False)


def update(change: Change) -> Described:
    """No route changes a client."""
    pairs = {field: (change.before.get(field), change.after[field]) for field in BY_HAND}
    steps = [
        Manual(field, BY_HAND[field].format(old=old, new=new))
        for field, (old, new) in pairs.items()
        if old != new
    ]
    return Described(manual=steps)


def departure(_form: Form) -> Departure:
    """No route deletes a client."""
    return Departure(Effect.ACCESS, "its learners keep their access, and its licenses stay valid")


def jobs(answer: Json) -> list[str]:
    """The job that clones (spec 4, clone rule 3)."""
    return [answer["data"]["APICloneClient"]["id"]]
