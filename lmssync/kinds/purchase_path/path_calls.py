"""How purchase paths are made, found and imported, and the steps for a person (spec 2.6, 4)."""

import re
from collections.abc import Set

from ...kind import (
    Ambiguity,
    CallPart,
    Effect,
    Ids,
    ImportedManifest,
    Imports,
    Json,
    NameOf,
    Reading,
    ReadRequest,
    Removal,
    Shown,
)
from ...resource import Address, Form
from ...vocabulary.enums import TargetType
from ...vocabulary.normalisers import sanitize_label, strip_markup
from ..platform_values import drop_empty_values, drop_unset_fields
from ..reference_fields import left_in_course
from .path_manifest import PurchasePathSpec, path_title

CREATE, LIST = "path.create", "path.list"
BY_HAND = {
    name: f"set `{name}` of the purchase path in the admin interface{{change}}"
    for name in sorted(PurchasePathSpec.model_fields)
}
"""The specification shows no update of a purchase path."""


def create_path_part(address: Address, form: Form, _marker: str | None) -> CallPart:
    body = target_fields(form)
    given = ("label", "displayOrder", "hidePrimaryCta")
    body |= {key: form[key] for key in given if form.get(key) is not None}
    params = {"contentId": form["course"]}
    return CallPart.describe_part(address, CREATE, body, params=params, adds=True, repeatable=False)


def target_fields(form: Form) -> dict[str, Json]:
    aim = form["target"]
    if "item" in aim:
        return {"targetType": TargetType.CATALOG_ITEM.value, "targetId": aim["item"]}
    return {
        "targetType": TargetType.EXTERNAL_URL.value,
        "targetUrl": aim["url"],
        "targetUrlTitle": aim["title"],
    }


def remove_path(form: Form) -> Removal:
    what = f"purchase path “{path_title(form)}”"
    return left_in_course(what, form, Effect.COMMERCE, "it is still shown, and it still sells")


def path_request(_address: Address, form: Form) -> ReadRequest:
    """All live paths of the course: an exact list."""
    return ReadRequest(LIST, {"contentId": form["course"]})


def match_path(
    form: Form, _marker: str | None, live: Json, taken: Set[str], *_: object
) -> Ids | Ambiguity | None:
    """Finds the path to this target in this place, in the answer of a create or in the list.

    The label may be spelled differently there, since the platform cleans it; if it reads
    differently, it may be this path or another one to the same target.
    """
    data = live["data"]
    if isinstance(data, dict):  # the answer of a create has the path alone
        return Ids({"id": data["id"]})
    wanted = target_fields(form)
    rivals = [path for path in data if path["id"] not in taken and _same_target(path, wanted)]
    mine = [path for path in rivals if _path_words(path) == _path_words(form | wanted)]
    if len(mine) == 1:
        return Ids({"id": mine[0]["id"]})
    if not rivals:
        return None
    named = ", ".join(f"“{_label_text(path['label'])}” ({path['id']})" for path in mine or rivals)
    return Ambiguity(
        f"its course has purchase paths to the same target already: {named}",
        [path["id"] for path in rivals],
    )


def adopt_path(form: Form, ids: Ids, live: Json) -> Form:
    """The form with the platform's label and place: a difference becomes a step for a person."""
    mine = next(path for path in live["data"] if path["id"] == ids.own["id"])
    same = _label_text(mine["label"]) == _label_text(form["label"])
    label = form["label"] if same else mine["label"]
    place = {"displayOrder": mine.get("displayOrder") or 0} if "displayOrder" in form else {}
    return {**form, "label": label, **place}


def _same_target(path: Json, wanted: Json) -> bool:
    where = "targetId" if "targetId" in wanted else "targetUrl"
    return bool(path["targetType"] == wanted["targetType"] and path.get(where) == wanted[where])


def _path_words(path: Json) -> tuple[str, str, int]:
    """Label and title as people read them, and the place."""
    label, title = map(_label_text, (path["label"], path.get("targetUrlTitle") or ""))
    return label, title, path.get("displayOrder") or 0


def _label_text(label: str) -> str:
    """What a person reads of a label, without its markup and extra spaces."""
    plain = strip_markup(re.sub(r"<(br|/?p)\b[^>]*>", " ", sanitize_label(label)))
    return " ".join(plain.split())


def observe_path(_form: Form, ids: Ids, live: Json) -> Form | None:
    """An empty form, since only people can change a path; None if its course no longer has it."""
    return {} if any(path["id"] == ids.own["id"] for path in live["data"]) else None


def show_live_path(form: Form, ids: Ids, live: Json) -> Form | None:
    """Every field of a path; None if its course no longer has the path."""
    mine = next((path for path in live["data"] if path["id"] == ids.own["id"]), None)
    if mine is None:
        return None
    aim = {
        "item": mine.get("targetId"),
        "url": mine.get("targetUrl"),
        "title": mine.get("targetUrlTitle"),
    }
    shown = {key: mine[key] for key in ("label", "displayOrder", "hidePrimaryCta") if key in mine}
    return shown | {"course": form["course"], "target": drop_empty_values(aim)}


READINGS = (
    Reading(
        route=LIST,
        request=path_request,
        shows=show_live_path,
        proves=frozenset(PurchasePathSpec.model_fields),
        shared=True,
    ),
)
ON_WIRE = {"label": lambda label: sanitize_label(label or ""), "target": drop_empty_values}


def path_manifest(shown: Shown, name_of: NameOf) -> ImportedManifest | str:
    item = shown["item"]
    if item["targetType"] == TargetType.CATALOG_ITEM:
        target = {"item": name_of("course", item["targetId"], main=True)}
    else:
        target = {"url": item["targetUrl"], "title": item["targetUrlTitle"]}
    data = {"course": name_of("course", item["courseId"]), "label": item["label"], "target": target}
    order, hides = item.get("displayOrder") or None, item.get("hidePrimaryCta") or None
    more = drop_unset_fields({"displayOrder": order, "hidePrimaryCta": hides})
    return ImportedManifest(data | more, Ids({"id": item["id"]}))


IMPORTS = Imports(
    owner="course",
    listed=ReadRequest("path.list", {"contentId": ""}, {}, "data"),
    ids=lambda item: [item["id"]],
    name=path_title,
    manifest=path_manifest,
    answers=lambda shown: {"path.list": {"data": [shown["item"]]}},
)
