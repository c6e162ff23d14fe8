"""The first page: every course group as a tile."""

from typing import NamedTuple
from urllib.parse import quote

from lmssync.support.pages import VISIBLE, Chip

from ..documents import Doc
from ..handlers.groups import sessions_of, shown_session
from ..platform import Platform
from .templates import HOME, render_page

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
            tiles.append(Tile(group, session, len(sessions), tags_of(group, labels)))
    return tiles


def tag_labels(platform: Platform) -> dict[str, str]:
    return {tag["id"]: tag["label"] for tag in platform.objects.list_objects("tags")}


def tags_of(group: Doc, labels: dict[str, str]) -> list[str]:
    return [labels[id_] for id_ in group.get("tagIds") or () if id_ in labels]
