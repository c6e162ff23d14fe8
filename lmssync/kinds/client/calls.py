"""The call that clones a client, and the steps for a person: no route changes one."""

from ...address import Address
from ...resource import Form
from ..kind import Change, Effect, Json, ManualStep, Piece, Removal, UpdatePlan

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


def create(_address: Address, form: Form, _marker: str | None) -> Piece:
    body = {"name": form["name"], "slug": form["slug"]}
    params = {"id": form["cloneOf"]}
    return Piece(CLONE, body, after=form, params=params, adds=True, repeatable=False)


def update(change: Change) -> UpdatePlan:
    """No route changes a client."""
    steps = (_STEPS[field](change) for field in _STEPS if _differs(change, field))
    return UpdatePlan(manual=list(steps))


def removal(_form: Form) -> Removal:
    """No route deletes a client."""
    return Removal(Effect.ACCESS, "its learners keep their access, and its licenses stay valid")


def _differs(change: Change, field: str) -> bool:
    return bool(change.before.get(field) != change.after[field])


def _rename(change: Change) -> ManualStep:
    return ManualStep("name", f"call the client “{change.after['name']}” in the admin interface")


def _move(change: Change) -> ManualStep:
    old, new = change.before.get("slug"), change.after["slug"]
    text = (
        f"change the slug from `{old}` to `{new}` in the admin interface, which breaks links to "
        f"the old address; or write `slug: {old}` in the manifest to keep it"
    )
    return ManualStep("slug", text)


def _remodel(_change: Change) -> ManualStep:
    text = (
        "a client cannot be cloned again from another one: copy the settings by hand, "
        "or put the old `cloneOf` back"
    )
    return ManualStep("cloneOf", text)


_STEPS = {"name": _rename, "slug": _move, "cloneOf": _remodel}


def jobs(answer: Json) -> list[str]:
    """The job that clones (spec 4, clone rule 3)."""
    return [answer["data"]["APICloneClient"]["id"]]
