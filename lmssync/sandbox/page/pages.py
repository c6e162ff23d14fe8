"""The endpoint of the pages: this machine only, GET only."""

from functools import partial
from http import HTTPStatus
from itertools import groupby, islice

from starlette.responses import HTMLResponse
from starlette.types import Receive, Scope, Send

from ...support.pages import Chip, PageLink, context, course_page
from ..documents import Doc
from ..handlers.content_item import ITEM_KINDS
from ..handlers.groups import sessions_of
from ..handlers.lookup import course_of
from ..handlers.purchase_paths import path_order
from ..http import Refusal, query_of, require_neighbour
from ..platform import Platform
from ..serving.request_log import Entry, RequestLog
from .catalog import course_address, render_catalog, tag_labels
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


LINES = 100


def render_requests(platform: Platform, log: RequestLog, *, follow: bool) -> str:
    """Newest first, like ones in one line. Queries and bodies are left out: they may hold keys."""

    def entry_outcome(entry: Entry) -> tuple[object, ...]:
        return entry.method, entry.route or entry.path, entry.status, entry.fault

    alike = groupby(reversed(list(log)), key=entry_outcome)
    lines = [(next(entries), 1 + sum(1 for _ in entries)) for _, entries in islice(alike, LINES)]
    return render_page(
        platform, "requests.html", title="Requests", here="/requests", follow=follow, requests=lines
    )


ADDRESSES = ("/", "/requests", "/catalog/{id}")
_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none';"
    " frame-ancestors 'none'; base-uri 'none'"
)
_HEADERS = {
    "Content-Security-Policy": _POLICY,
    "X-Frame-Options": "DENY",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}


def is_page(path: str) -> bool:
    """Whether a path is one of a page."""
    return path in ADDRESSES or path.startswith("/catalog/")


class Pages:
    """One endpoint for all addresses."""

    def __init__(self, platform: Platform, log: RequestLog) -> None:
        self._platform, self._log = platform, log

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            status, content = self._render_page(scope)
        except Refusal as refusal:
            status = HTTPStatus(refusal.status)
            content = _render_notice(self._platform, status.phrase, "".join(refusal.errors))
        page = HTMLResponse(content.encode("utf-8", "replace"), status, headers=_HEADERS)
        await page(scope, receive, send)

    def _render_page(self, scope: Scope) -> tuple[HTTPStatus, str]:
        require_neighbour(scope)
        if scope["method"] not in ("GET", "HEAD"):
            raise Refusal(405, "Only GET is allowed here")
        platform, query = self._platform, query_of(scope)
        platform.catch_up(reading=False)
        follow = "follow" in query
        if scope["path"] == "/requests":
            return HTTPStatus.OK, render_requests(platform, self._log, follow=follow)
        id_ = scope["path_params"].get("id")
        if id_ is None:
            tag = query.get("tag", [None])[-1]
            return HTTPStatus.OK, render_catalog(platform, tag=tag, follow=follow)
        course = course_of(platform, id_, deleted=True)
        if course is None:
            message = "No course has this id."
            return HTTPStatus.NOT_FOUND, _render_notice(
                platform, "Not found", message, way_back=True
            )
        return HTTPStatus.OK, render_course(platform, course, follow=follow)


def _render_notice(platform: Platform, title: str, message: str, *, way_back: bool = False) -> str:
    return render_page(platform, "frame.html", title=title, message=message, way_back=way_back)
