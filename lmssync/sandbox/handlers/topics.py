"""`topic.list`: the topics of a lesson, in their order (spec 4, O24)."""

from ..call import Call
from ..data.ids import Level
from ..documents import Doc
from ..http import Answer, absent, bad
from ..platform import Platform
from .paging import PAGE_DEFAULT, PAGE_MOST, cursor_of, listed, number, place_in

NAMED = 8
"""Topics that a cursor names: so many may be deleted at its border before a walk begins anew."""


def of_lesson(platform: Platform, call: Call) -> Answer:
    """By cursor; it names topics that were seen, since order is the array's own."""
    held = platform.courses.held(call.path["lessonId"], Level.LESSON)
    if held is None:
        raise absent("lesson", call.path["lessonId"])
    lesson, topics = held.doc, held.doc["topics"]
    size = number(call, "perPage", default=PAGE_DEFAULT, most=PAGE_MOST)
    start = _start(call.one("cursor"), lesson)
    end = start + size
    more = end < len(topics)
    seen = [topic["id"] for topic in topics[max(end - NAMED, 0) : end]]
    info = {
        "total": len(topics),
        "cursor": cursor_of([lesson["id"], *seen]) if more else None,
        "hasMore": more,
    }
    page = map(as_wire, topics[start:end])
    return listed(platform, "topics", page, info=info, whole=map(as_wire, topics))


def _start(cursor: str | None, lesson: Doc) -> int:
    """After the last topic of the cursor that is still there. Where all are gone it begins anew:
    better twice than never."""
    if not cursor:
        return 0
    of_lesson, *seen = place_in(cursor) or [None]
    if of_lesson != lesson["id"]:
        raise bad("cursor: it is not a cursor of this list")
    told = [index for index, topic in enumerate(lesson["topics"], 1) if topic["id"] in seen]
    return max(told, default=0)


def as_wire(topic: Doc) -> Doc:
    return {
        "id": topic["id"],
        "title": topic["title"],
        "type": topic["type"],
        "preTextBlock": topic.get("preTextBlock"),
        "postTextBlock": topic.get("postTextBlock"),
        "updatedAt": topic["updatedAt"],
    }
