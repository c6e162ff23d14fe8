"""The page of a course, put together and compared with what it was."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from ...vocabulary.enums import SessionStatus
from .compare import NEW, REMOVED, Document, compare_texts, mark_changes
from .details import Button, PageLink, button, criterion, facts, primary
from .wording import price

VISIBLE = (SessionStatus.PUBLISHED, SessionStatus.LOGIN_RESTRICTION)
"""Statuses in which learners see a course."""
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
        [criterion(document, titles) for document in criteria],
        [button(path, find(path.get("targetId") or "")) for path in paths],
        primary(course, paths),
        dict(_links(group, course, find)),
    )


def context(now: CoursePage, was: CoursePage | None = None) -> dict[str, Any]:
    """What `course.html` needs, with what differs from another time marked."""
    beside, old = facts(now.group, now.course), facts(was.group, was.course) if was else {}
    links, gone = now.links, was.links if was else {}
    return {
        "group": mark_changes(now.group, was.group) if was else now.group,
        "course": mark_changes(now.course, was.course) if was else now.course,
        "is_visible": now.course["status"] in VISIBLE,
        "tags": compare_texts(now.tags, was.tags if was else None),
        "criteria": compare_texts(now.criteria, was.criteria if was else None),
        "price": compare_texts([price(now.course)], [price(was.course)] if was else None),
        "primary": compare_texts(now.primary, was.primary if was else None),
        "buttons": _both(now.buttons, was.buttons if was else None),
        "facts": [
            (
                name,
                compare_texts(
                    _given_fields(beside, name), _given_fields(old, name) if was else None
                ),
            )
            for name in dict.fromkeys((*beside, *old))
        ],
        "links": [
            (name, _both(links.get(name, ()), gone.get(name, ()) if was else None))
            for name in dict.fromkeys((*links, *gone))
        ],
    }


def _given_fields(beside: Mapping[str, str], name: str) -> list[str]:
    return [beside[name]] if name in beside else []


def _both(now: Sequence[Shown], was: Sequence[Shown] | None) -> list[Shown]:
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
