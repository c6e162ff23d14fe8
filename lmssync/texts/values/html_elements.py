"""The elements and tags of HTML as a browser finds them, and where links and pictures lead."""

import re
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple

from ...problems import Finding, warning_rule
from ...vocabulary.markup import read_references

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


_BARE = re.compile(r"<(/?)([A-Za-z][A-Za-z0-9]*)>")
"""Most tags: without attributes."""
_NAME = re.compile(r"</?([A-Za-z][^\s/>]*)")
_ATTRIBUTE = re.compile(
    r"""[\s/]*([^\s/>=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>][^\s>]*)))?"""
)
_END = re.compile(r"[\s/]*>")
RAW = {
    name: re.compile(rf"</{name}[\s/>]", re.IGNORECASE)
    for name in ("script", "style", "textarea", "title", "iframe", "noscript")
}
"""Elements whose content is text up to their own end tag."""
_NO_ATTRIBUTES: Mapping[str, str | None] = MappingProxyType({})


class Tag(NamedTuple):
    """One tag, and the position of its `<`."""

    name: str
    at: int
    closes: bool = False
    itself: bool = False
    """Written `<br/>`."""
    attributes: Mapping[str, str | None] = _NO_ATTRIBUTES
    """By name in small letters; nothing for one without a value."""
    whole: bool = True
    """False where the text ends inside the tag, the comment or the element: nothing follows."""


def find_tags(text: str) -> Iterator[Tag]:
    """The tags in their order; comments and the content of scripts are not tags."""
    at = text.find("<")
    while at >= 0:
        tag, after = _next_tag(text, at)
        if tag:
            yield tag
            if not tag.whole:
                return
            if tag.name in RAW and not tag.closes:
                # What looks like a tag in a script is text, up to the end tag of the script.
                end = RAW[tag.name].search(text, after)
                after = end.start() if end else len(text)
        at = text.find("<", after)


def _next_tag(text: str, at: int) -> tuple[Tag | None, int]:
    """The tag at a `<`, if there is one, and where to go on."""
    bare = _BARE.match(text, at)
    if bare:
        return Tag(bare[2].lower(), at, bare[1] == "/"), bare.end()
    if text.startswith("<!--", at):
        end = text.find("-->", at + 4)
        return (None, end) if end >= 0 else (Tag("!--", at, whole=False), at)
    opened = _NAME.match(text, at)
    return _parse_tag(text, opened) if opened else (None, at + 1)


def _parse_tag(text: str, opened: re.Match[str]) -> tuple[Tag, int]:
    name, at, after = opened[1].lower(), opened.start(), opened.end()
    attributes: dict[str, str | None] = {}
    while not (end := _END.match(text, after)):
        one = _ATTRIBUTE.match(text, after)
        if not one:
            return Tag(name, at, text[at + 1] == "/", whole=False), len(text)
        value = next((v for v in one.group(2, 3, 4) if v is not None), None)
        # The first attribute of a name counts, as in a browser.
        attributes.setdefault(one[1].lower(), value)
        after = one.end()
    return Tag(name, at, text[at + 1] == "/", "/" in end[0], attributes), end.end()


_VOID = """
    area base br col command embed frame hr img input keygen link meta param source track wbr
"""
_OPTIONAL_END = """
    body caption colgroup dd dt head html li optgroup option p rb rp rt rtc tbody td tfoot th thead
    tr
"""
_OTHER = """
    a abbr acronym address applet article aside audio b bdi bdo big blink blockquote button canvas
    center cite code data datalist del details dfn dialog dir div dl em fieldset figcaption figure
    font footer form frameset h1 h2 h3 h4 h5 h6 header hgroup i iframe ins kbd label legend main map
    mark marquee math menu meter nav nobr noembed noframes noscript object ol output picture pre
    progress q ruby s samp script search section select slot small span strike strong style sub
    summary sup svg table template textarea time title tt u ul var video xmp
"""

VOID = frozenset(_VOID.split())
OPTIONAL_END = frozenset(_OPTIONAL_END.split())
"""A browser ends them where the next begins, so nothing is wrong with leaving it out."""
KNOWN = VOID | OPTIONAL_END | frozenset(_OTHER.split())
CUT = 40
"""How many characters of a name or an address are shown."""
FOREIGN = frozenset({"svg", "math"})
"""The elements whose children have names of other languages."""


def is_element(name: str) -> bool:
    """True for an element of HTML, and for one of the author's own, which has a hyphen."""
    return name in KNOWN or "-" in name


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
    """The target of a link, and its position in the text."""

    target: str
    at: int
    loads: bool = False
    """True if its target is shown in the page, not gone to."""
    picture: bool = False


def plain_target(target: str) -> str:
    """The `target` of a link as a browser takes it."""
    if target.isascii() and target.isprintable() and " " not in target and "&" not in target:
        return target
    return _INVISIBLE.sub("", read_references(target))


def of_links(links: Iterable[Link]) -> Iterator[Finding]:
    """The mistakes in links; the path of each finding is the position in the text."""
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
