"""From the manifest of a course to its form: ids written out, bodies and references as nodes."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ...resource import Form, Reference
from ..body import as_node
from ..kind import Data, Slot
from ..managed import OWN_FIELDS
from ..parts import names
from ..refers import Refers, found_in, nodes

REFERS = {
    "tags": Refers("tag", "tagIds"),
    "relatedCourses": Refers("course", "relatedCourseGroupIds", id="courseGroup", deferrable=True),
    "prerequisiteCourses": Refers("course", "prerequisiteCourseIds", id="course"),
    "prerequisiteLearningPaths": Refers("learningPath", "prerequisiteLearningPathIds"),
}

ONE_TOPIC = {
    "article": "article",
    "video": "video",
    "shareableContentObject": "shareableContentObject",
}
"""Kinds with one topic that the platform makes itself, and the type of it (spec 2.2)."""
MAIN = "main"
"""How criteria name that topic."""


def references(data: Data) -> Iterator[Reference]:
    return found_in(REFERS, data)


def slots(data: Data) -> Iterator[Slot]:
    """Every mapping of a course in which a body may be written."""
    if data.get("articleVariant"):
        yield from _variants(("articleVariant",), data["articleVariant"])
    for position, topic in enumerate(data.get("topics") or ()):
        yield from _variants(("topics", position), topic)
    for s, section in enumerate(data.get("sections") or ()):
        for n, lesson in enumerate(section["lessons"]):
            for t, topic in enumerate(lesson["topics"]):
                yield from _variants(("sections", s, "lessons", n, "topics", t), topic)


def _variants(path: tuple[str | int, ...], holder: dict[str, Any]) -> Iterator[Slot]:
    yield Slot(path, holder)
    for position, language in enumerate(holder.get("languages") or ()):
        yield Slot((*path, "languages", position), language)


def normalise(_key: str, data: Data) -> Form:
    """The form of a course whose document the model has accepted."""
    form = {key: value for key, value in data.items() if key not in OWN_FIELDS}
    for field, refers in REFERS.items():
        if field in form:
            form[field] = nodes(refers, form[field])
    if form.get("articleVariant"):
        form["articleVariant"] = _content(form["articleVariant"])
    if form.get("topics"):
        form["topics"] = _topics(form["topics"])
    if form.get("sections"):
        form["sections"] = [_section(section) for section in with_ids(form["sections"])]
    return form


def _section(section: dict[str, Any]) -> dict[str, Any]:
    lessons = [
        {**lesson, "topics": _topics(lesson["topics"])} for lesson in with_ids(section["lessons"])
    ]
    return {**section, "lessons": lessons}


def _topics(topics: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    return [_content(topic) for topic in with_ids(topics)]


def _content(holder: dict[str, Any]) -> dict[str, Any]:
    form = as_node(holder)
    form.pop("attested", None)
    if form.get("languages"):
        form["languages"] = [as_node(language) for language in form["languages"]]
    return form


def with_ids(items: Iterable[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """Items with their ids written out."""
    items = list(items)
    for item, name in zip(items, names(items), strict=True):
        yield {**item, "id": name}


def parts(form: Form) -> dict[str, str]:
    """Path of each part of a course to what it is: `section`, `lesson`, or the topic's type."""
    if form["kind"] in ONE_TOPIC:
        return {MAIN: ONE_TOPIC[form["kind"]]}
    found = {topic["id"]: topic["type"] for topic in form.get("topics") or ()}
    for section in form.get("sections") or ():
        found[section["id"]] = "section"
        for lesson in section["lessons"]:
            path = f"{section['id']}/{lesson['id']}"
            found[path] = "lesson"
            found |= {f"{path}/{topic['id']}": topic["type"] for topic in lesson["topics"]}
    return found
