"""What an author may write of a purchase path, and the form that it becomes (spec 2.6)."""

import re
from collections.abc import Iterator
from typing import Annotated

from pydantic import Field

from ...kind import Data, Json, Spec, Subject, SubjectKind
from ...resource import Address, Form, NamedId, Reference, canonical_text, fingerprint_of
from ...vocabulary import limits
from ...vocabulary.markup import read_references
from ...vocabulary.rules import sanitize_label
from ..managed import Managed
from ..references import is_uuid, points_at, reference_node
from ..types import Natural, PartId, Shown, Switch, Text, Title, Url


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


_ITEM = ("target", "item")
_TAG = re.compile(r"<[^<>]*>")


def path_references(data: Data) -> Iterator[Reference]:
    item = data["target"].get("item")
    for path, name in ((("course",), data["course"]), (_ITEM, item)):
        if name and not is_uuid(name):
            yield Reference(path, "course", name)


def path_ids(form: Form) -> Iterator[NamedId]:
    """The course whose page it is on, and what it leads to, where they are uuids."""
    item = form["target"].get("item")
    for path, what, name in ((("course",), "course", form["course"]), (_ITEM, "item", item)):
        if isinstance(name, str):
            yield NamedId(path, what, name)


def normalise_path(_key: str, data: Data) -> Form:
    form = {k: data[k] for k in ("label", "displayOrder", "hidePrimaryCta") if k in data}
    aim = {key: value for key, value in data["target"].items() if value is not None}
    if "item" in aim:
        aim["item"] = reference_node("course", aim["item"], id="course")
    return form | {"course": reference_node("course", data["course"], id="course"), "target": aim}


def path_title(form: Form) -> str:
    """The label as it is read."""
    return " ".join(read_references(_TAG.sub(" ", str(form.get("label", "")))).split())


def path_subjects(_address: Address, before: Form, after: Form) -> Iterator[Subject]:
    """Everybody in the course, and those who buy it."""
    yield Subject(SubjectKind.COURSE, (after or before)["course"])


def path_facts(_data: Data, form: Form) -> dict[str, Json]:
    """Whose path it is, where it leads, and what learners see of it, as a digest."""
    item = form["target"].get("item")
    shown = {"label": sanitize_label(form["label"]), "target": form["target"]}
    facts = {
        "course": points_at(form["course"]),
        "item": item["$ref"] if isinstance(item, dict) else None,
        "order": form.get("displayOrder"),
        "hides": form.get("hidePrimaryCta") or None,
        "shown": fingerprint_of(canonical_text(shown)),
    }
    return {name: value for name, value in facts.items() if value is not None}
