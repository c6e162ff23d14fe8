"""Checks the markup of bodies: what browsers run, block or drop, and links that lead nowhere.

The platform takes any HTML, so all of these are warnings. Each rule speaks once a text, of the
first place where it is broken, and says how many more there are.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain, pairwise

from ...problems import Finding, Rule, warning_rule
from ...resource import Path
from ...vocabulary.markup import ATTRIBUTES_MOST, DEPTH_MOST, measure_markup
from .dialect_marks import find_dialect_marks
from .html_elements import (
    CUT,
    EMPTY_LINK,
    FOREIGN,
    KNOWN,
    OPTIONAL_END,
    VOID,
    Link,
    Tag,
    find_tags,
    is_element,
    of_links,
)
from .markdown_text import has_front_matter, parse_markdown, render_markdown
from .text_characters import place_in_body

HTML_UNBALANCED = warning_rule(
    "html-unbalanced",
    "An element is never closed, or is closed without being opened.",
    "Add the missing tag, or delete the other one.",
    within="a topic",
    wrong="body: <div>Hi.",
    right="body: <div>Hi.</div>",
)
FRONT_MATTER = warning_rule(
    "front-matter",
    "A Markdown text begins with front matter, which learners would read.",
    "Delete it: titles and settings belong in the manifest.",
    within="a topic",
    wrong='markdown: "---\\ntitle: A\\n---\\nHi."',
    right="markdown: Hi.",
)
HTML_SCRIPT = warning_rule(
    "html-script",
    "A body contains a `<script>`.",
    "Delete it; for a third party's widget, use a topic of type embed.",
    within="a topic",
    wrong="body: <script>alert(1)</script>",
    right="body: <p>Hi.</p>",
)
HTML_HANDLER = warning_rule(
    "html-handler",
    "An attribute such as `onclick` runs a script.",
    "Delete it.",
    within="a topic",
    wrong='body: <p onclick="x()">Hi.</p>',
    right="body: <p>Hi.</p>",
)
HTML_PLUGIN = warning_rule(
    "html-plugin",
    "An `<object>`, `<embed>` or `<applet>` needs a plugin.",
    "Link to the file, or use a topic type that shows it.",
    within="a topic",
    wrong='body: <embed src="https://media.example.com/a.swf">',
    right="body: <p>Hi.</p>",
)
HTML_FRAME_TITLE = warning_rule(
    "html-frame-title",
    "An `<iframe>` has no `title`, so a screen reader cannot announce it.",
    "Add one.",
    within="a topic",
    wrong='body: <iframe src="https://example.com"></iframe>',
    right='body: <iframe title="A map" src="https://example.com"></iframe>',
)
HTML_IMAGE_ALT = warning_rule(
    "html-image-alt",
    "An `<img>` has no `alt`.",
    'Describe the picture, or write `alt=""` if it is only decoration.',
    within="a topic",
    wrong='body: <img src="https://media.example.com/a.png">',
    right='body: <img alt="A guard" src="https://media.example.com/a.png">',
)
HTML_UNKNOWN = warning_rule(
    "html-unknown",
    "A tag is not an HTML element, so readers do not see it.",
    "Write `&lt;` where a `<` is meant.",
    within="a topic",
    wrong="body: <foo>Hi.</foo>",
    right="body: <p>Hi.</p>",
)
HTML_SIZE = Rule(
    "html-size",
    f"The HTML of a text is too much for a parser: more than {DEPTH_MOST} elements are inside each "
    f"other, a tag has more than {ATTRIBUTES_MOST} attributes, or formatting elements such as "
    "`<b>` are left open so often that each block would repeat them. Texts of real courses nest 8 "
    "deep.",
    "Close each element where it ends.",
    fixed=False,
)


_DEPTH_MOST = 200
"""How far out an element is looked for: only hostile texts nest deeper."""


def find_unbalanced(tags: Iterable[Tag]) -> Iterator[Finding]:
    """Elements that are not closed, and ends without a beginning, as browsers count them."""
    opened: list[Tag] = []
    foreign = 0
    for tag in tags:
        if not tag.whole:
            yield _cut_finding(tag)
            return
        if tag.name in FOREIGN:
            foreign += 0 if tag.itself else -1 if tag.closes else 1
        elif foreign > 0:
            continue
        if tag.name in VOID or (tag.itself and tag.name in FOREIGN) or not is_element(tag.name):
            continue
        if not tag.closes:
            opened.append(tag)
        elif opened and opened[-1].name == tag.name:
            opened.pop()
        else:
            yield from _close_element(tag, opened)
    for tag in opened:
        if tag.name not in OPTIONAL_END:
            yield _never_closed(tag)


def _close_element(tag: Tag, opened: list[Tag]) -> Iterator[Finding]:
    depth = _depth_of(tag.name, opened)
    if depth is None:
        if tag.name not in OPTIONAL_END:
            hint = "delete it, or open the element where it begins"
            yield HTML_UNBALANCED.at((tag.at,), f"`</{tag.name[:CUT]}>` closes nothing", hint)
        return
    for inner in opened[depth + 1 :]:
        if inner.name not in OPTIONAL_END:
            yield _never_closed(inner)
    del opened[depth:]


def _depth_of(name: str, opened: list[Tag]) -> int | None:
    """Position of the innermost open element of that name, unless it is far out."""
    for back, tag in enumerate(reversed(opened[-_DEPTH_MOST:]), 1):
        if tag.name == name:
            return len(opened) - back
    return None


def _never_closed(tag: Tag) -> Finding:
    hint = f"write `</{tag.name[:CUT]}>` where it ends: it affects everything after it"
    if tag.itself:
        hint = f"write `<{tag.name}></{tag.name}>`: HTML does not close it by `/`"
    return HTML_UNBALANCED.at((tag.at,), f"`<{tag.name[:CUT]}>` is never closed", hint)


def _cut_finding(tag: Tag) -> Finding:
    message = f"`<{tag.name[:CUT]}` is never finished: everything after it is lost"
    hint = "add what is missing: a quote, `>`, or `-->` after a comment"
    return HTML_UNBALANCED.at((tag.at,), message, hint)


_MARKS = ">*_-+~[<.)"
"""Each element of a text needs one of them, written as HTML or as Markdown."""
_LONG = 50_000
"""Characters of a text that is measured in any case: one tag may have thousands of attributes."""

_LOADS = {"img", "iframe", "script", "video", "audio", "source", "embed", "object", "link", "track"}
_ADDRESSES = ("href", "src", "data", "poster", "action", "formaction", "xlink:href")
_PLUGINS = frozenset({"object", "embed", "applet"})
_QUIET = KNOWN - _PLUGINS - {"script", "iframe", "img"}
"""Elements that need no check if they have no attributes."""
_HANDLER = re.compile(r"on[a-z]+")
_TO_PARSE = re.compile(r"<[A-Za-z/!?]|\]\((?!https:|/|#\w)|\]:(?!\ *https:)")
"""What may be HTML, or a link that is not plainly one to a page of the web or of the platform."""


def may_have_slips(text: str) -> bool:
    """True for a Markdown text that has to be parsed: it may have HTML, or other links than plain
    ones."""
    return _TO_PARSE.search(text) is not None


def may_nest_deep(text: str) -> bool:
    """True for a text, of HTML or Markdown, with so many marks that it has to be measured."""
    return len(text) > DEPTH_MOST and (
        len(text) > _LONG or sum(map(text.count, _MARKS)) > DEPTH_MOST
    )


def _size_finding(path: Path, excess: str, file: str) -> Finding:
    return HTML_SIZE.at(path, f"the HTML of the text {excess}", place=place_in_body("", 0, file))


def check_html(path: Path, text: str, file: str = "", *, embeds: bool = False) -> Iterator[Finding]:
    """What is wrong with HTML, which `file` holds or else the manifest itself; `embeds`: it is
    there to bring in a third party's script."""
    if may_nest_deep(text) and (excess := measure_markup(text).excess):
        yield _size_finding(path, excess, file)
    elif "<" in text:
        slips = _in_tags(text, text)
        fine = {HTML_SCRIPT.id} if embeds else set()
        yield from _first_slips(path, text, file, (slip for slip in slips if slip.code not in fine))


def check_markdown(path: Path, text: str, file: str = "") -> Iterator[Finding]:
    """The mistakes in Markdown: in its links, and in the HTML in it."""
    for finding in _judge_markdown(text, file):
        yield finding._replace(path=path)


@lru_cache(maxsize=1)  # the first text that is odd is judged once more when its path is known
def _judge_markdown(text: str, file: str) -> Sequence[Finding]:
    return list(_find_in_markdown((), text, file))


def _find_in_markdown(path: Path, text: str, file: str) -> Iterator[Finding]:
    if has_front_matter(text):
        message = "the text begins with front matter (`---`), which learners would read"
        yield FRONT_MATTER.at(path, message, place=place_in_body(text, 0, file))
    if may_nest_deep(text) and (excess := measure_markup(render_markdown(text)).excess):
        yield _size_finding(path, excess, file)
        return
    slips: Iterable[Finding] = find_dialect_marks(text)
    if may_have_slips(text):
        parsed = parse_markdown(text)
        tags = _in_tags(text, parsed.html) if "<" in parsed.html else ()
        slips = chain(of_links(parsed.links), tags, slips)
    yield from _first_slips(path, text, file, slips)


def _first_slips(path: Path, text: str, file: str, slips: Iterable[Finding]) -> Iterator[Finding]:
    """The first slip of each rule, with its place in the file of the body, or else with its line in
    the text, and with the number of the others.

    What comes in has for a path the position in the text.
    """
    of_rule: dict[str, list[Finding]] = {}
    for slip in slips:
        of_rule.setdefault(slip.code, []).append(slip)
    for same in of_rule.values():
        first = min(same, key=lambda slip: slip.path)
        more = f" (and {len(same) - 1} more)" if len(same) > 1 else ""
        at = int(first.path[0])
        place = place_in_body(text, at, file)
        message = f"{first.message}{more}"
        if not place and "\n" in text.strip():
            message = f"line {text.count(chr(10), 0, at) + 1}: {message}"
        yield first._replace(path=path, message=message, place=place)


def _in_tags(text: str, html: str) -> Iterator[Finding]:
    """What is wrong with the tags of `html`, which is `text` as far as that is HTML."""
    every = list(find_tags(html))
    foreign = False
    for tag in every:
        if tag.name in FOREIGN:
            foreign = not tag.closes and not tag.itself
        if not tag.closes and (tag.attributes or tag.name not in _QUIET):
            yield from _of_tag(tag, foreign=foreign or tag.name in FOREIGN)
    yield from of_links(_find_links(every))
    yield from _without_words(text, every)
    yield from find_unbalanced(every)


def _of_tag(tag: Tag, *, foreign: bool) -> Iterator[Finding]:
    name, given = tag.name, tag.attributes
    if name == "script":
        hint = (
            "delete it: it runs for every learner; for a third party's widget, use a topic of type "
            "embed"
        )
        yield HTML_SCRIPT.at((tag.at,), "the text contains a `<script>`", hint)
    if name in _PLUGINS:
        hint = "link to the file, or use a topic type that shows it, such as video or pdfViewer"
        message = f"`<{name}>` needs a plugin that browsers no longer have"
        yield HTML_PLUGIN.at((tag.at,), message, hint)
    if handler := next((key for key in given if _HANDLER.fullmatch(key)), None):
        message = f"`{handler}` on `<{name[:CUT]}>` runs a script"
        yield HTML_HANDLER.at((tag.at,), message, "delete the attribute")
    if name == "iframe" and not (given.get("title") or "").strip():
        hint = 'add `title="..."`: a screen reader reads it out'
        yield HTML_FRAME_TITLE.at((tag.at,), "an `<iframe>` has no `title`", hint)
    if name == "img" and "alt" not in given:
        yield HTML_IMAGE_ALT.at((tag.at,), "an `<img>` has no `alt`")
    if not foreign and not is_element(name):
        message = f"`<{name[:CUT]}>` is not an HTML element: readers do not see it"
        yield HTML_UNKNOWN.at((tag.at,), message)


def _find_links(every: list[Tag]) -> Iterator[Link]:
    for tag in every:
        given = () if tag.closes or not tag.attributes else map(tag.attributes.get, _ADDRESSES)
        for target in given:
            if target is not None:
                yield Link(target, tag.at, loads=tag.name in _LOADS, picture=tag.name == "img")


def _without_words(text: str, every: list[Tag]) -> Iterator[Finding]:
    """Links with nothing between their tags."""
    for tag, after in pairwise(every):
        if tag.name != "a" or after.name != "a" or tag.closes or not after.closes:
            continue
        if "href" in tag.attributes and not tag.attributes.get("aria-label"):
            start = text.find(">", tag.at) + 1
            if not text[start : after.at].strip():
                hint = "write the text that a learner clicks on"
                yield EMPTY_LINK.at((tag.at,), "a link has no text", hint)
