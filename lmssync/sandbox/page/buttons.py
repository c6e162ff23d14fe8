"""The buttons of a session: the primary one, and the alternate purchase paths (spec 2.6)."""

from typing import Any
from urllib.parse import urlsplit

from lmssync.vocabulary.enums import TargetType
from lmssync.vocabulary.rules import sanitize_label

from ..checks import is_url
from ..handlers.purchase_paths import path_order
from ..platform import Platform
from . import wording
from .markup import Html, el
from .shelf import link_to

Doc = dict[str, Any]


def buttons(platform: Platform, course: Doc) -> Html:
    """The primary button, unless a path hides it; then the paths in their order."""
    paths = sorted(platform.objects.owned("purchasePaths", course["id"]), key=path_order)
    hidden = any(path["hidePrimaryCta"] for path in paths)
    cost = wording.price(course.get("priceInCents"), free=bool(course.get("freeWithRegistration")))
    shown = [] if hidden else [el("span", _primary(course, cost), class_="button primary")]
    shown += [_alternate(platform, path) for path in paths]
    return el("div", el("p", cost, class_="price"), *shown, class_="buttons")


def _primary(course: Doc, cost: str) -> str:
    if course.get("priceInCents"):
        return f"Buy for {cost}" if course.get("purchasable") else "Ask for a license"
    return "Register for free" if course.get("freeWithRegistration") else "Enroll"


def _alternate(platform: Platform, path: Doc) -> Html:
    """The label as it is kept; a seed may hold one that no route has cleaned."""
    label = Html(sanitize_label(path["label"]))
    return el("div", el("div", label, class_="button"), el("small", _target(platform, path)))


def _target(platform: Platform, path: Doc) -> Html:
    if path["targetType"] == TargetType.EXTERNAL_URL:
        return _elsewhere(path["targetUrl"] or "", path["targetUrlTitle"])
    item = link_to(platform, path["targetId"] or "")
    return el("span", "leads to ", item or "something that is gone")


def _elsewhere(url: str, title: str | None) -> Html:
    """A link, unless a seed holds an address that no route would take (`javascript:`)."""
    if not is_url(url):
        return el("span", f"leads to {title or url}, which is not a web address")
    host = urlsplit(url).hostname or ""
    link = el("a", title or host, href=url, rel="noopener noreferrer", target="_blank")
    return el("span", "leads to ", link, f" ({host})")
