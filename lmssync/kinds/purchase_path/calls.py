"""The call that makes a purchase path, and the steps for a person: no route changes one."""

from ...address import Address
from ...resource import Form
from ...vocabulary.enums import TargetType
from ..kind import Change, Effect, Json, ManualStep, Piece, Removal, UpdatePlan
from ..references import meant, shown
from .form import title

CREATE, LIST = "path.create", "path.list"


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


def update(change: Change) -> UpdatePlan:
    """The specification shows no update of a purchase path."""
    changed = [field for field, value in change.after.items() if change.before.get(field) != value]
    return UpdatePlan(
        manual=[
            ManualStep(field, f"set `{field}` of the purchase path in the admin interface")
            for field in changed
        ]
    )


def removal(form: Form) -> Removal:
    """The specification shows no delete of a purchase path."""
    text = (
        f"delete the purchase path “{title(form)}” of course `{shown(form['course'])}` in the "
        "admin interface, or put it back into the catalog"
    )
    return Removal(
        Effect.COMMERCE,
        "it is still shown, and it still sells",
        [ManualStep("removal", text)],
        meant(form["course"]),
    )


def created(answer: Json) -> list[str]:
    return [answer["data"]["id"]]
