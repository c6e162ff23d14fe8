"""Where links and pictures lead, and whether that can be reached from the platform."""

import re
from collections.abc import Iterable, Iterator
from html import unescape
from typing import NamedTuple

from ..problems import Finding, Severity
from .elements import CUT
from .local_files import REMEDY, is_local

_RUNS = frozenset({"javascript", "vbscript", "data"})
_SCHEME = re.compile(r"([a-zA-Z][a-zA-Z0-9+.-]*):")
_INVISIBLE = re.compile(r"[\x00-\x20]+")
_HOST = re.compile(r"www\.[\w-]+\.|[\w-]+(\.[\w-]+)*\.(com|org|net|edu|gov|io|info)(/|$)")
_MAIL = re.compile(r"[^\s@/]+@[^\s@/]+\.[^\s@/]+")


class Link(NamedTuple):
    """Where something leads, and where it stands in its text."""

    target: str
    at: int
    loads: bool = False
    """What is there is shown in the page, not gone to."""
    picture: bool = False


def plain(target: str) -> str:
    """`target` as a browser takes it."""
    if target.isascii() and target.isprintable() and " " not in target and "&" not in target:
        return target
    return _INVISIBLE.sub("", unescape(target))


def of_links(links: Iterable[Link]) -> Iterator[Finding]:
    """What is wrong with links; the path of each finding is the position in the text."""
    for link in links:
        if link.target.startswith("https:"):
            continue
        bare = plain(link.target)
        found = _SCHEME.match(bare)
        kind = found[1].lower() if found else ""
        if kind == "https" or (kind == "http" and not link.loads):
            continue
        if not bare.strip("#"):
            yield from _empty(link)
        elif kind in _RUNS or kind == "http":
            yield from _unsafe(link, kind)
        elif _is_relative(bare, kind):
            said = "is relative, but on the platform there are no files next to the page"
            if kind:
                said = "is on your own machine, where no learner can reach it"
            text = f"`{_shown(link.target)}` {said}"
            yield Finding("relative-link", (link.at,), text, _remedy(bare), Severity.WARNING)


def _empty(link: Link) -> Iterator[Finding]:
    if not link.loads:
        hint = "write its address, or delete the link"
        yield Finding("empty-link", (link.at,), "a link leads nowhere", hint, Severity.WARNING)


def _unsafe(link: Link, kind: str) -> Iterator[Finding]:
    if kind == "http":
        said = f"`{_shown(link.target)}` is loaded without https"
        hint = "use https: on a secure page, browsers load nothing else"
        yield Finding("html-insecure", (link.at,), said, hint, Severity.WARNING)
    elif kind != "data" or not link.picture:
        said = f"a link runs code (`{kind}:`)"
        hint = "link to a page by its address"
        yield Finding("html-link-runs", (link.at,), said, hint, Severity.WARNING)


def _shown(target: str) -> str:
    return target if len(target) <= CUT else f"{target[:CUT]}..."


def _is_relative(bare: str, kind: str) -> bool:
    """True for what a browser would look for beside the page, or on the learner's own machine.

    What begins with `/` is a page of the platform itself.
    """
    if bare[0] in "/#?" or "{{" in bare:
        return False
    return not kind or kind == "file" or len(kind) == 1


def _remedy(bare: str) -> str:
    """How to write what was probably meant."""
    if _MAIL.fullmatch(bare):
        return f"write mailto:{bare}"
    if _HOST.match(bare):
        return f"write https://{bare}"
    return (
        REMEDY if is_local(bare) else "write a full address (https://...) that learners can reach"
    )
