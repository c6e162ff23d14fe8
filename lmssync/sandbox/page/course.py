"""The page of one session: what a learner reads before enrolling, and what stands inside."""

from collections.abc import Iterable, Iterator

from lmssync.pages import (
    VISIBLE,
    Chip,
    PageLink,
    button,
    criterion,
    facts,
    price,
    primary,
)

from ..data.courses import children
from ..data.ids import Level
from ..documents import Doc
from ..handlers.content_item import ITEM_KINDS
from ..handlers.groups import sessions_of
from ..handlers.purchase_paths import path_order
from ..platform import Platform
from .catalog import address, tag_labels, tags_of
from .templates import render


def course_page(platform: Platform, course: Doc, *, follow: bool) -> str:
    group = platform.groups.find(course["courseGroupId"]) or {"title": course["title"]}
    paths = sorted(platform.objects.owned("purchasePaths", course["id"]), key=path_order)
    titles = {doc["id"]: doc["title"] for _, doc in children(course, Level.TOPIC)}
    sessions = sessions_of(platform, group) if "id" in group else []
    return render(
        platform,
        "course.html",
        title=str(group["title"]),
        follow=follow,
        course=course,
        group=group,
        is_visible=course["status"] in VISIBLE,
        tags=tags_of(group, tag_labels(platform)),
        sessions=[Chip(s["title"], address(s), s["id"] == course["id"]) for s in sessions],
        criteria=[criterion(document, titles) for document in course["criteria"]],
        price=[price(course)],
        primary=primary(course, paths),
        buttons=[button(path, _link(platform, path.get("targetId") or "")) for path in paths],
        facts=[(name, [value]) for name, value in facts(group, course).items()],
        links=list(_links(platform, group, course)),
    )


def _links(platform: Platform, group: Doc, course: Doc) -> Iterator[tuple[str, list[PageLink]]]:
    """What comes first, and what goes with it."""
    courses = course.get("prerequisiteCourseIds") or ()
    learning_paths = course.get("prerequisiteLearningPathIds") or ()
    related = group.get("relatedCourseGroupIds") or ()
    ids_of: dict[str, Iterable[str]] = {"First": [*courses, *learning_paths], "Related": related}
    for name, ids in ids_of.items():
        if links := [link for id_ in ids if (link := _link(platform, id_))]:
            yield name, links


def _link(platform: Platform, id_: str) -> PageLink | None:
    course = platform.courses.by_id(id_) or platform.groups.find(id_)
    if course:
        return PageLink(course["title"], f"/catalog/{id_}")
    items = (platform.objects.get(kind, id_) for kind in ITEM_KINDS)
    return next((PageLink(item["title"]) for item in items if item), None)
