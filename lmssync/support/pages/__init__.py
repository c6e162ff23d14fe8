"""pages: how a catalog looks to learners, as HTML without a byte from elsewhere.

The sandbox and the preview show what they have with the same templates. A document is a mapping
with the platform's names, as a read gives it; nothing here knows where one comes from.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from ...vocabulary.enums import CourseKind, OpenType, SessionStatus, TopicType, criterion_sentence
from ...vocabulary.normalisers import is_web_address
from .page_templates import (
    BODY_STYLE as BODY_STYLE,
    CHANGED as CHANGED,
    NEW as NEW,
    OUTLINE_STYLE as OUTLINE_STYLE,
    REMOVED as REMOVED,
    Document as Document,
    PageText as PageText,
    compare_texts as compare_texts,
    extract_host,
    format_day as format_day,
    format_price as format_price,
    make_page_environment as make_page_environment,
    mark_changes as mark_changes,
    sanitise_body as sanitise_body,
)

_DATES = {
    "enrollmentStartDate": "Enroll from",
    "enrollmentEndDate": "Enroll until",
    "courseStartDate": "Runs from",
    "courseEndDate": "Runs until",
    "gracePeriodEndDate": "Access until",
}
_FLAGS = {
    "forceLinearProgress": ("Order", "One page after the other"),
    "availableToPublic": ("Without login", "Yes"),
    "discussionsEnabled": ("Discussions", "Yes"),
}
_ONE_TOPIC = {CourseKind.ARTICLE, CourseKind.VIDEO, CourseKind.SHAREABLE_CONTENT_OBJECT}
CRITERION, PATH = "criteria.update", "path.create"
"""The routes that make what else is on the page of a course."""
VISIBLE = (SessionStatus.PUBLISHED, SessionStatus.LOGIN_RESTRICTION)
"""Statuses in which learners see a course."""


class PageLink(NamedTuple):
    """The thing that a page links to; some things have no page."""

    text: str
    href: str | None = None
    mark: str = ""


class Button(NamedTuple):
    """A purchase path: its label, in HTML, and where it leads."""

    label: str
    to: PageLink
    site: str = ""
    """The host of an address outside the catalog."""
    mark: str = ""


def make_button(path: Document, item: PageLink | None) -> Button:
    """How a purchase path is shown; `item` is the catalog item that it leads to, if any."""
    url, title = path.get("targetUrl"), path.get("targetUrlTitle")
    if path["targetType"] != "external_url":
        return Button(path["label"], item or PageLink("something that is gone"))
    if not url or not is_web_address(url):
        return Button(path["label"], PageLink(f"{title or url}, which is not a web address"))
    return Button(path["label"], PageLink(title or extract_host(url), url), extract_host(url))


def primary_label(course: Document, paths: Iterable[Document]) -> list[str]:
    """The text of the primary button; none where a purchase path takes its place."""
    if any(path.get("hidePrimaryCta") for path in paths):
        return []
    if course.get("priceInCents"):
        return [
            f"Buy for {format_price(course)}" if course.get("purchasable") else "Ask for a license"
        ]
    return ["Register for free" if course.get("freeWithRegistration") else "Enroll"]


def list_facts(group: Document, course: Document) -> dict[str, str]:
    """The facts beside the course, without those that nobody has set."""
    every = {
        "By": ", ".join(group.get("authors") or ()),
        "Source": group.get("source"),
        "Sku": course.get("sku"),
        "ISBN": group.get("isbn"),
        "Seats": str(course.get("enrollmentLimit") or ""),
        **{label: format_day((course.get(name) or "")[:10]) for name, label in _DATES.items()},
        **{label: value for name, (label, value) in _FLAGS.items() if course.get(name)},
        **show_custom_fields(group.get("customFields")),
        **show_custom_fields(course.get("sessionCustomFields")),
    }
    return {name: value for name, value in every.items() if value}


def show_custom_fields(values: Document | None) -> dict[str, str]:
    return {
        slug: ", ".join(value) if isinstance(value, list) else str(value or "")
        for slug, value in (values or {}).items()
    }


def criterion_text(document: Document, titles: Mapping[str, str]) -> str:
    """What a criterion asks for, and of which topic; `titles` has the topics' titles by id."""
    sentence = criterion_sentence(document["type"], document.get(document["type"]))
    about = document.get("videoTopicId") or document.get(document["type"])
    title = titles.get(about) if isinstance(about, str) else None
    return f"{sentence}: {title}" if title else sentence


def complete_entry(entry: Document) -> Document:
    """What the platform makes of an entry: a status, and sections where none are given."""
    return {**entry, "status": _status(entry), "sections": _outline(entry)}


def _status(entry: Document) -> str:
    """The status of a course that is made of an entry (spec 2.2, 3)."""
    if entry.get("futurePublishDate"):
        return SessionStatus.PENDING
    return str(entry.get("status") or SessionStatus.DRAFT)


def _outline(entry: Document) -> Sequence[Document]:
    """The sections that the platform makes of what is sent: one, if none is given (O19)."""
    kind = entry.get("kind")
    if "sections" in entry or kind == CourseKind.COURSE_GROUP:
        return entry.get("sections") or ()
    topics = entry.get("topics") or ()
    if kind in _ONE_TOPIC:
        content = entry.get("articleVariant") or {}
        topics = [{**entry, **content, "id": "main", "type": TopicType(kind), "sections": ()}]
    lesson = {"id": "main", "title": entry["title"], "openType": OpenType.STUDENTS_ONLY}
    return [{"id": "main", "title": "Main", "lessons": [{**lesson, "topics": topics}]}]


Shown = TypeVar("Shown", Button, PageLink)


class Chip(NamedTuple):
    """One of several pages to choose from."""

    text: str
    href: str
    chosen: bool = False


class CoursePage(NamedTuple):
    """A course as its page shows it, at one time."""

    group: Document
    course: Document
    tags: Sequence[str]
    criteria: Sequence[str]
    buttons: Sequence[Button]
    primary: Sequence[str]
    links: Mapping[str, Sequence[PageLink]]


Find = Callable[[str], PageLink | None]
"""By id, how something is shown that a course refers to."""


def course_page(
    group: Document,
    course: Document,
    *,
    criteria: Iterable[Document],
    paths: Iterable[Document],
    labels: Mapping[str, str],
    find: Find,
) -> CoursePage:
    """Puts together what a page shows; `labels` has the tags by id."""
    paths = list(paths)
    titles = {
        topic["id"]: topic["title"]
        for section in course["sections"]
        for lesson in section["lessons"]
        for topic in lesson["topics"]
    }
    return CoursePage(
        group,
        course,
        [labels[id_] for id_ in group.get("tagIds") or () if id_ in labels],
        [criterion_text(document, titles) for document in criteria],
        [make_button(path, find(path.get("targetId") or "")) for path in paths],
        primary_label(course, paths),
        dict(_links(group, course, find)),
    )


def build_course_context(now: CoursePage, was: CoursePage | None = None) -> dict[str, Any]:
    """The variables of `course.html`, with marks where they differ from another time."""
    beside, old = (
        list_facts(now.group, now.course),
        list_facts(was.group, was.course) if was else {},
    )
    links, gone = now.links, was.links if was else {}

    def compare_page_texts(texts_of: Callable[[CoursePage], Sequence[str]]) -> list[PageText]:
        return compare_texts(texts_of(now), texts_of(was) if was else None)

    def compare_fact(name: str) -> list[PageText]:
        given = [[values[name]] if name in values else [] for values in (beside, old)]
        return compare_texts(given[0], given[1] if was else None)

    return {
        "group": mark_changes(now.group, was.group) if was else now.group,
        "course": mark_changes(now.course, was.course) if was else now.course,
        "is_visible": now.course["status"] in VISIBLE,
        "tags": compare_page_texts(lambda page: page.tags),
        "criteria": compare_page_texts(lambda page: page.criteria),
        "price": compare_page_texts(lambda page: [format_price(page.course)]),
        "primary": compare_page_texts(lambda page: page.primary),
        "buttons": mark_list_changes(now.buttons, was.buttons if was else None),
        "facts": [(name, compare_fact(name)) for name in dict.fromkeys((*beside, *old))],
        "links": [
            (name, mark_list_changes(links.get(name, ()), gone.get(name, ()) if was else None))
            for name in dict.fromkeys((*links, *gone))
        ],
    }


def mark_list_changes(now: Sequence[Shown], was: Sequence[Shown] | None) -> list[Shown]:
    """Buttons or links, those that are gone at the end."""
    if was is None:
        return list(now)
    shown = [item if item in was else item._replace(mark=NEW) for item in now]
    return shown + [item._replace(mark=REMOVED) for item in was if item not in now]


def _links(
    group: Document, course: Document, find: Find
) -> Iterator[tuple[str, Sequence[PageLink]]]:
    """What comes first, and what goes with it."""
    courses = course.get("prerequisiteCourseIds") or ()
    learning_paths = course.get("prerequisiteLearningPathIds") or ()
    related = group.get("relatedCourseGroupIds") or ()
    ids_of = {"First": [*courses, *learning_paths], "Related": related}
    for name, ids in ids_of.items():
        if links := [link for id_ in ids if (link := find(id_))]:
            yield name, links
