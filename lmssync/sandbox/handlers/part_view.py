"""How sections, lessons and topics are shown one by one (O45).

What the observation names and the sandbox does not keep is made of what it does: a slug of the
title, the status of a section of its session.
"""

from lmssync.vocabulary.rules import derive_slug

from ..documents import Doc
from . import topics


def section(doc: Doc, *, course: Doc) -> Doc:
    """With its lessons, which one client reads there."""
    return {
        "id": doc["id"],
        "title": doc["title"],
        "slug": derive_slug(doc["title"]),
        "status": course["status"],
        "releaseAt": doc.get("releaseDate"),
        "parentSectionId": None,
        "lessonCount": len(doc["lessons"]),
        "lessons": [lesson(one, section=doc) for one in doc["lessons"]],
    }


def lesson(doc: Doc, *, section: Doc) -> Doc:
    return {
        "id": doc["id"],
        "title": doc["title"],
        "slug": derive_slug(doc["title"]),
        "accessLevel": doc["openType"],
        "sectionId": section["id"],
        "sectionTitle": section["title"],
        "topicCount": len(doc["topics"]),
    }


def outline(lesson: Doc) -> list[Doc]:
    """What stands in a lesson, in its order."""
    return [{name: topic[name] for name in ("id", "title", "type")} for topic in lesson["topics"]]


def topic(doc: Doc, *, lesson: Doc) -> Doc:
    """As a lesson lists it, and besides the lesson."""
    return {**topics.as_wire(doc), "lessonId": lesson["id"], "lessonTitle": lesson["title"]}


def course_of_part(course: Doc) -> Doc:
    """Where a part stands."""
    return {"courseId": course["id"], "courseTitle": course["title"]}
