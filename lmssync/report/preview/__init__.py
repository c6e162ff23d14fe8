"""preview: the catalog as learners will see it, before anything is sent.

Each page is made of what a create would send, so it shows what the platform would get. Where
something is recorded, the pages mark what differs from it. Nothing is asked of the platform.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property, partial
from http import HTTPStatus
from pathlib import Path
from sys import intern
from typing import Any, NamedTuple

import orjson

from ...errors import LmssyncError, WrongUse
from ...resource import Address
from ...support.disk_buffer import DiskBuffer, load_kept_json
from ...support.file_writing import write_below
from ...support.page_server import BoundedServer, ServedPage, page_server
from ...support.pages import Chip, build_course_context, make_page_environment
from .preview_courses import Courses as Courses, Documents as Documents, Tile

INDEX, MARKED = "index.html", "changes.html"
_NOTHING = "There is no course in the catalog yet: `lmssync new course KEY` starts one."
_TEMPLATES = make_page_environment(Path(__file__).parent)
_MARK = b"<!doctype html>\n<!-- made by `lmssync preview` -->\n"
"""How each file begins: what begins otherwise is somebody else's and stays."""
PATIENCE = 20.0
"""Seconds that a browser waits for a change before it asks again."""
_PAUSE = 0.3
_PIECES = 1_000
"""Pieces of a page that are written together."""


class KeptTile(NamedTuple):
    """A tile, which is on the disk where there are many, and what has to be known of it before."""

    packed: bytes | Callable[[], bytes]
    is_visible: bool
    is_marked: bool
    title: str
    labels: Sequence[str]

    @property
    def tile(self) -> Tile:
        return Tile(*load_kept_json(self.packed))


class TilePage(NamedTuple):
    """A page of tiles."""

    name: str
    tiles: Sequence[KeptTile]


class PreviewSite:
    """All pages by name; each is made when it is asked for."""

    def __init__(self, frame: Mapping[str, Any], courses: Courses) -> None:
        """`frame` is what the templates put on every page: `company`, `note`, `now`, `policy`."""
        self._frame, self._courses = frame, courses

    @cached_property
    def _overviews(self) -> Mapping[str, TilePage]:
        keep = partial(_keep_tile, DiskBuffer())
        tiles = sorted(map(keep, map(self._courses.tile, self._courses.files)), key=_rank)
        marked = [tile for tile in tiles if tile.is_marked]
        changes = {MARKED: TilePage(f"Changes ({len(marked):,})", marked)} if marked else {}
        labels = sorted({label for tile in tiles for label in tile.labels}, key=str.casefold)
        of_tags = {
            f"tag-{number}.html": TilePage(label, [tile for tile in tiles if label in tile.labels])
            for number, label in enumerate(labels, 1)
        }
        return {INDEX: TilePage("All", tiles), **changes, **of_tags}

    @property
    def pages(self) -> Iterator[str]:
        """The names of all pages."""
        yield from self._overviews
        yield from self._courses.pages

    def page(self, name: str) -> str | None:
        """A page as HTML; None if there is none of that name."""
        pieces = self.stream_page(name)
        return None if pieces is None else "".join(pieces)

    def stream_page(self, name: str) -> Iterator[str] | None:
        """A page as HTML in pieces: the overview of a large catalog would fill the memory."""
        if name in self._overviews:
            return self._overview(name)
        address = self._courses.pages.get(name)
        return self._course(address) if address else None

    def missing(self) -> str:
        """What stands in place of a page that is not there; in a served preview it may come back.

        Some editors empty a file before they write it.
        """
        message = "There is no such page in this preview now."
        return "".join(
            self._render("frame.html", title="Not found", message=message, way_back=True)
        )

    def _overview(self, name: str) -> Iterator[str]:
        tiles = self._overviews[name].tiles
        return self._render(
            "catalog.html",
            title=self._frame["company"],
            filters=[Chip(o.name, page, page == name) for page, o in self._overviews.items()],
            tiles=(kept.tile for kept in tiles),
            count=len(tiles),
            visible=sum(tile.is_visible for tile in tiles),
            nothing=_NOTHING,
        )

    def _course(self, address: Address) -> Iterator[str]:
        now, was = self._courses.both(address)
        page = now or was
        assert page is not None
        compared = build_course_context(page, was if now else None)
        title, sessions = str(page.course["title"]), self._courses.sessions(address)
        return self._render("course.html", title=title, left=not now, sessions=sessions, **compared)

    def _render(self, template: str, **shown: Any) -> Iterator[str]:
        pieces = _TEMPLATES.get_template(template).stream(home=INDEX, **self._frame, **shown)
        pieces.enable_buffering(_PIECES)
        return pieces


def _keep_tile(spill: DiskBuffer, tile: Tile) -> KeptTile:
    title, packed = str(tile.group["title"]), spill.keep_bytes(orjson.dumps(tuple(tile)))
    # All tiles share the few labels of a catalog.
    labels = tuple(map(intern, tile.tags))
    return KeptTile(packed, tile.is_visible, bool(tile.group["mark"]), title, labels)


def _rank(tile: KeptTile) -> tuple[bool, str]:
    """What learners see comes first."""
    return not tile.is_visible, tile.title.casefold()


def write_preview_site(site: PreviewSite, folder: Path) -> int:
    """Writes all pages, and removes those of an earlier preview; returns how many there are.

    Raises `WrongUse` for a folder that holds anything else, `LmssyncError` with the system's words.
    """
    try:
        old = _pages_of_before(folder)
        pages = list(site.pages)
        for name in pages:
            write_below(folder, name, _encode_page(site.stream_page(name) or ()))
        for name in old - set(pages):
            (folder / name).unlink()
    except OSError as error:
        where = error.filename or folder
        raise LmssyncError(f"{where} cannot be written: {error.strerror}") from error
    return len(pages)


def _encode_page(pieces: Iterable[str]) -> Iterator[bytes]:
    yield _MARK
    for number, piece in enumerate(pieces):
        text = piece if number else piece.removeprefix("<!doctype html>\n")
        yield text.encode("utf-8", "replace")


def _pages_of_before(folder: Path) -> set[str]:
    if not folder.exists():
        return set()
    names = {file.name for file in folder.iterdir()}
    for name in names:
        if not _is_page(folder / name):
            raise WrongUse(
                f"{folder} contains {name}, which is not a page of a preview",
                "name a folder of its own with --out DIR",
            )
    return names


def _is_page(file: Path) -> bool:
    if file.is_symlink() or not file.is_file():
        return False
    with file.open("rb") as opened:
        return opened.read(len(_MARK)) == _MARK


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


def make_preview_server(preview: Preview, port: int) -> BoundedServer:
    """A server of the pages on this machine; raises `OSError` if the port is taken."""
    return page_server(preview.answer, port)
