"""Parts that both pages have: the frame, badges, the list of requests."""

from itertools import groupby, islice
from pathlib import Path

from lmssync.vocabulary.enums import SessionStatus

from ..serving.request_log import Entry
from ..world import World
from . import wording
from .markup import Html, document, el

STYLE = (Path(__file__).parent / "style.css").read_text("utf-8")
LINES = 40
FOLLOW_SECONDS = 3
_GOOD, _MOVED, _BAD, _BROKEN = 200, 300, 400, 500


def page(world: World, title: str, *content: Html, follow: bool = False) -> Html:
    """The frame: the company on top, the content, the requests beside it."""
    company = world.store.setting("company")
    header = el(
        "header",
        el("a", company, href="/", class_="company"),
        el("span", "Sandbox", class_="chip"),
        el("span", f"profile {world.profile}", class_="quiet"),
        el("span", wording.day(world.clock.stamp()), class_="quiet right"),
        class_="top",
    )
    body = el(
        "body", header, el("div", el("main", *content), requests(world, follow), class_="columns")
    )
    whole = f"{title} · {company}" if title != company else company
    refresh = FOLLOW_SECONDS if follow else None
    return document(whole, body, style=STYLE, refresh=refresh)


def requests(world: World, follow: bool) -> Html:  # noqa: FBT001 - the state of one link
    """The newest requests of the platform's routes, newest first, like ones in one line.

    Queries and bodies are left out: they may hold keys.
    """
    alike = groupby(reversed(list(world.log)), key=_outcome)
    lines = [
        _line(next(entries), 1 + sum(1 for _ in entries)) for _, entries in islice(alike, LINES)
    ]
    link = (
        el("a", "stop following", href="?")
        if follow
        else el("a", "follow", href="?follow=1", title="Load this page every three seconds")
    )
    newest = el("ol", *lines) if lines else el("p", "None yet.", class_="quiet")
    return el("aside", el("h2", "Requests ", el("small", link)), newest)


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


def status_badge(status: str) -> Html:
    return el("span", wording.STATUSES[SessionStatus(status)], class_=f"badge {status}")


def ribbon(slug: str | None) -> Html | None:
    return el("span", slug.replace("-", " "), class_="ribbon") if slug else None


def chips(words: list[str]) -> Html | None:
    return el("p", *(el("span", word, class_="chip") for word in words)) if words else None


def art(title: str, label: str | None, *inside: Html | None) -> Html:
    """The place of a picture: nothing is fetched, so it is drawn from the title."""
    style = f"--hue:{wording.hue(title)}"
    return el("div", el("span", label or "", class_="label"), *inside, class_="art", style=style)
