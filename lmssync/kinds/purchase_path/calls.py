"""The call that makes a purchase path, and the steps for a person: no route changes one."""

from ...address import Address
from ...resource import Form
from ...vocabulary.enums import TargetType
from ..kind import Change, Departure, Described, Effect, Json, Manual, Piece
from ..refers import meant, shown
from .form import title
from .spec import PurchasePathSpec

CREATE, LIST = "path.create", "path.list"
BY_HAND = {
    name: f"set `{name}` of the purchase path in the admin interface"
    for name in PurchasePathSpec.model_fields
}


def create(_address: Address, form: Form, _marker: str | None) -> Piece:
    body = target_fields(form)
    given = ("label", "displayOrder", "hidePrimaryCta")
    body |= {key: form[key] for key in given if form.get(key) is not None}
    params = {"contentId": form["course"]}
    return Piece(CREATE, body, after=form, params=params, adds=True, repeatable=False)


def target_fields(form: Form) -> dict[str, Json]:
    aim = form["target"]
    if "item" in aim:
        return {"targetType": TargetType.CATALOG_ITEM.value, "targetId": aim["item"]}
    return {
        "targetType": TargetType.EXTERNAL_URL.value,
        "targetUrl": aim["url"],
        "targetUrlTitle": aim["title"],
    }


def update(change: Change) -> Described:
    """The specification shows no update of a purchase path."""
    changed = [field for field, value in change.after.items() if change.before.get(field) != value]
    return Described(manual=[Manual(field, BY_HAND[field]) for field in changed])


def departure(form: Form) -> Departure:
    """The specification shows no delete of a purchase path."""
    text = (
        f"delete the purchase path “{title(form)}” of course `{shown(form['course'])}` in the "
        "admin interface, or put it back into the catalog"
    )
    return Departure(
        Effect.COMMERCE,
        "it is still shown, and it still sells",
        [Manual("removal", text)],
        meant(form["course"]),
    )


def created(answer: Json) -> list[str]:
    return [answer["data"]["id"]]
