"""The pages for a person's browser: the catalog as learners would see it, and the newest requests.

They are plain HTML without a script and without a byte from elsewhere, for this machine only; no
part of the platform.
"""

from functools import partial
from http import HTTPStatus
from itertools import groupby, islice
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

from starlette.responses import HTMLResponse
from starlette.types import Receive, Scope, Send

from ..support.pages import (
    VISIBLE,
    Chip,
    PageLink,
    build_course_context,
    course_page,
    format_day,
    make_page_environment,
)
from .handlers.content_routes import ITEM_KINDS
from .handlers.course_reads import sessions_of, shown_session
from .handlers.id_lookup import course_of
from .handlers.purchase_path_routes import path_order
from .http_messages import Refusal, query_of
from .request_gateway import Entry, RequestLog, require_neighbour
from .sandbox_documents import Doc
from .sandbox_platform import Platform

HOME = "/"


def status_class(status: int | None) -> str:
    """The class of a status in the list of requests; None is a request that got no answer."""
    if status is None or status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        return "broken"
    if status >= HTTPStatus.BAD_REQUEST:
        return "bad"
    return "good" if HTTPStatus.OK <= status < HTTPStatus.MULTIPLE_CHOICES else "moved"


_TEMPLATES = make_page_environment(Path(__file__).with_name("templates"))
_TEMPLATES.filters["grade"] = status_class


def render_page(platform: Platform, template: str, **context: Any) -> str:
    """A whole page; `context` has its `title`, and what else the template names."""
    now = platform.clock.format_now()
    return _TEMPLATES.get_template(template).render(
        company=platform.company_name,
        home=HOME,
        note=f"Sandbox · profile {platform.profile} · {format_day(now)}",
        now=now,
        **context,
    )


_NOTHING = (
    "Nothing here yet. `lmssync apply` adds a catalog, "
    "which this page shows as learners would see it."
)


class Tile(NamedTuple):
    """One course group, and the session that its tile leads to."""

    group: Doc
    session: Doc
    sessions: int
    tags: list[str]

    @property
    def is_visible(self) -> bool:
        return self.session["status"] in VISIBLE

    @property
    def href(self) -> str:
        return course_address(self.session)


def course_address(course: Doc) -> str:
    """Where the page of a course is."""
    return f"/catalog/{course['id']}"


def render_catalog(platform: Platform, *, tag: str | None, follow: bool) -> str:
    """All tiles, or those with a tag (its label)."""
    every = sorted(_list_tiles(platform), key=_tile_rank, reverse=True)
    tiles = [tile for tile in every if tag is None or tag in tile.tags]
    labels = sorted({label for tile in every for label in tile.tags})
    chips = [Chip(label, f"{HOME}?tag={quote(label)}", label == tag) for label in labels]
    return render_page(
        platform,
        "catalog.html",
        title=platform.company_name,
        here=HOME,
        follow=follow,
        filters=[Chip("All", HOME, tag is None), *chips],
        tiles=tiles,
        count=len(tiles),
        visible=sum(tile.is_visible for tile in tiles),
        nothing=_NOTHING,
    )


def _tile_rank(tile: Tile) -> tuple[bool, str, str]:
    """What learners see is above the rest, and then what is newer by `publishDate` or age."""
    group = tile.group
    return tile.is_visible, group.get("publishDate") or group["createdAt"], group["id"]


def _list_tiles(platform: Platform) -> list[Tile]:
    labels = tag_labels(platform)
    tiles = []
    for group in platform.groups.list_documents():
        sessions = [] if group.get("deleted") else sessions_of(platform, group)
        if session := shown_session(sessions):
            tags = [labels[id_] for id_ in group.get("tagIds") or () if id_ in labels]
            tiles.append(Tile(group, session, len(sessions), tags))
    return tiles


def tag_labels(platform: Platform) -> dict[str, str]:
    return {tag["id"]: tag["label"] for tag in platform.objects.list_objects("tags")}


def render_course(platform: Platform, course: Doc, *, follow: bool) -> str:
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
        **build_course_context(page),
    )


def _page_link(platform: Platform, id_: str) -> PageLink | None:
    course = platform.courses.find_course_of(id_) or platform.groups.find_by_id(id_)
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
    names = {"title": "Requests", "here": "/requests"}
    return render_page(platform, "requests.html", **names, follow=follow, requests=lines)


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
            page = _render_notice(platform, "Not found", message, way_back=True)
            return HTTPStatus.NOT_FOUND, page
        return HTTPStatus.OK, render_course(platform, course, follow=follow)


def _render_notice(platform: Platform, title: str, message: str, *, way_back: bool = False) -> str:
    return render_page(platform, "frame.html", title=title, message=message, way_back=way_back)
