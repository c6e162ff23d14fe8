"""The endpoint of the pages: this machine only, GET only."""

from http import HTTPStatus

from starlette.responses import HTMLResponse
from starlette.types import Receive, Scope, Send

from ..areas.course_read import course_of
from ..serving.door import require_neighbour
from ..serving.exchange import query_of
from ..serving.refusals import Refusal
from ..world import World
from .catalog import catalog
from .course import course_page
from .requests import requests
from .templates import render

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

    def __init__(self, world: World) -> None:
        self._world = world

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            status, content = self._page(scope)
        except Refusal as refusal:
            status = HTTPStatus(refusal.status)
            content = _notice(self._world, status.phrase, "".join(refusal.errors))
        page = HTMLResponse(content.encode("utf-8", "replace"), status, headers=_HEADERS)
        await page(scope, receive, send)

    def _page(self, scope: Scope) -> tuple[HTTPStatus, str]:
        require_neighbour(scope)
        if scope["method"] not in ("GET", "HEAD"):
            raise Refusal(405, "Only GET is allowed here")
        world, query = self._world, query_of(scope)
        world.turn(reading=False)
        follow = "follow" in query
        if scope["path"] == "/requests":
            return HTTPStatus.OK, requests(world, follow=follow)
        id_ = scope["path_params"].get("id")
        if id_ is None:
            tag = query.get("tag", [None])[-1]
            return HTTPStatus.OK, catalog(world, tag=tag, follow=follow)
        course = course_of(world, id_, deleted=True)
        if course is None:
            message = "No course has this id."
            return HTTPStatus.NOT_FOUND, _notice(world, "Not found", message, way_back=True)
        return HTTPStatus.OK, course_page(world, course, follow=follow)


def _notice(world: World, title: str, message: str, *, way_back: bool = False) -> str:
    return render(world, "frame.html", title=title, message=message, way_back=way_back)
