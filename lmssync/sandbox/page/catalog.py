"""The first page: every course group as a tile."""

from urllib.parse import quote

from ..platform import Platform
from . import wording
from .markup import Html, el, joined
from .parts import art, chips, page, ribbon, status_badge
from .shelf import Tile, tiles


def catalog(platform: Platform, *, tag: str | None, follow: bool) -> Html:
    """All tiles, or those with a tag (its label)."""
    every = tiles(platform)
    shown = [tile for tile in every if tag is None or tag in tile.tags]
    seen = sum(tile.is_seen for tile in shown)
    told = f"{seen} for learners, {len(shown) - seen} not published"
    content = el(
        "section",
        el("h1", "Catalog ", el("small", told)),
        _filters(every, tag),
        el("div", *(_tile(tile) for tile in shown), class_="tiles") if shown else _empty(),
    )
    return page(platform, platform.company_name, content, here="/", follow=follow)


def _filters(every: list[Tile], chosen: str | None) -> Html | None:
    labels = sorted({label for tile in every for label in tile.tags})
    if not labels:
        return None
    links = [el("a", "All", href="/", class_=_chip(chosen is None))]
    links += [el("a", label, href=_query(label), class_=_chip(label == chosen)) for label in labels]
    return el("nav", *links, aria_label="Tags")


def _chip(is_chosen: bool) -> str:  # noqa: FBT001 - one of two classes
    return "chip chosen" if is_chosen else "chip"


def _query(label: str) -> str:
    return f"/?tag={quote(label)}"


def _empty() -> Html:
    return el(
        "p",
        "Nothing here yet. ",
        el("code", "lmssync apply"),
        " adds a catalog, which this page shows as learners would see it.",
        class_="empty",
    )


def _tile(tile: Tile) -> Html:
    group, session = tile.group, tile.session
    title = el("h2", group["title"])
    facts = [
        wording.price(session.get("priceInCents"), free=bool(session.get("freeWithRegistration")))
    ]
    if tile.sessions > 1:
        facts.append(f"{tile.sessions} sessions")
    if session.get("enrollmentLimit"):
        facts.append(f"{session['enrollmentLimit']} seats")
    return el(
        "a",
        art(group["title"], group.get("contentType"), ribbon(group.get("ribbon"))),
        el(
            "div",
            title,
            el("p", group.get("description") or "", class_="about"),
            chips(tile.tags),
            el("p", _by(tile), class_="quiet small"),
            class_="words",
        ),
        el(
            "div",
            el("b", " · ".join(facts)),
            None if session["status"] == "published" else status_badge(session["status"]),
            class_="foot",
        ),
        href=f"/catalog/{session['id']}",
        class_="tile" if tile.is_seen else "tile unseen",
    )


def _by(tile: Tile) -> Html:
    """Authors and source, as the tile names them."""
    names = [*(tile.group.get("authors") or ()), *filter(None, [tile.group.get("source")])]
    return joined([" · ".join(names)])
