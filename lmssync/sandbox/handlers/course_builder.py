"""The builder of course trees: sections, lessons and topics with their ids, from what was sent.

It also queues the background jobs that would fetch what an address points at. Nothing is ever
fetched: a job fails if an address contains the word `broken`, else it succeeds.
"""

from functools import partial
from typing import Any

from ...vocabulary.enums import OpenType, TopicType
from ..data.course_tables import CHILDREN
from ..data.document_ids import Level
from ..sandbox_documents import Doc
from ..sandbox_jobs import JobFailed
from ..sandbox_platform import Platform
from ..value_checks import Wrong, at, check_each, json_object, new_fields, require_fields
from . import topic_fields

BROKEN = "broken"


def fetch_media(_platform: Platform, arguments: Doc) -> None:
    """The work `media`: `urls` are fetched, or one of them cannot be."""
    for url in arguments["urls"]:
        if BROKEN in url.lower():
            raise JobFailed(f"The file at {url} could not be fetched")


def queue_media_job(platform: Platform, urls: list[str]) -> Doc:
    """What an answer shows of the job for `urls`: `{"backgroundJob": ...}` or nothing."""
    if not urls:
        return {}
    count = f"{len(urls)} file" + ("s" if len(urls) > 1 else "")
    return {
        "backgroundJob": platform.start_job("media", {"urls": urls}, description=f"Import {count}")
    }


_QUEUED = frozenset(topic_fields.QUEUED_URLS)
_HOLDERS = {
    Level.SECTION: (topic_fields.SECTION_RULES, ("title", "lessons")),
    Level.LESSON: (topic_fields.LESSON_RULES, ("title", "openType", "topics")),
}
"""What holds parts: what it takes at creation, and what it needs."""


class Builder:
    """Builds the children of one course; numbers them from `last_number` on.

    `urls` collects the addresses that a background job must fetch.
    """

    def __init__(self, platform: Platform, serial: int, *, last_number: int = 0) -> None:
        self.platform, self._ids = platform, platform.ids
        self.serial, self.last_number = serial, last_number
        self._stamp = platform.clock.format_now()
        self._ignore = platform.switches.unknownFields == "ignore"
        self.urls: list[str] = []

    @classmethod
    def for_course(cls, platform: Platform, course: Doc) -> "Builder":
        """A builder that adds to a course."""
        serial = platform.courses.serial_of(course)
        return cls(platform, serial, last_number=course["lastNumber"])

    def new_id(self, level: Level) -> str:
        self.last_number += 1
        return self._ids.make_id(level, self.serial, self.last_number)

    def course_id(self) -> str:
        return self._ids.make_id(Level.COURSE, self.serial)

    def build_parts(self, level: Level, values: list[Any]) -> list[Doc]:
        """Sections, lessons or topics, with what they hold."""
        make = self._build_topic if level is Level.TOPIC else partial(self._build_holder, level)
        with at(CHILDREN[level]):
            require_room(self.platform, len(values))
            return check_each(values, make)

    def _build_holder(self, level: Level, value: Any) -> Doc:
        """A section or a lesson, with what it holds."""
        rules, needed = _HOLDERS[level]
        fields = new_fields(json_object(value), rules, needed, ignore=self._ignore)
        fields.pop("position", None)
        doc, below = {"id": self.new_id(level), **fields}, Level(level + 1)
        doc[CHILDREN[below]] = self.build_parts(below, fields[CHILDREN[below]])
        return doc

    def _build_topic(self, value: Any) -> Doc:
        entry = topic_fields.ease_entry(
            self.platform, json_object(value), topic_fields.CREATE_RULES
        )
        kind = entry.get("type")
        rules = topic_fields.CREATE_RULES.get(kind) if isinstance(kind, str) else None
        if rules is None:
            require_fields(entry, ("type",))
            rules = topic_fields.CREATE_RULES[
                TopicType.TEXT
            ]  # its rule for `type` says what is wrong
        fields = new_fields(entry, rules, ignore=self._ignore)
        fields.pop("position", None)
        return self.made_topic(fields)

    def made_topic(self, fields: Doc) -> Doc:
        """A topic of checked fields."""
        if fields["type"] == TopicType.VIDEO:
            topic_fields.require_video(self.platform, fields)
        self.queue_media(fields)
        return {"id": self.new_id(Level.TOPIC), "title": "", **fields, "updatedAt": self._stamp}

    def queue_media(self, fields: Doc) -> None:
        """Note the addresses among `fields` that a background job must fetch."""
        if _QUEUED.isdisjoint(fields):
            return
        for name in topic_fields.QUEUED_URLS:
            if fields.get(name) is not None:
                self.urls.append(fields[name])

    def wrap_topics(self, topics: list[Doc], *, title: str) -> list[Doc]:
        """One section `Main` with one lesson around topics (O19)."""
        lesson = {
            "id": self.new_id(Level.LESSON),
            "title": title,
            "openType": OpenType.STUDENTS_ONLY,
            "topics": topics,
        }
        return [{"id": self.new_id(Level.SECTION), "title": "Main", "lessons": [lesson]}]


def keep_changed_part(platform: Platform, course: Doc) -> None:
    """Save a course of which a part was changed."""
    if platform.switches.courseTimes == "whole":
        platform.courses.change_document(course)
    else:
        platform.courses.save_document(course)


def require_room(platform: Platform, children: int) -> None:
    """Raise Wrong where one parent would have more children than the switch allows."""
    most = platform.switches.childrenLimit
    if most != "off" and children > int(most):
        raise Wrong(f"it would hold {children} items; the most is {most}")


def move_sibling(siblings: list[Doc], item: Doc, position: int) -> None:
    """Move an item to an index among its siblings, counted from 0; beyond the end is the end."""
    siblings.remove(item)
    siblings.insert(position, item)
