"""`course.create`: up to 100 entries, each a whole course of one of five kinds (spec 2.2, 4).

Creates and updates build the tree of sections, lessons and topics here, and queue the jobs that
would fetch what an address points at. Nothing is ever fetched: a job fails if an address contains
the word `broken`, else it succeeds.
"""

from functools import partial
from typing import Any

from ...vocabulary import limits
from ...vocabulary.enums import CourseKind, OpenType, RefusedKind, SessionStatus, TopicType
from ...vocabulary.normalisers import derive_slug
from .. import value_checks
from ..data.course_tables import CHILDREN
from ..data.object_documents import Company, Level
from ..http_messages import Answer, Refusal, bad_request
from ..sandbox_documents import Doc
from ..sandbox_jobs import JobFailed
from ..sandbox_platform import Call, Platform
from ..value_checks import (
    InvalidValue,
    Rule,
    check_each,
    error_path,
    json_object,
    new_fields,
    quote_value,
    require_fields,
)
from . import course_fields
from .course_fields import PACKAGE_RULES, VIDEO_RULES

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
    description = f"Import {len(urls)} file" + ("s" if len(urls) > 1 else "")
    return {"backgroundJob": platform.start_job("media", {"urls": urls}, description=description)}


_QUEUED = frozenset(course_fields.QUEUED_URLS)
_HOLDERS = {
    Level.SECTION: (course_fields.SECTION_RULES, ("title", "lessons")),
    Level.LESSON: (course_fields.LESSON_RULES, ("title", "openType", "topics")),
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
        with error_path(CHILDREN[level]):
            require_room(self.platform, len(values))
            return check_each(values, make)

    def _build_holder(self, level: Level, value: Any) -> Doc:
        """A section or a lesson, with what it holds."""
        rules, needed = _HOLDERS[level]
        fields = new_fields(json_object(value), rules, needed, ignore=self._ignore)
        fields.pop("position", None)
        # The number is taken before those of the children, so that ids count from the outside in.
        doc, below = {"id": self.new_id(level), **fields}, Level(level + 1)
        doc[CHILDREN[below]] = self.build_parts(below, fields[CHILDREN[below]])
        return doc

    def _build_topic(self, value: Any) -> Doc:
        every = course_fields.TOPIC_CREATE_RULES
        entry = course_fields.ease_entry(self.platform, json_object(value), every)
        kind = entry.get("type")
        rules = every.get(kind) if isinstance(kind, str) else None
        if rules is None:
            require_fields(entry, ("type",))
            rules = every[TopicType.TEXT]  # its rule for `type` says what is wrong
        fields = new_fields(entry, rules, ignore=self._ignore)
        fields.pop("position", None)
        return self.make_topic(fields)

    def make_topic(self, fields: Doc) -> Doc:
        """A topic of checked fields."""
        if fields["type"] == TopicType.VIDEO:
            course_fields.require_video(self.platform, fields)
        self.queue_media(fields)
        return {"id": self.new_id(Level.TOPIC), "title": "", **fields, "updatedAt": self._stamp}

    def queue_media(self, fields: Doc) -> None:
        """Note the addresses among `fields` that a background job must fetch."""
        if _QUEUED.isdisjoint(fields):
            return
        for name in course_fields.QUEUED_URLS:
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
    """Raise InvalidValue where one parent would have more children than the switch allows."""
    most = platform.switches.childrenLimit
    if most != "off" and children > int(most):
        raise InvalidValue(f"it would hold {children} items; the most is {most}")


def move_sibling(siblings: list[Doc], item: Doc, position: int) -> None:
    """Move an item to an index among its siblings, counted from 0; beyond the end is the end."""
    siblings.remove(item)
    siblings.insert(position, item)


KIND_RULES: dict[str, dict[str, Rule]] = {
    CourseKind.COURSE_GROUP: {"sections": value_checks.check_list},
    CourseKind.MICRO_COURSE: {"topics": value_checks.check_list},
    CourseKind.ARTICLE: {"articleVariant": course_fields.article_variant},
    CourseKind.VIDEO: {**VIDEO_RULES, "articleVariant": course_fields.article_variant},
    CourseKind.SHAREABLE_CONTENT_OBJECT: PACKAGE_RULES,
}
"""Structure and content that each kind takes (spec 2.2; articleVariant of a video O20)."""

CREATE_RULES: dict[str, dict[str, Rule]] = {
    kind: {
        "title": value_checks.check_title,
        "kind": value_checks.check_text,
        **course_fields.GROUP_RULES,
        **course_fields.SESSION_RULES,
        **rules,
    }
    for kind, rules in KIND_RULES.items()
}


def create_courses(platform: Platform, call: Call) -> Answer:
    """All entries or none, unless the switch `batchAtomic` is off (O16)."""
    made: list[tuple[str, str]] = []
    urls: list[str] = []
    errors: list[str] = []
    company = platform.read_company()
    for index, entry in enumerate(_read_entries(call.body)):
        try:
            with error_path("courseAttributes", index):
                made.append(_create_one(platform, company, entry, urls=urls))
        except InvalidValue as wrong:
            # Every entry is checked, so that one answer names all mistakes.
            errors.append(str(wrong))
            # Whatever was made before the first mistake stays, which is the worst that the platform
            # may do (O16).
            if not platform.switches.batchAtomic:
                break
    if errors:
        raise Refusal(400, *errors, kept=not platform.switches.batchAtomic)
    _order_ids(platform, made)
    # The two lists are in the same order, whatever that is: only pairs can be relied on (O16).
    ids = {"courseIds": [id_ for id_, _ in made], "courseGroupIds": [id_ for _, id_ in made]}
    return Answer({**ids, **queue_media_job(platform, urls)}, int(platform.switches.createStatus))


def _read_entries(body: Doc) -> list[Any]:
    entries = body.get("courseAttributes")
    if isinstance(entries, dict):
        raise bad_request("courseAttributes: is an object; create takes a list of entries")
    if not isinstance(entries, list):
        given = quote_value(entries)
        raise bad_request(f"courseAttributes: is {given}; it must be a list of entries")
    if not entries:
        raise bad_request("courseAttributes: is empty; it must hold at least one entry")
    if len(entries) > limits.COURSES_PER_CREATE:
        most = limits.COURSES_PER_CREATE
        raise bad_request(f"courseAttributes: has {len(entries)} entries; the most is {most}")
    return entries


def _order_ids(platform: Platform, made: list[tuple[str, str]]) -> None:
    if platform.switches.idOrder == "reversed":
        made.reverse()
    elif platform.switches.idOrder == "shuffled":
        platform.random.shuffle(made)


def _create_one(
    platform: Platform, company: Company, value: Any, *, urls: list[str]
) -> tuple[str, str]:
    """Check and keep one entry; its course id and course group id. Raises InvalidValue."""
    entry = value_checks.json_object(value)
    kind = _read_kind(entry)
    fields = course_fields.new_entry(platform, entry, CREATE_RULES[kind], ("title",))
    if platform.switches.sourceRefused and "source" in fields:
        raise InvalidValue("is not accepted", "source")
    course_fields.require_group_references(platform, company, fields)
    course_fields.require_session_references(platform, company, fields)
    course_fields.require_free_sku(platform, fields.get("sku"))
    # All checks that need no id come first: an entry that is refused by them takes no serial.
    builder = Builder(platform, platform.courses.new_serial())
    builder.queue_media({name: fields.get(name) for name in ("asset", "detailAsset")})
    sections = _build_sections(builder, kind, fields)
    group = make_group(platform, company, fields, kind=kind, serial=builder.serial)
    course = make_session(platform, fields, kind=kind, group=group["id"])
    course = make_course(builder, course, sections)
    platform.groups.add_group(builder.serial, group)
    platform.courses.add_course(builder.serial, course, group=builder.serial)
    urls += builder.urls
    return course["id"], group["id"]


def _read_kind(entry: Doc) -> str:
    kind = entry.get("kind")
    accepted = ", ".join(CourseKind)
    if kind is None:
        raise InvalidValue(f"is required; it must be one of {accepted}", "kind")
    if isinstance(kind, str) and kind in CREATE_RULES:
        return kind
    message = f"{quote_value(kind)} is not accepted; it must be one of {accepted}"
    if isinstance(kind, str) and kind in list(RefusedKind):
        message += "; this content is created in another way"
    raise InvalidValue(message, "kind")


def _build_sections(builder: Builder, kind: str, fields: Doc) -> list[Doc]:
    """The tree of an entry: as it was sent, or the one topic of a flat kind (O19)."""
    if kind == CourseKind.COURSE_GROUP:
        return builder.build_parts(Level.SECTION, fields.get("sections", []))
    if kind == CourseKind.MICRO_COURSE:
        topics = builder.build_parts(Level.TOPIC, fields.get("topics", []))
    else:
        topics = [builder.make_topic(_only_topic(kind, fields))]
    return builder.wrap_topics(topics, title=fields["title"])


def _only_topic(kind: str, fields: Doc) -> Doc:
    """The topic that a flat kind makes of its course-level fields."""
    topic = {"title": fields["title"], "type": TopicType(kind)}
    if kind == CourseKind.ARTICLE:
        return {**topic, **fields.get("articleVariant", {})}
    rules = VIDEO_RULES if kind == CourseKind.VIDEO else PACKAGE_RULES
    topic |= {name: fields[name] for name in rules if name in fields}
    if "articleVariant" in fields:
        topic["body"] = fields["articleVariant"].get("body", "")
    return topic


def make_group(platform: Platform, company: Company, fields: Doc, *, kind: str, serial: int) -> Doc:
    """The document of the course group (spec 2.2, catalog level)."""
    group = {
        "id": platform.ids.make_id(Level.GROUP, serial),
        "kind": kind,
        "title": fields["title"],
        "slug": derive_slug(fields["title"]) or "course",
        **{name: fields[name] for name in course_fields.GROUP_RULES if name in fields},
    }
    label = course_fields.CONTENT_TYPES[CourseKind(kind)]
    if "contentType" not in group and label in company.content_types:
        group["contentType"] = label
    if "asset" in group:
        group.setdefault("assetAltText", "")
    return group | dict.fromkeys(("createdAt", "updatedAt"), platform.clock.format_now())


def make_session(platform: Platform, fields: Doc, *, kind: str, group: str) -> Doc:
    """The document of a session without its tree (spec 2.2, session level; spec 3, status)."""
    status = fields.get("status", SessionStatus.DRAFT)
    if fields.get("futurePublishDate"):
        if status == SessionStatus.PUBLISHED:
            raise InvalidValue("cannot be combined with status published", "futurePublishDate")
        status = SessionStatus.PENDING
    stamp = platform.clock.format_now()
    return {
        "courseGroupId": group,
        "kind": kind,
        "title": fields["title"],
        **course_fields.SESSION_DEFAULTS,
        # Set by the platform where an entry has none; what was sent comes further down and wins.
        "enrollmentStartDate": stamp,
        "courseStartDate": stamp,
        **{name: fields[name] for name in course_fields.SESSION_RULES if name in fields},
        "status": status,
        "createdAt": stamp,
        "updatedAt": stamp,
    }


def make_course(builder: Builder, course: Doc, sections: list[Doc]) -> Doc:
    """A session's document with its id and its tree."""
    return {
        "id": builder.course_id(),
        **course,
        "sections": sections,
        "criteria": [],
        "lastNumber": builder.last_number,
    }
