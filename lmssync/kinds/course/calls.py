"""The call that makes a course, and what stays when it leaves the catalog (spec 2.2, 4)."""

from ...kind import CallPart, Effect, Json, Removal
from ...resource import Address, Form
from ...vocabulary.enums import CreateStatus
from ..references import rename_references
from .form import REFERENCES
from .tree import drop_part_ids
from .twins import first_ones

CREATE = "course.create"
STRUCTURE = ("sections", "topics", "articleVariant")
_RETIREMENT = "to retire it, see “Retire a course” in docs/guide.md"


def create_course_part(address: Address, form: Form, marker: str | None) -> CallPart:
    """One entry of `courseAttributes`; the marker, `sku=...`, goes in where the author set none.

    Parts that must wait for their twins are left to `update`.
    """
    after = first_ones(form)
    entry = {
        key: value
        for key, value in rename_references(REFERENCES, after).items()
        if value is not None
    }
    entry |= {key: drop_part_ids(entry[key]) for key in STRUCTURE if key in entry}
    if marker:
        field, _, value = marker.partition("=")
        entry.setdefault(field, value)
    body = {"courseAttributes": [entry]}
    part_of_it = None if after == form else after
    return CallPart.describe_part(address, CREATE, body, part_of_it, adds=True, repeatable=False)


def created_course_ids(answer: Json) -> list[str]:
    """The course ids of a create, in no promised order (O15, O16)."""
    ids: list[str] = answer["courseIds"]
    return ids


def remove_course(form: Form) -> Removal:
    """No route deletes one (O11): it stays, and if it has a price, it keeps that too."""
    is_sold = form.get("priceInCents") and form.get("purchasable") is not False
    price = ", for the same price" if is_sold else ""
    way = "" if form.get("status") == CreateStatus.DRAFT else f"; {_RETIREMENT}"
    stays = f"everybody who can see it still can{price}{way}"
    return Removal(Effect.COMMERCE if is_sold else Effect.ACCESS, stays)
