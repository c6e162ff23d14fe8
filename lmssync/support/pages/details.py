"""What stands on the page of a course besides its texts: price, buttons, dates, the outline."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from ...vocabulary.enums import CourseKind, OpenType, SessionStatus, TopicType
from ...vocabulary.rules import is_web_address
from ...vocabulary.sentences import criterion_sentence
from .compare import Document
from .wording import day, host, price

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


class PageLink(NamedTuple):
    """What a page leads to; some things have no page."""

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


def button(path: Document, item: PageLink | None) -> Button:
    """How a purchase path is shown; `item` is the catalog item that it leads to, if any."""
    url, title = path.get("targetUrl"), path.get("targetUrlTitle")
    if path["targetType"] != "external_url":
        return Button(path["label"], item or PageLink("something that is gone"))
    if not url or not is_web_address(url):
        return Button(path["label"], PageLink(f"{title or url}, which is not a web address"))
    return Button(path["label"], PageLink(title or host(url), url), host(url))


def primary(course: Document, paths: Iterable[Document]) -> list[str]:
    """The text of the primary button; none where a purchase path takes its place."""
    if any(path.get("hidePrimaryCta") for path in paths):
        return []
    if course.get("priceInCents"):
        return [f"Buy for {price(course)}" if course.get("purchasable") else "Ask for a license"]
    return ["Register for free" if course.get("freeWithRegistration") else "Enroll"]


def facts(group: Document, course: Document) -> dict[str, str]:
    """What stands beside the course, without what nobody has set."""
    every = {
        "By": ", ".join(group.get("authors") or ()),
        "Source": group.get("source"),
        "Sku": course.get("sku"),
        "ISBN": group.get("isbn"),
        "Seats": str(course.get("enrollmentLimit") or ""),
        **{label: day((course.get(name) or "")[:10]) for name, label in _DATES.items()},
        **{label: value for name, (label, value) in _FLAGS.items() if course.get(name)},
        **_custom(group.get("customFields")),
        **_custom(course.get("sessionCustomFields")),
    }
    return {name: value for name, value in every.items() if value}


def _custom(values: Document | None) -> dict[str, str]:
    return {
        slug: ", ".join(value) if isinstance(value, list) else str(value or "")
        for slug, value in (values or {}).items()
    }


def criterion(document: Document, titles: Mapping[str, str]) -> str:
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
