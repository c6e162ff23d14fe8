"""A preview in the browser while the author types: on this machine only."""

import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from http import HTTPStatus

from ...support.serving import BoundedServer, ServedPage, page_server
from .site import INDEX, PreviewSite

PATIENCE = 20.0
"""Seconds that a browser waits for a change before it asks again."""
_PAUSE = 0.3


class Preview:
    """The newest pages. The server asks in many threads, but one alone reads the catalog."""

    def __init__(self, version: Callable[[], str], site: Callable[[str], PreviewSite]) -> None:
        """`version` changes whenever a page may; `site` makes the pages of a version."""
        self._version, self._make = version, site
        self._reader = ThreadPoolExecutor(max_workers=1)
        self._made: tuple[str, PreviewSite] | None = None

    def answer(self, name: str, query: Mapping[str, Sequence[str]]) -> ServedPage:
        """A page, or the version as soon as it is another one than the query has."""
        if name == "version":
            return ServedPage(self.wait_for_change(query.get("not", [""])[0]), "text/plain")
        return self._reader.submit(self._page, name or INDEX).result()

    def _page(self, name: str) -> ServedPage:
        """A page as the catalog is now."""
        version = self._version()
        if self._made is None or self._made[0] != version:
            self._made = version, self._make(version)
        site = self._made[1]
        text = site.page(name)
        if text is None:
            return ServedPage(site.missing(), status=HTTPStatus.NOT_FOUND)
        return ServedPage(text)

    def wait_for_change(self, known: str) -> str:
        """The version of the catalog, as soon as it is not `known`, or after a while."""
        end = time.monotonic() + PATIENCE
        while True:
            version = self._reader.submit(self._version).result()
            if version != known or time.monotonic() > end:
                return version
            time.sleep(_PAUSE)


def server(preview: Preview, port: int) -> BoundedServer:
    """A server of the pages on this machine; raises `OSError` if the port is taken."""
    return page_server(preview.answer, port)
