"""The pages of a catalog: overviews of all courses, of changes and of tags; one for each course."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from ...resource import Address
from ...support.pages import Chip, context, environment
from .courses import Courses, Tile

INDEX, MARKED = "index.html", "changes.html"
_NOTHING = "There is no course in the catalog yet: `lmssync new course KEY` starts one."
_TEMPLATES = environment(Path(__file__).parent)


class TilePage(NamedTuple):
    """A page of tiles."""

    name: str
    tiles: Sequence[Tile]


class PreviewSite:
    """All pages by name; each is made when it is asked for."""

    def __init__(self, frame: Mapping[str, Any], courses: Courses) -> None:
        """`frame` is what the templates put on every page: `company`, `note`, `now`, `policy`."""
        self._frame, self._courses = frame, courses

    @cached_property
    def _overviews(self) -> Mapping[str, TilePage]:
        tiles = sorted(map(self._courses.tile, self._courses.files), key=_rank)
        marked = [tile for tile in tiles if tile.group["mark"]]
        changes = {MARKED: TilePage(f"Changes ({len(marked):,})", marked)} if marked else {}
        labels = sorted({label for tile in tiles for label in tile.tags}, key=str.casefold)
        of_tags = {
            f"tag-{number}.html": TilePage(label, [tile for tile in tiles if label in tile.tags])
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
        if name in self._overviews:
            return self._overview(name)
        address = self._courses.pages.get(name)
        return self._course(address) if address else None

    def missing(self) -> str:
        """What stands in place of a page that is not there; in a served preview it may come back.

        Some editors empty a file before they write it.
        """
        message = "There is no such page in this preview now."
        return self._render("frame.html", title="Not found", message=message, way_back=True)

    def _overview(self, name: str) -> str:
        tiles = self._overviews[name].tiles
        return self._render(
            "catalog.html",
            title=self._frame["company"],
            filters=[Chip(o.name, page, page == name) for page, o in self._overviews.items()],
            tiles=tiles,
            visible=sum(tile.is_visible for tile in tiles),
            nothing=_NOTHING,
        )

    def _course(self, address: Address) -> str:
        now, was = self._courses.both(address)
        page = now or was
        assert page is not None
        compared = context(page, was if now else None)
        title, sessions = str(page.course["title"]), self._courses.sessions(address)
        return self._render("course.html", title=title, left=not now, sessions=sessions, **compared)

    def _render(self, template: str, **shown: Any) -> str:
        return _TEMPLATES.get_template(template).render(home=INDEX, **self._frame, **shown)


def _rank(tile: Tile) -> tuple[bool, str]:
    """What learners see comes first."""
    return not tile.is_visible, str(tile.group["title"]).casefold()
