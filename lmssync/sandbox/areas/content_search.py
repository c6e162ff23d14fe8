"""`content.search`: the search index, a little behind the writes (O27)."""

from collections.abc import Iterator
from typing import Any

from lmssync.vocabulary.enums import CourseKind, RefusedKind, SessionStatus

from ..checks import shown
from ..serving.exchange import Answer, Call
from ..serving.refusals import bad
from ..world import World
from .paging import PAGE_DEFAULT, PAGE_MOST, by_cursor, number

Doc = dict[str, Any]

ITEM_KINDS = {
    "learningPaths": "learningPath",
    "collections": "collection",
    "subscriptions": "subscription",
}
"""What is found besides courses, with its word in `types[]`."""
TYPES = (*CourseKind, *RefusedKind, *ITEM_KINDS.values())
FIELDS = ("slug", "sku")
"""What can be asked for exactly, as `slug:x`; everything else is searched as text."""
_SEARCHED = ("title", "description", "slug", "sku")


def search(world: World, call: Call) -> Answer:
    """By cursor, oldest first: one item a session of a course group, so that every sku can be
    found, and one a learning path, collection and subscription."""
    types = [*call.query.get("types[]", ()), *call.query.get("types", ())]
    for type_ in types:
        if type_ not in TYPES:
            raise bad(f"types: {shown(type_)} is not allowed; it is one of {', '.join(TYPES)}")
    size = number(call, "perPage", default=PAGE_DEFAULT, most=PAGE_MOST)
    query = (call.one("query") or "").strip()
    with world.recent.as_index():
        items = [
            item
            for item in _candidates(world, query)
            if (not types or item["type"] in types) and _fits(item, query)
        ]
    items.sort(key=_place)
    return by_cursor(world, call, "contentItems", items=items, place=_place, size=size)


def _place(item: Doc) -> list[Any]:
    return [item["createdAt"] or "", item["id"]]


def _candidates(world: World, query: str) -> Iterator[Doc]:
    """Every item; for a sku, where the index is not behind, the one course that has it."""
    field, found, value = query.partition(":")
    if found and field == "sku" and not world.recent.noting:
        serial = world.courses.with_sku(value.strip())
        course = world.courses.get(serial) if serial is not None else None
        courses = [course] if course else []
    else:
        courses = [one for one in world.courses.all() if one["status"] != SessionStatus.DELETED]
    labels = {tag["id"]: tag["label"] for tag in world.objects.all("tags")}
    for course in courses:
        group = world.courses.group_by_id(course["courseGroupId"])
        if group is not None:
            yield _course_item(group, course, labels)
    for kind, type_ in ITEM_KINDS.items():
        for doc in world.objects.all(kind):
            yield _other_item(doc, type_, labels)


def _fits(item: Doc, query: str) -> bool:
    field, found, value = query.partition(":")
    if found and field in FIELDS:
        return bool(item[field] == value.strip())
    texts = (item[name] or "" for name in _SEARCHED)
    return any(query.lower() in text.lower() for text in texts)


def _course_item(group: Doc, course: Doc, labels: dict[str, str]) -> Doc:
    return {
        "id": course["id"],
        "courseGroupId": group["id"],
        "type": group["kind"],
        "title": course["title"],
        "slug": group["slug"],
        "description": group.get("description"),
        "sku": course.get("sku"),
        "ribbon": group.get("ribbon"),
        "tags": _tags(group, labels),
        "status": course["status"],
        "priceInCents": course.get("priceInCents"),
        "createdAt": course["createdAt"],
        "updatedAt": max(course["updatedAt"], group["updatedAt"]),
    }


def _other_item(doc: Doc, type_: str, labels: dict[str, str]) -> Doc:
    return {
        "id": doc["id"],
        "courseGroupId": None,
        "type": type_,
        "title": doc["title"],
        "slug": doc.get("slug"),
        "description": doc.get("description"),
        "sku": doc.get("sku"),
        "ribbon": doc.get("ribbon"),
        "tags": _tags(doc, labels),
        "status": SessionStatus.PUBLISHED if doc.get("active") else SessionStatus.DRAFT,
        "priceInCents": doc.get("priceInCents"),
        "createdAt": doc.get("createdAt"),
        "updatedAt": doc.get("updatedAt"),
    }


def _tags(doc: Doc, labels: dict[str, str]) -> list[Doc]:
    ids = doc.get("tagIds") or []
    return [{"id": id_, "label": labels[id_]} for id_ in ids if id_ in labels]
