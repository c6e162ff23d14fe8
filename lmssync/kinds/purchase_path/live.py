"""A purchase path as the platform lists it, told apart by target and label."""

import re
from collections.abc import Set

from ...address import Address
from ...resource import Form
from ...vocabulary.rules import sanitize_label, strip_markup
from ..kind import Ambiguity, Ids, Json, ReadRequest
from .calls import LIST, target_fields


def request(_address: Address, form: Form) -> ReadRequest:
    """All live paths of the course: an exact list."""
    return ReadRequest(LIST, {"contentId": form["course"]})


def match(
    form: Form, _marker: str | None, live: Json, taken: Set[str], *_: object
) -> Ids | Ambiguity | None:
    """In the answer of a create, or in the list: the path to this target, in this place.

    The label may be spelled otherwise there, since the platform cleans it; one that reads
    otherwise leaves it open whether it is this path or another to the same target.
    """
    data = live["data"]
    if isinstance(data, dict):
        return Ids({"id": data["id"]})
    wanted = target_fields(form)
    rivals = [path for path in data if path["id"] not in taken and _same_target(path, wanted)]
    mine = [path for path in rivals if _words(path) == _words(form | wanted)]
    if len(mine) == 1:
        return Ids({"id": mine[0]["id"]})
    if not rivals:
        return None
    told = ", ".join(f"“{_text(path['label'])}” ({path['id']})" for path in mine or rivals)
    return Ambiguity(
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


def observed(_form: Form, ids: Ids, live: Json) -> Form | None:
    """Nothing if its course has it no longer; what it says is for people to change."""
    return {} if any(path["id"] == ids.own["id"] for path in live["data"]) else None
