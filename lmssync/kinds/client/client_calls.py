"""How a client is cloned and found again, and the steps for a person: no route changes one."""

from collections.abc import Iterable, Set

from ...kind import (
    CallPart,
    FormChange,
    Ids,
    InList,
    Json,
    Reading,
    ReadRequest,
    UpdatePlan,
    by_hand,
)
from ...resource import Address, Form
from ..platform_values import as_instant
from ..reference_fields import own_node
from .client_manifest import SETTINGS

CLONE, LIST, STATUS = "client.clone", "client.list", "client.status"
READ = "client.read"
NOT_COPIED = (
    *SETTINGS,
    "notificationEmails",
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
    "disabled": "set `disabled` of the client in the admin interface{change}",
    **{name: f"set `{name}` of the client in the admin interface{{change}}" for name in SETTINGS},
}
"""No route of the specification changes a client."""
FURTHER = {"disabled": STATUS}
_left_to_people = by_hand(BY_HAND)


def create_client_part(address: Address, form: Form, _marker: str | None) -> CallPart:
    """A clone is enabled and has none of the settings: an update sees to that."""
    body = {"name": form["name"], "slug": form["slug"]}
    params = {"id": form["cloneOf"]}
    made = {key: value for key, value in form.items() if key not in SETTINGS}
    made |= {"disabled": False} if form.get("disabled") else {}
    after = None if made == form else made
    return CallPart.describe_part(
        address, CLONE, body, after, params=params, adds=True, repeatable=False
    )


def update_client(change: FormChange) -> UpdatePlan:
    """A call where the instance has one for the status (O34), and steps for the rest.

    Disabling locks all learners of the client out, so somebody has to allow the call.
    """
    steps = list(_left_to_people(change).manual)
    wanted = change.after.get("disabled")
    if STATUS not in change.routes or wanted in {None, change.before.get("disabled")}:
        return UpdatePlan(manual=steps)
    if wanted and not change.allowed:
        hint = f"; `--allow {change.address}` lets lmssync do it by a call"
        for number, step in enumerate(steps):
            if step.field == "disabled":
                steps[number] = step._replace(text=f"{step.text}{hint}")
        return UpdatePlan(manual=steps)
    call = CallPart.describe_part(
        change.address,
        STATUS,
        {"status": "disabled" if wanted else "enabled"},
        {**_form_until_done(change), "disabled": wanted},
        params={"id": own_node(change.address)},
    )
    rest = [step for step in steps if step.field != "disabled"]
    reason = "its learners can no longer log in" if wanted else "its learners can log in again"
    return UpdatePlan([call], rest, [reason])


def _form_until_done(change: FormChange) -> Form:
    known = {name: change.before[name] for name in BY_HAND if name in change.before}
    return {name: held for name, held in change.after.items() if name not in BY_HAND} | known


def client_request(_address: Address, form: Form) -> ReadRequest:
    """The search that finds a finished clone (spec 4, clone rule 6); it finds others as well."""
    return ReadRequest(LIST, {}, {"query": form["slug"]}, "clients")


def match_client(
    form: Form, _marker: str | None, live: Json, taken: Set[str], *_: object
) -> Ids | None:
    """Finds the one client with this slug, if its name matches as well.

    A client with another name belongs to somebody else and existed before.
    """
    # The search finds clients with a similar slug as well (spec 4, clone rule 6).
    for client in live:
        same = client["slug"] == form["slug"] and _fold_name(client["name"]) == _fold_name(
            form["name"]
        )
        if same and client["id"] not in taken:
            return Ids({"id": client["id"]})
    return None


def _fold_name(name: str) -> str:
    return " ".join(name.split()).casefold()


def observe_client(_form: Form, ids: Ids, live: Json) -> Form:
    """The form of a client that the list shows; no read shows which client it was cloned from."""
    mine = (client for client in live if client["id"] == ids.own["id"])
    return next((pick_given(one, _FIELDS) for one in mine), {})


def pick_given(client: Json, names: Iterable[str]) -> Form:
    """The fields, of those named, of which an answer says something."""
    return {name: client[name] for name in names if name in client}


_FIELDS = ("name", "slug", "disabled", "sku")
_FLAT = (
    "licenseEndDate",
    "enableCustomEmailSettings",
    "enableContentDetailPage",
    "enableLicenseDashboards",
    "enableCreditPurchasing",
)
"""What only the read of one client shows (O63)."""
ON_WIRE = {"licenseEndDate": as_instant}
READINGS = (
    Reading(
        route=LIST,
        request=client_request,
        listed=InList("id", whole=ReadRequest(LIST, {}, {}, "clients")),
        shows=lambda _form, _ids, item: pick_given(item, _FIELDS),
        proves=frozenset(_FIELDS),
        shape=lambda item: [item],
    ),
    Reading(
        route=READ,
        request=lambda address, _form: ReadRequest(READ, {"id": own_node(address)}),
        shows=lambda _form, _ids, answer: pick_given(answer, _FLAT),
        proves=frozenset(_FLAT),
        shape=None,
    ),
)
