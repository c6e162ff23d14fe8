"""The endpoint of the pages: this machine only, GET only."""

from http import HTTPStatus

from starlette.types import Receive, Scope, Send

from ..handlers.lookup import course_of
from ..http import Refusal, query_of, require_neighbour
from ..platform import Platform
from ..serving.request_log import RequestLog
from .catalog import catalog
from .course import course_page
from .markup import Html, el
from .parts import page
from .requests import requests

ADDRESSES = ("/", "/requests", "/catalog/{id}")
_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none';"
    " frame-ancestors 'none'; base-uri 'none'"
)
_HEADERS = (
    (b"content-type", b"text/html; charset=utf-8"),
    (b"content-security-policy", _POLICY.encode()),
    (b"x-frame-options", b"DENY"),
    (b"x-content-type-options", b"nosniff"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"referrer-policy", b"no-referrer"),
    (b"cache-control", b"no-store"),
)


def is_page(path: str) -> bool:
    """Whether a path is one of a page."""
    return path in ADDRESSES or path.startswith("/catalog/")


class Pages:
    """One endpoint for all addresses."""

    def __init__(self, platform: Platform, log: RequestLog) -> None:
        self._platform, self._log = platform, log

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002
        try:
            status, content = self._page(scope)
        except Refusal as refusal:
            status = HTTPStatus(refusal.status)
            content = _told(self._platform, status.phrase, el("p", *refusal.errors))
        await _send(status, content, scope, send)

    def _page(self, scope: Scope) -> tuple[HTTPStatus, Html]:
        require_neighbour(scope)
        if scope["method"] not in ("GET", "HEAD"):
            raise Refusal(405, "Only GET is allowed here")
        platform, query = self._platform, query_of(scope)
        platform.turn(reading=False)
        follow = "follow" in query
        if scope["path"] == "/requests":
            return HTTPStatus.OK, requests(platform, self._log, follow=follow)
        id_ = scope["path_params"].get("id")
        if id_ is None:
            tag = query.get("tag", [None])[-1]
            return HTTPStatus.OK, catalog(platform, tag=tag, follow=follow)
        course = course_of(platform, id_, deleted=True)
        if course is None:
            words = el("p", "No course has this id. ", el("a", "To the catalog", href="/"))
            return HTTPStatus.NOT_FOUND, _told(platform, "Not found", words)
        return HTTPStatus.OK, course_page(platform, course, follow=follow)


def _told(platform: Platform, title: str, words: Html) -> Html:
    return page(platform, title, el("section", el("h1", title), words))


async def _send(status: int, content: Html, scope: Scope, send: Send) -> None:
    raw = content.encode("utf-8", "replace")
    headers = [*_HEADERS, (b"content-length", str(len(raw)).encode())]
    await send({"type": "http.response.start", "status": int(status), "headers": headers})
    body = b"" if scope["method"] == "HEAD" else raw
    await send({"type": "http.response.body", "body": body})
