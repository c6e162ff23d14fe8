"""The call that makes a license, and the steps for a person: no route changes one."""

from ...address import Address
from ...resource import Form
from ..kind import Change, Departure, Described, Effect, Json, Manual, Piece
from ..refers import rewire
from .form import REFERS
from .spec import LicenseSpec

CREATE = "license.create"
BY_HAND = {
    name: f"set `{name}` of the license in the admin interface" for name in LicenseSpec.model_fields
}


def create(_address: Address, form: Form, marker: str | None) -> Piece:
    """The marker is `refN=value`: the project file names the field."""
    body = {key: value for key, value in rewire(REFERS, form).items() if value is not None}
    if marker:
        field, _, value = marker.partition("=")
        body.setdefault(field, value)
    return Piece(CREATE, body, after=form, adds=True, repeatable=False)


def update(change: Change) -> Described:
    """No route of the specification changes a license: each field is a step for a person."""
    changed = [field for field, value in change.after.items() if change.before.get(field) != value]
    return Described(manual=[Manual(field, BY_HAND[field]) for field in changed])


def departure(_form: Form) -> Departure:
    """No route of the specification deletes a license."""
    return Departure(Effect.ACCESS, "its holders keep their access, and their seats stay taken")


def created(answer: Json) -> list[str]:
    return [answer["id"]]
