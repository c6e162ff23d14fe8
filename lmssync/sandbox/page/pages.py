"""The endpoint of the pages: this machine only, GET only."""

from http import HTTPStatus

from starlette.responses import HTMLResponse
from starlette.types import Receive, Scope, Send

from ..handlers.lookup import course_of
from ..http import Refusal, query_of, require_neighbour
from ..platform import Platform
from ..serving.request_log import RequestLog
from . import course as course_page
from .catalog import render_catalog
from .requests import render_requests
from .templates import render_page

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
        return HTTPStatus.OK, course_page.render_course(platform, course, follow=follow)


def _render_notice(platform: Platform, title: str, message: str, *, way_back: bool = False) -> str:
    return render_page(platform, "frame.html", title=title, message=message, way_back=way_back)
