"""The call that makes a license, and the steps for a person: no route changes one."""

from ...address import Address
from ...resource import Form
from ..kind import Change, Effect, Json, ManualStep, Piece, Removal, UpdatePlan
from ..references import rewire
from .form import REFERENCES

CREATE = "license.create"


def create(_address: Address, form: Form, marker: str | None) -> Piece:
    """The marker is `refN=value`: the project file names the field."""
    body = {key: value for key, value in rewire(REFERENCES, form).items() if value is not None}
    if marker:
        field, _, value = marker.partition("=")
        body.setdefault(field, value)
    return Piece(CREATE, body, after=form, adds=True, repeatable=False)


def update(change: Change) -> UpdatePlan:
    """No route of the specification changes a license: each field is a step for a person."""
    changed = [field for field, value in change.after.items() if change.before.get(field) != value]
    return UpdatePlan(
        manual=[
            ManualStep(field, f"set `{field}` of the license in the admin interface")
            for field in changed
        ]
    )


def removal(_form: Form) -> Removal:
    """No route of the specification deletes a license."""
    return Removal(Effect.ACCESS, "its holders keep their access, and their seats stay taken")


def created(answer: Json) -> list[str]:
    return [answer["id"]]
