"""Where links and pictures lead, and whether that can be reached from the platform."""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ...problems import Finding, warning_rule
from ...vocabulary.markup import read_references
from .elements import CUT

EMPTY_LINK = warning_rule(
    "empty-link",
    "A link leads nowhere, or has no text to click on.",
    "Add what is missing.",
    within="a topic",
    wrong='body: <a href="">Hi.</a>',
    right='body: <a href="https://example.com">Hi.</a>',
)
HTML_LINK_RUNS = warning_rule(
    "html-link-runs",
    "A link runs code (`javascript:`, `data:`).",
    "Link to a page by its address.",
    within="a topic",
    wrong='body: <a href="javascript:x()">Hi.</a>',
    right='body: <a href="https://example.com">Hi.</a>',
)
HTML_INSECURE = warning_rule(
    "html-insecure",
    "A picture, frame or script is loaded without https, which browsers block.",
    "Use https.",
    within="a topic",
    wrong='body: <img alt="A guard" src="http://media.example.com/a.png">',
    right='body: <img alt="A guard" src="https://media.example.com/a.png">',
)
RELATIVE_LINK = warning_rule(
    "relative-link",
    "A link or picture has a relative address, but on the platform there are no files next to "
    "the page.",
    "Write a full address that learners can reach. No route takes a file: upload it in the "
    "admin interface, or put it on a web server.",
    within="a topic",
    wrong='body: <a href="other.md">Hi.</a>',
    right='body: <a href="https://example.com">Hi.</a>',
)

_RUNS = frozenset({"javascript", "vbscript", "data"})
_SCHEME = re.compile(r"([a-zA-Z][a-zA-Z0-9+.-]*):")
_INVISIBLE = re.compile(r"[\x00-\x20]+")
_HOST = re.compile(r"www\.[\w-]+\.|[\w-]+(\.[\w-]+)*\.(com|org|net|edu|gov|io|info)(/|$)")
_MAIL = re.compile(r"[^\s@/]+@[^\s@/]+\.[^\s@/]+")

_FILE = re.compile(
    r"""(?xi)
    (?: file: | [a-z]:[\\/] | (?! // | [a-z][a-z0-9+.-]*: ) )   # a scheme only where it is a file's
    [^?#]* \.
    (?: png | jpe?g | gif | svg | webp | bmp | mp4 | mov | webm | mp3 | wav | pdf | zip
      | docx? | xlsx? | pptx? | odt | csv )
    """
)

REMEDY = (
    "no route takes files: upload it in the admin interface, or put it on a web server, and write "
    "its https address here"
)


def is_local(address: str) -> bool:
    """True for the name of a file, with or without its folder: `images/desk.png`.

    No call can bring one along: the platform fetches what it is given the address of, and the
    learner's browser what stands in a page (spec 2.2, 4).
    """
    return bool(_FILE.fullmatch(address))


class Link(NamedTuple):
    """Where something leads, and where it stands in its text."""

    target: str
    at: int
    loads: bool = False
    """True if its target is shown in the page, not gone to."""
    picture: bool = False


def plain_target(target: str) -> str:
    """`target` as a browser takes it."""
    if target.isascii() and target.isprintable() and " " not in target and "&" not in target:
        return target
    return _INVISIBLE.sub("", read_references(target))


def of_links(links: Iterable[Link]) -> Iterator[Finding]:
    """What is wrong with links; the path of each finding is the position in the text."""
    for link in links:
        if link.target.startswith("https:"):
            continue
        bare = plain_target(link.target)
        scheme = _SCHEME.match(bare)
        kind = scheme[1].lower() if scheme else ""
        if kind == "https" or (kind == "http" and not link.loads):
            continue
        if not bare.strip("#"):
            if not link.loads:
                hint = "write its address, or delete the link"
                yield EMPTY_LINK.at((link.at,), "a link leads nowhere", hint)
        elif kind in _RUNS or kind == "http":
            yield from _find_unsafe(link, kind)
        elif _is_relative(bare, kind):
            wrong = "is relative, but on the platform there are no files next to the page"
            if kind:
                wrong = "is on your own machine, where no learner can reach it"
            message = f"`{_show_target(link.target)}` {wrong}"
            yield RELATIVE_LINK.at((link.at,), message, _link_remedy(bare))


def _find_unsafe(link: Link, kind: str) -> Iterator[Finding]:
    if kind == "http":
        message = f"`{_show_target(link.target)}` is loaded without https"
        hint = "use https: on a secure page, browsers load nothing else"
        yield HTML_INSECURE.at((link.at,), message, hint)
    elif kind != "data" or not link.picture:
        yield HTML_LINK_RUNS.at((link.at,), f"a link runs code (`{kind}:`)")


def _show_target(target: str) -> str:
    return target if len(target) <= CUT else f"{target[:CUT]}..."


def _is_relative(bare: str, kind: str) -> bool:
    """True for what a browser would look for next to the page, or on the learner's own machine.

    An address that begins with `/` is a page of the platform itself.
    """
    if bare[0] in "/#?" or "{{" in bare:
        return False
    return not kind or kind == "file" or len(kind) == 1


def _link_remedy(bare: str) -> str:
    """How to write what was probably meant."""
    if _MAIL.fullmatch(bare):
        return f"write mailto:{bare}"
    if _HOST.match(bare):
        return f"write https://{bare}"
    return (
        REMEDY if is_local(bare) else "write a full address (https://...) that learners can reach"
    )
