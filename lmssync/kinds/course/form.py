"""Turns a course manifest into its form: ids written out, bodies and references as nodes."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from ...kind import BodyField, Data
from ...resource import Form
from ..body import BODY_FILE, as_node
from ..managed import with_nodes
from ..parts import part_names
from ..references import ReferenceField
from .tree import BELOW, ROOTS, Item, all_topics, list_pages, name_of_row, walk_parts

REFERENCES = {
    "tags": ReferenceField("tag", "tagIds"),
    "relatedCourses": ReferenceField(
        "course", "relatedCourseGroupIds", id="courseGroup", deferrable=True
    ),
    "prerequisiteCourses": ReferenceField("course", "prerequisiteCourseIds", id="course"),
    "prerequisiteLearningPaths": ReferenceField("learningPath", "prerequisiteLearningPathIds"),
}

ONE_TOPIC = {
    "article": "article",
    "video": "video",
    "shareableContentObject": "shareableContentObject",
}
"""Kinds with one topic that the platform makes itself, and the type of it (spec 2.2)."""
MAIN = "main"
"""How criteria name that topic."""


def body_fields(data: Data) -> Iterator[BodyField]:
    """Every mapping of a course in which a body may be written."""
    holders = list_pages(walk_parts(data))
    if variant := data.get("articleVariant"):
        holders.insert(0, (("articleVariant",), variant))
    for path, holder in holders:
        yield BodyField(path, holder)
        for position, language in enumerate(holder.get("languages") or ()):
            yield BodyField((*path, "languages", position), language)


def body_files(data: Data) -> Iterable[BodyField]:
    """Those of them that name a file: in most courses none does, which is quick to see."""
    written = set[str]().union(*all_topics(data))
    if written.isdisjoint({BODY_FILE, "languages"}) and not data.get("articleVariant"):
        return ()
    return (slot for slot in body_fields(data) if slot.holder.get(BODY_FILE) is not None)


def normalise_course(_key: str, data: Data) -> Form:
    """The form of a course whose document the model has accepted."""
    return make_regular(with_nodes(REFERENCES, data))


def make_regular(form: Form) -> Form:
    """The form with the ids of its parts written out, and bodies as nodes."""
    if form.get("articleVariant"):
        form["articleVariant"] = _content_fields(form["articleVariant"])
    return form | {level: _with_ids(level, form[level]) for level in ROOTS if form.get(level)}


def _with_ids(level: str, items: Sequence[Item]) -> list[Item]:
    """The parts of a list, and all below them, with their ids written out."""
    below = BELOW[level]
    parts: list[Item] = []
    for item, id_ in zip(items, part_names(items), strict=True):
        part = {**item} if below else _content_fields(item)
        part["id"] = id_
        if below in part:
            part[below] = _with_ids(below, part[below])
        parts.append(part)
    return parts


def _content_fields(holder: Item) -> dict[str, Any]:
    form = as_node(holder)
    form.pop("attested", None)
    if form.get("languages"):
        form["languages"] = [as_node(language) for language in form["languages"]]
    return form


def part_types(form: Form) -> dict[str, str]:
    """Maps the path of each part of a course to `section`, `lesson`, or the topic's type."""
    if kind := ONE_TOPIC.get(form.get("kind", "")):
        return {MAIN: kind}
    types: dict[str, str] = {}
    for path, row, items in walk_parts(form):
        above, noun = name_of_row(*row, {"id": ""}), str(path[-1]).removesuffix("s")
        types |= {f"{above}{item['id']}": item.get("type") or noun for item in items}
    return types
