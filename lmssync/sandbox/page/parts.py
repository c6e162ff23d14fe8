"""Parts that all pages have: the frame, badges, chips, the place of a picture."""

from pathlib import Path

from lmssync.vocabulary.enums import SessionStatus

from ..platform import Platform
from . import wording
from .markup import Html, document, el

STYLE = (Path(__file__).parent / "style.css").read_text("utf-8")
FOLLOW_SECONDS = 3
PAGES = {"/": "Catalog", "/requests": "Requests"}
"""What the header leads to."""


def page(
    platform: Platform, title: str, *content: Html, here: str = "", follow: bool = False
) -> Html:
    """The frame: the company and the ways to the pages on top, the content below.

    `here` is the address of the page where the header leads to it.
    """
    company = platform.company_name
    body = el("body", _header(platform, company, here=here, follow=follow), el("main", *content))
    whole = f"{title} · {company}" if title != company else company
    refresh = FOLLOW_SECONDS if follow else None
    return document(whole, body, style=STYLE, refresh=refresh)


def _header(platform: Platform, company: str, *, here: str, follow: bool) -> Html:
    links = [
        el("a", name, href=address, aria_current="page" if address == here else None)
        for address, name in PAGES.items()
    ]
    now = wording.day(platform.clock.stamp())
    return el(
        "header",
        el("a", company, href="/", class_="company"),
        el("nav", *links, _follow(follow), aria_label="Pages"),
        el("p", f"Sandbox · profile {platform.profile} · {now}", class_="quiet small"),
        class_="top",
    )


def _follow(follow: bool) -> Html:  # noqa: FBT001 - the state of one link
    if follow:
        return el("a", "Stop following", href="?")
    return el("a", "Follow", href="?follow=1", title="Load this page every three seconds")


def status_badge(status: str) -> Html:
    return el("span", wording.STATUSES[SessionStatus(status)], class_=f"badge {status}")


def ribbon(slug: str | None) -> Html | None:
    return el("span", slug.replace("-", " "), class_="ribbon") if slug else None


def chips(words: list[str]) -> Html | None:
    return el("p", *(el("span", word, class_="chip") for word in words)) if words else None


def art(title: str, label: str | None, *inside: Html | None) -> Html:
    """The place of a picture: nothing is fetched, so it is drawn from the title."""
    style = f"--hue:{wording.hue(title)}"
    named = el("span", label, class_="label") if label else None
    return el("div", named, *inside, class_="art", style=style)
