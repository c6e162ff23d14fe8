"""What an author may write of a purchase path, and what must hold in one manifest (spec 2.6, 4)."""

import re
from collections.abc import Iterator
from typing import Annotated

from pydantic import Field

from ...kind import Companion, Data, Either, Json, Spec, Subject, SubjectKind, Together
from ...problems import Finding, Rule
from ...resource import Address, Form, NamedId, Reference, canonical_text, fingerprint_of
from ...support.rulebook import LENGTH
from ...texts.values import HTML_SIZE
from ...vocabulary import limits
from ...vocabulary.markup import read_references
from ...vocabulary.normalisers import label_excess, sanitize_label
from ..field_types import Natural, PartId, Shown, Switch, Text, Title, Url
from ..reference_fields import is_uuid, points_at, reference_node
from ..shared_fields import Managed

LABEL_EMPTY = Rule(
    "label-empty",
    "Nothing is left of a label once the platform has cleaned it.",
    "Write text. Of the tags around it, only a, b, strong, i, em, u, br, p and span are kept.",
    source="spec 7",
    within="a purchase path",
    wrong='label: "<img>"',
    right="label: Buy at <b>our partner</b>",
)
ONE_TARGET = Rule(
    "one-target",
    "A purchase path leads nowhere, or to two places.",
    "Keep one of `item` and `url`.",
    source="spec 4",
    within="a purchase path",
    wrong="target: {}",
    right="target: {item: safety-track}",
)
TARGET_TITLE = Rule(
    "target-title",
    "A `url` has no `title`, or an `item` has one.",
    "Add it, or delete it.",
    source="spec 4",
    within="a purchase path",
    wrong="target: {url: https://shop.example.com}",
    right="target: {url: https://shop.example.com, title: Partner shop}",
)


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


URL_OR_ITEM = Either(
    "url",
    "item",
    none="A target is either `item`, or `url` with a `title`.",
    both="A target is either `item`, or `url` with a `title`.",
    companions=[
        Companion("title", "url", "`title` goes with `url` only.", "A `url` needs a `title`.")
    ],
)
"""Exactly one target, and a title for an address only (spec 4)."""
TOGETHER: Together = {Target: [URL_OR_ITEM]}


def check_path_label(path: PurchasePathSpec) -> Iterator[Finding]:
    """Counts and checks the label as the platform keeps it (spec 2.6, 7)."""
    if excess := label_excess(path.label):
        hint = "write a short text with few tags, and close each of them"
        rule = (
            LENGTH.rule_of_field("label") if len(path.label) > limits.PATH_LABEL_RAW else HTML_SIZE
        )
        yield rule.at(("label",), f"the label {excess}", hint)
        return
    kept = sanitize_label(path.label)
    if not kept.strip():
        message = "nothing is left of the label once the platform has cleaned it"
        hint = "write text; only a, b, strong, i, em, u, br, p and span are kept around it"
        yield LABEL_EMPTY.at(("label",), message, hint)
    if len(kept) > limits.PATH_LABEL:
        yield LENGTH.rule_of_field("label").at(
            ("label",),
            f"the label has {len(kept)} characters after cleaning; "
            f"the platform allows {limits.PATH_LABEL}",
            "",
        )


def check_path_target(path: PurchasePathSpec) -> Iterator[Finding]:
    """Exactly one target, and a title for an address only (spec 4)."""
    where = path.target
    if len(URL_OR_ITEM.given_fields(where)) != 1:
        hint = "write `target: {item: KEY}` or `target: {url: ..., title: ...}`"
        yield ONE_TARGET.at(("target",), "a target is either `item` or `url`", hint)
    elif where.url is not None and not where.title:
        yield TARGET_TITLE.at(("target",), "a `url` needs a `title`", "add `title`")
    elif where.item is not None and where.title is not None:
        yield TARGET_TITLE.at(("target", "title"), "`title` goes with `url` only", "delete it")
