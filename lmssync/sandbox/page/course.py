"""The page of one session: what a learner reads before enrolling, and what stands inside."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ..data.courses import children
from ..data.ids import Level
from ..documents import Doc
from ..handlers.content_item import ITEM_KINDS
from ..handlers.criteria_read import view
from ..handlers.groups import sessions_of
from ..handlers.purchase_paths import path_order
from ..platform import Platform
from .catalog import VISIBLE, tag_labels, tags_of
from .templates import render
from .wording import day, price

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


class Link(NamedTuple):
    """What a course refers to: courses and groups have a page, other items have none."""

    title: str
    href: str | None = None


def course_page(platform: Platform, course: Doc, *, follow: bool) -> str:
    group = platform.groups.find(course["courseGroupId"]) or {"title": course["title"]}
    paths = sorted(platform.objects.owned("purchasePaths", course["id"]), key=path_order)
    return render(
        platform,
        "course.html",
        title=str(group["title"]),
        follow=follow,
        course=course,
        group=group,
        is_visible=course["status"] in VISIBLE,
        tags=tags_of(group, tag_labels(platform)),
        sessions=sessions_of(platform, group) if "id" in group else [],
        criteria=list(_criteria(course)),
        primary=None if any(path["hidePrimaryCta"] for path in paths) else _primary(course),
        paths=[(path, _link(platform, path.get("targetId") or "")) for path in paths],
        facts=[fact for fact in _facts(group, course).items() if fact[1]],
        links=list(_links(platform, group, course)),
    )


def _criteria(course: Doc) -> Iterator[tuple[str, str | None]]:
    """What each criterion asks for, and the title of the topic that it is about."""
    titles = {doc["id"]: doc["title"] for _, doc in children(course, Level.TOPIC)}
    for criterion in course["criteria"]:
        shown = view(criterion, course=course["id"])
        about = shown.get("videoTopicId") or shown.get(shown["type"])
        yield shown["description"], titles.get(about) if isinstance(about, str) else None


def _primary(course: Doc) -> str:
    """The text of the primary button."""
    if course.get("priceInCents"):
        return f"Buy for {price(course)}" if course.get("purchasable") else "Ask for a license"
    return "Register for free" if course.get("freeWithRegistration") else "Enroll"


def _facts(group: Doc, course: Doc) -> dict[str, str | None]:
    """Those that nobody set are empty."""
    return {
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


def _custom(values: Doc | None) -> dict[str, str]:
    return {
        slug: ", ".join(value) if isinstance(value, list) else str(value or "")
        for slug, value in (values or {}).items()
    }


def _links(platform: Platform, group: Doc, course: Doc) -> Iterator[tuple[str, list[Link]]]:
    """What comes first, and what goes with it."""
    courses = course.get("prerequisiteCourseIds") or ()
    learning_paths = course.get("prerequisiteLearningPathIds") or ()
    related = group.get("relatedCourseGroupIds") or ()
    ids_of: dict[str, Iterable[str]] = {"First": [*courses, *learning_paths], "Related": related}
    for name, ids in ids_of.items():
        if links := [link for id_ in ids if (link := _link(platform, id_))]:
            yield name, links


def _link(platform: Platform, id_: str) -> Link | None:
    course = platform.courses.by_id(id_) or platform.groups.find(id_)
    if course:
        return Link(course["title"], f"/catalog/{id_}")
    items = (platform.objects.get(kind, id_) for kind in ITEM_KINDS)
    return next((Link(item["title"]) for item in items if item), None)
