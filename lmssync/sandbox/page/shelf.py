"""What the pages show, gathered from the platform: tiles, and what a course refers to."""

from typing import Any, NamedTuple

from lmssync.vocabulary.enums import SessionStatus

from ..handlers.content_item import ITEM_KINDS
from ..handlers.groups import sessions_of, shown_session
from ..platform import Platform
from .markup import Html, el

Doc = dict[str, Any]
SEEN = (SessionStatus.PUBLISHED, SessionStatus.LOGIN_RESTRICTION)
"""Statuses in which learners see a session."""


class Tile(NamedTuple):
    """One course group, and the session that its tile leads to."""

    group: Doc
    session: Doc
    sessions: int
    tags: list[str]

    @property
    def is_seen(self) -> bool:
        return self.session["status"] in SEEN


def tiles(platform: Platform) -> list[Tile]:
    """What learners see first, by `publishDate` and age; then what they do not see yet."""
    labels = tag_labels(platform)
    found = []
    for group in platform.courses.groups():
        sessions = [] if group.get("deleted") else sessions_of(platform, group)
        session = shown_session(sessions)
        if session is not None:
            found.append(Tile(group, session, len(sessions), tags_of(group, labels)))
    found.sort(key=_newest, reverse=True)
    return sorted(found, key=lambda tile: not tile.is_seen)


def _newest(tile: Tile) -> tuple[str, str]:
    group = tile.group
    return group.get("publishDate") or group["createdAt"], group["id"]


def tag_labels(platform: Platform) -> dict[str, str]:
    return {tag["id"]: tag["label"] for tag in platform.objects.all("tags")}


def tags_of(group: Doc, labels: dict[str, str]) -> list[str]:
    return [labels[id_] for id_ in group.get("tagIds") or () if id_ in labels]


def link_to(platform: Platform, id_: str) -> Html | None:
    """The title of a course or group, which has a page, or of another item, which has none."""
    course = platform.courses.by_id(id_) or platform.courses.group_by_id(id_)
    if course:
        return el("a", course["title"], href=f"/catalog/{id_}")
    items = (platform.objects.get(kind, id_) for kind in ITEM_KINDS)
    return next((el("span", item["title"]) for item in items if item), None)
