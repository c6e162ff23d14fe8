"""HTML as a tree, and whether two texts of HTML are the same to a browser."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import NoReturn

from ..vocabulary.markup import shorten_references
from .values import VOID

_KEEPS_SPACE = frozenset({"pre", "textarea", "script", "style"})
_FLOWS = """
    a abbr b bdi bdo big br button cite code data del dfn em font i iframe img input ins kbd
    label mark math object output q s samp select small span strong sub sup svg time tt u var
    video audio
"""
INLINE = frozenset(_FLOWS.split())
"""Elements within a line of text; blanks around any other do not count."""
COMMENT = "!--"
"""The name of a comment among the nodes."""
_SPACE = re.compile(r"[ \t\n\r\f]+")
_UNSURE_COMMENT = re.compile(r"--(?:\s+|!)>|<!--(?:>|->)")
"""What ends a comment to some browsers and some versions of Python, and not to others."""
WITHOUT_END = VOID | {COMMENT}
_DEPTH_MOST = 100


class NotATree(ValueError):
    """The tags do not fit together, or are too deep."""


@dataclass
class Node:
    """An element with its content."""

    name: str
    start: str
    """The opening tag, as it was written."""
    attributes: dict[str, str | None]
    children: "list[Node | str]" = field(default_factory=list)

    def nodes(self) -> "list[Node]":
        return [child for child in self.children if isinstance(child, Node)]


def parse_tree(html: str) -> Node:
    """The tree of a text, below a node without a name; raises `NotATree`.

    Every end of a line is the same one, as it is to a browser.
    """
    reading = _Reading()
    if "<!--" in html and _UNSURE_COMMENT.search(html):
        raise NotATree("it has a comment whose end is unsure")
    try:
        reading.feed(shorten_references(html.replace("\r\n", "\n").replace("\r", "\n")))
        reading.close()
    except AssertionError as error:  # how the parser of Python refuses `<![word[`
        raise NotATree(str(error)) from None
    if len(reading.open) > 1:
        raise NotATree(f"<{reading.open[-1].name}> is never closed")
    return reading.open[0]


class _Reading(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open = [Node("", "", {})]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        node = Node(tag, self.get_starttag_text() or "", dict(attrs))
        self.open[-1].children.append(node)
        if tag not in VOID:
            self.open.append(node)
        if len(self.open) > _DEPTH_MOST:
            raise NotATree("its elements are too deep")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in VOID:
            raise NotATree(f"<{tag}/> is not closed by its slash")
        self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        if tag in VOID or self.open[-1].name != tag:
            raise NotATree(f"</{tag}> closes nothing")
        self.open.pop()

    def handle_data(self, data: str) -> None:
        self.open[-1].children.append(data)

    def handle_comment(self, data: str) -> None:
        if "--" in data:
            raise NotATree(f"it has a comment with a line in it: {data[:20]}")
        self.open[-1].children.append(Node(COMMENT, f"<!--{data}-->", {"": data}))

    def _refuse_data(self, data: str) -> NoReturn:
        """Refuses what is no element and no text: Markdown has no words for it."""
        raise NotATree(f"it has a declaration or an instruction: {data[:20]}")

    handle_pi = unknown_decl = _refuse_data

    def handle_decl(self, decl: str) -> NoReturn:
        self._refuse_data(decl)


Event = str | tuple[str, tuple[tuple[str, str], ...]]


def show_same_page(one: str, other: str) -> bool:
    """Whether two texts make the same page: blanks count only where a browser shows them."""
    return one == other or read_page_layout(one) == read_page_layout(other)


def read_page_layout(html: str) -> Sequence[Event] | str:
    """What a browser lays out; the text itself if its tags do not fit together."""
    try:
        return list_layout_events(parse_tree(html))
    except NotATree:
        return html


def list_layout_events(tree: Node) -> list[Event]:
    """What a browser would lay out, in order: tags with their attributes, and texts."""
    found: list[Event] = []
    for event in _walk_events(tree, keeps=False):
        before = found[-1] if found else ()
        if isinstance(event, str) and isinstance(before, str):
            found[-1] = before + event
        else:
            found.append(event)
    return list(_laid_out(found))


def _walk_events(node: Node, *, keeps: bool) -> Iterator[Event]:
    for child in node.children:
        if isinstance(child, str):
            # A text whose blanks count is marked, so that nobody takes one away.
            yield f"\0{child}\0" if keeps else child
            continue
        yield (child.name, tuple(sorted((k, v or "") for k, v in child.attributes.items())))
        yield from _walk_events(child, keeps=keeps or _keeps_space(child))
        if child.name not in WITHOUT_END:
            yield (f"/{child.name}", ())


def _keeps_space(node: Node) -> bool:
    """Whether a browser shows each blank in it: by its name, or by a style of its own."""
    return node.name in _KEEPS_SPACE or "white-space" in (node.attributes.get("style") or "")


def _laid_out(events: list[Event]) -> Iterator[Event]:
    for position, event in enumerate(events):
        if not isinstance(event, str) or "\0" in event:
            yield event
            continue
        text = _SPACE.sub(" ", event)
        if _ends_line(events, position - 1):
            text = text.lstrip(" ")
        if _ends_line(events, position + 1):
            text = text.rstrip(" ")
        if text:
            yield text


def _ends_line(events: list[Event], position: int) -> bool:
    """Whether a blank beside this event is not shown: at an edge, and at the tags of blocks."""
    if not 0 <= position < len(events):
        return True
    name = events[position][0].removeprefix("/")
    return name == "br" or name not in INLINE | {COMMENT}
