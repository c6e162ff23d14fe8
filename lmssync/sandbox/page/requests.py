"""The page of requests: the newest that reached the platform's routes."""

from itertools import groupby, islice

from ..platform import Platform
from ..serving.request_log import Entry, RequestLog
from .markup import Html, el
from .parts import page

LINES = 100
_GOOD, _MOVED, _BAD, _BROKEN = 200, 300, 400, 500


def requests(platform: Platform, log: RequestLog, *, follow: bool) -> Html:
    """Newest first, like ones in one line. Queries and bodies are left out: they may hold keys."""
    alike = groupby(reversed(list(log)), key=_outcome)
    lines = [
        _line(next(entries), 1 + sum(1 for _ in entries)) for _, entries in islice(alike, LINES)
    ]
    newest = el("ol", *lines, class_="requests") if lines else el("p", "None yet.", class_="quiet")
    content = el("section", el("h1", "Requests ", el("small", "newest first")), newest)
    return page(platform, "Requests", content, here="/requests", follow=follow)


def _outcome(entry: Entry) -> tuple[object, ...]:
    return entry.method, entry.route or entry.path, entry.status, entry.fault


def _line(entry: Entry, count: int) -> Html:
    """The newest of some requests that were alike; a route is told by its name."""
    status = str(entry.status) if entry.status is not None else "none"
    times = el("b", Html(f" &times;{count}")) if count > 1 else None
    return el(
        "li",
        el("span", entry.at[11:19], class_="time"),
        el("span", status, class_=f"status {_grade(entry.status)}"),
        el("span", entry.method, class_="method"),
        el("span", entry.route or entry.path, times, class_="path", title=entry.path),
        el("span", f"fault: {entry.fault}", class_="fault") if entry.fault else None,
    )


def _grade(status: int | None) -> str:
    if status is None or status >= _BROKEN:
        return "broken"
    if status >= _BAD:
        return "bad"
    return "good" if _GOOD <= status < _MOVED else "moved"
