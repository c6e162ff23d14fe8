"""From the manifest of a purchase path to its form."""

import re
from collections.abc import Iterator
from html import unescape

from ...resource import Form, Reference, canonical, fingerprint
from ...vocabulary.rules import sanitize_label
from ..kind import Data, Json
from ..references import is_uuid, node, points_at

_TAG = re.compile(r"<[^>]*>")


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


def title(form: Form) -> str:
    """The label as it is read."""
    return " ".join(unescape(_TAG.sub(" ", str(form.get("label", "")))).split())


def facts(_data: Data, form: Form) -> dict[str, Json]:
    """Whose path it is, where it leads, and what learners see of it, as a digest."""
    item = form["target"].get("item")
    shown = {"label": sanitize_label(form["label"]), "target": form["target"]}
    found = {
        "course": points_at(form["course"]),
        "item": item["$ref"] if isinstance(item, dict) else None,
        "order": form.get("displayOrder"),
        "hides": form.get("hidePrimaryCta") or None,
        "shown": fingerprint(canonical(shown)),
    }
    return {name: value for name, value in found.items() if value is not None}
