"""The page of requests: the newest that reached the platform's routes."""

from itertools import groupby, islice

from ..platform import Platform
from ..serving.request_log import Entry, RequestLog
from .templates import render_page

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
