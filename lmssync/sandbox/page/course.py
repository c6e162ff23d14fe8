"""The page of one session: what a learner reads before enrolling, and what stands inside."""

from functools import partial

from lmssync.pages import Chip, PageLink, context, course_page

from ..documents import Doc
from ..handlers.content_item import ITEM_KINDS
from ..handlers.groups import sessions_of
from ..handlers.purchase_paths import path_order
from ..platform import Platform
from .catalog import course_address, tag_labels
from .templates import render_page


def render_course(platform: Platform, course: Doc, *, follow: bool) -> str:
    """The whole page."""
    group = platform.groups.find_by_id(course["courseGroupId"]) or {"title": course["title"]}
    sessions = sessions_of(platform, group) if "id" in group else []
    paths = sorted(platform.objects.list_owned("purchasePaths", course["id"]), key=path_order)
    page = course_page(
        group,
        course,
        criteria=course["criteria"],
        paths=paths,
        labels=tag_labels(platform),
        find=partial(_page_link, platform),
    )
    return render_page(
        platform,
        "course.html",
        title=str(group["title"]),
        follow=follow,
        sessions=[Chip(s["title"], course_address(s), s["id"] == course["id"]) for s in sessions],
        **context(page),
    )


def _page_link(platform: Platform, id_: str) -> PageLink | None:
    course = platform.courses.by_id(id_) or platform.groups.find_by_id(id_)
    if course:
        return PageLink(course["title"], f"/catalog/{id_}")
    items = (platform.objects.get_object(kind, id_) for kind in ITEM_KINDS)
    return next((PageLink(item["title"]) for item in items if item), None)
