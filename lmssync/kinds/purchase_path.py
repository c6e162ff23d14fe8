"""purchase_path: another way to buy a course, beside its own button (spec 2.6)."""

import re
from collections.abc import Iterator, Set
from html import unescape
from typing import Annotated

from pydantic import Field

from ..address import Address
from ..problems import Finding
from ..resource import Form, Reference
from ..vocabulary import limits
from ..vocabulary.enums import TargetType
from ..vocabulary.rules import sanitize_label, strip_markup
from .between import paths
from .call_part import CallPart
from .kind import (
    Change,
    Data,
    Departure,
    Described,
    Doubt,
    Effect,
    Ids,
    Json,
    Kind,
    Manual,
    Reading,
    Spec,
)
from .managed import Managed
from .refers import is_uuid, meant, node, shown
from .texts import quality
from .types import Natural, PartId, Shown, Switch, Text, Title, Url

CREATE, LIST = "path.create", "path.list"
_TAG = re.compile(r"<[^>]*>")


class Target(Spec):
    """Where the path leads: an item of the catalog, or an address elsewhere."""

    item: Annotated[Title | None, Shown(("safety-track",), wire="targetId")] = None
    """Key of a priced, published course, or uuid of a course, path, subscription, collection."""
    url: Annotated[
        Annotated[Url, Field(max_length=limits.PATH_TARGET_URL)] | None,
        Shown(("https://shop.example.com/safety",), wire="targetUrl"),
    ] = None
    """An address elsewhere."""
    title: Annotated[
        Annotated[Title, Field(max_length=limits.PATH_TARGET_TITLE)] | None,
        Shown(("Partner shop",), wire="targetUrlTitle"),
    ] = None
    """Text for the address."""


class PurchasePathSpec(Managed):
    """An alternate purchase path of a course."""

    course: Annotated[Title, Shown(("safety-101",), wire="contentId")]
    """Key or uuid of the course whose page shows the path."""
    id: Annotated[PartId | None, Shown(("partner",))] = None
    """Name within the course, in the short form."""
    label: Annotated[Text, Shown(("Buy at <b>our partner</b>",))]
    """Rich text: a, b, strong, i, em, u, br, p and span are kept."""
    target: Target
    """Where the path leads: `item` or `url`, one of the two."""
    displayOrder: Annotated[Natural | None, Shown((1,), default=0)] = None
    """Position among the paths of the course, the lowest first."""
    hidePrimaryCta: Annotated[Switch, Shown(default=False)] = None
    """Hides the course's own button."""


def label(path: PurchasePathSpec) -> Iterator[Finding]:
    """Counted, and looked at, as the platform keeps it (spec 2.6, 7)."""
    kept = sanitize_label(path.label)
    if not kept.strip():
        yield Finding(
            "label-empty",
            ("label",),
            "nothing is left of the label once the platform has cleaned it",
            "write text; only a, b, strong, i, em, u, br, p and span are kept around it",
        )
    if len(kept) > limits.PATH_LABEL:
        yield Finding(
            "label-length",
            ("label",),
            f"the label has {len(kept)} characters after cleaning; "
            f"the platform allows {limits.PATH_LABEL}",
        )


def target(path: PurchasePathSpec) -> Iterator[Finding]:
    """Exactly one target, and a title for an address only (spec 4)."""
    where = path.target
    if (where.item is None) == (where.url is None):
        yield Finding(
            "one-target",
            ("target",),
            "a target is either `item` or `url`",
            "write `target: {item: KEY}` or `target: {url: ..., title: ...}`",
        )
    elif where.url is not None and not where.title:
        yield Finding("target-title", ("target",), "a `url` needs a `title`", "add `title`")
    elif where.item is not None and where.title is not None:
        yield Finding(
            "target-title", ("target", "title"), "`title` goes with `url` only", "delete it"
        )


def references(data: Data) -> Iterator[Reference]:
    item = data["target"].get("item")
    for path, name in ((("course",), data["course"]), (("target", "item"), item)):
        if name and not is_uuid(name):
            yield Reference(path, "course", name)


def normalise(_key: str, data: Data) -> Form:
    form = {k: data[k] for k in ("label", "displayOrder", "hidePrimaryCta") if k in data}
    aim = {key: value for key, value in data["target"].items() if value is not None}
    if "item" in aim:
        aim["item"] = node("course", aim["item"], id="course")
    return form | {"course": node("course", data["course"], id="course"), "target": aim}


def create(address: Address, form: Form, _marker: str | None) -> CallPart:
    body = _aim(form)
    given = ("label", "displayOrder", "hidePrimaryCta")
    body |= {key: form[key] for key in given if form.get(key) is not None}
    params = {"contentId": form["course"]}
    return CallPart.of(address, CREATE, body, params=params, adds=True, repeatable=False)


def _aim(form: Form) -> dict[str, Json]:
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
    return Described(
        manual=[
            Manual(field, f"set `{field}` of the purchase path in the admin interface")
            for field in changed
        ]
    )


def title(form: Form) -> str:
    """The label as it is read."""
    return " ".join(unescape(_TAG.sub(" ", str(form.get("label", "")))).split())


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


def reading(_address: Address, form: Form) -> Reading:
    """All live paths of the course: an exact list."""
    return Reading(LIST, {"contentId": form["course"]})


def match(
    form: Form, _marker: str | None, live: Json, taken: Set[str], _known: Ids | None = None
) -> Ids | Doubt | None:
    """In the answer of a create, or in the list: the path to this target, in this place.

    The label may be spelled otherwise there, since the platform cleans it; one that reads
    otherwise leaves it open whether it is this path or another to the same target.
    """
    data = live["data"]
    if isinstance(data, dict):
        return Ids({"id": data["id"]})
    wanted = _aim(form)
    rivals = [path for path in data if path["id"] not in taken and _same_target(path, wanted)]
    mine = [path for path in rivals if _words(path) == _words(form | wanted)]
    if len(mine) == 1:
        return Ids({"id": mine[0]["id"]})
    if not rivals:
        return None
    told = ", ".join(f"“{_text(path['label'])}” ({path['id']})" for path in mine or rivals)
    return Doubt(
        f"its course has purchase paths to the same target already: {told}",
        [path["id"] for path in rivals],
    )


def adopted(form: Form, ids: Ids, live: Json) -> Form:
    """With the label and the place that it has there: a difference is a step for a person."""
    mine = next(path for path in live["data"] if path["id"] == ids.own["id"])
    label = form["label"] if _text(mine["label"]) == _text(form["label"]) else mine["label"]
    place = {"displayOrder": mine.get("displayOrder") or 0} if "displayOrder" in form else {}
    return {**form, "label": label, **place}


def _same_target(path: Json, wanted: Json) -> bool:
    where = "targetId" if "targetId" in wanted else "targetUrl"
    return bool(path["targetType"] == wanted["targetType"] and path.get(where) == wanted[where])


def _words(path: Json) -> tuple[str, str, int]:
    """Label and title as they are read, and the place."""
    return (
        _text(path["label"]),
        _text(path.get("targetUrlTitle") or ""),
        path.get("displayOrder") or 0,
    )


def _text(label: str) -> str:
    """What a person reads of a label, whatever its markup and spaces are."""
    plain = strip_markup(re.sub(r"<(br|/?p)\b[^>]*>", " ", sanitize_label(label)))
    return " ".join(plain.split())


def seen(_form: Form, ids: Ids, live: Json) -> Form | None:
    """Nothing if its course has it no longer; what it says is for people to change."""
    return {} if any(path["id"] == ids.own["id"] for path in live["data"]) else None


KIND = Kind(
    name="path",
    resource="purchasePath",
    noun="purchase path",
    spec=PurchasePathSpec,
    normalise=normalise,
    title=title,
    references=references,
    rules=(label, target, quality),
    facts=paths.facts,
    between=paths.BETWEEN,
    family="course",
    among=paths.AMONG,
    effects=dict.fromkeys(PurchasePathSpec.model_fields, Effect.COMMERCE),
    creation=Effect.COMMERCE,
    create=create,
    departure=departure,
    update=update,
    created=created,
    reading=reading,
    match=match,
    seen=seen,
    adopted=adopted,
)
