"""Renders CommonMark with tables as HTML, and finds the links and the HTML in it."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Set
from functools import lru_cache
from itertools import chain
from typing import Any, NamedTuple

from .html_elements import Link

_FRONT_LINE = re.compile(r"[ \t#-]|[\w-]+:")
_FRONT_ENDS = ("---", "...")


def has_front_matter(text: str) -> bool:
    """True for a text that begins with YAML between two lines of `---`."""
    if not text.startswith("---"):
        return False
    first, *lines = text.split("\n")
    if first.rstrip(" \t\r") != "---":
        return False
    for number, line in enumerate(lines):
        if number and line.rstrip(" \t\r") in _FRONT_ENDS:
            return True
        if not _FRONT_LINE.match(line):
            return False
    return False


_TABBED = re.compile(rb"^ {0,3}\t[ \t]*(?=>)", re.MULTILINE)
"""The start of a line that is too far in to be one of a quote, and that begins with a tab."""
_AS_IT_IS = ("CodeBlock", "HtmlBlock")
_WITH_TARGET = ("Inline", "Autolink")
"""Other links name a definition, or an address of mail."""
_Target = tuple[int, str, bool]
"""A place in bytes, the target of a link there, and whether it is a picture."""


class Parsed(NamedTuple):
    """The facts of a Markdown text by which it can be wrong."""

    links: list[Link]
    html: str
    """With blanks for all that is Markdown, so every place stays where it is."""
    as_written: list[tuple[int, int]]
    """The places of code and HTML, in bytes."""


def render_markdown(text: str) -> str:
    """`text` as HTML, always the same; raw HTML in it stays, since authors embed players."""
    import pyromark  # a compiled library: needed for what is sent, and for links and HTML

    return pyromark.html(_replace_tabs(text), options=pyromark.Options.ENABLE_TABLES)


@lru_cache(maxsize=1)  # a text in which something is wrong is asked for several times
def parse_markdown(text: str) -> Parsed:
    """The links and the definitions of links, in their order, and the HTML and code of a text."""
    links: list[tuple[str, Any, Any]] = []
    html: list[Any] = []
    kept: list[Any] = []
    for event, place in parse_events(text):
        if "Start" in event:
            tag = event["Start"]
            if "Link" in tag or "Image" in tag:
                links += ((name, link, place) for name, link in tag.items())
            elif "CodeBlock" in tag or "HtmlBlock" in tag:
                kept.append(place)
        elif "Html" in event:
            html.append(place)
        elif "InlineHtml" in event:
            html.append(place)
            kept.append(place)
        elif "Code" in event:
            kept.append(place)
    raw = text.encode()
    pictures = {link["dest_url"] for name, link, _ in links if name == "Image"}
    targets = chain(_with_targets(raw, links), _find_definitions(text, pictures))
    as_written = [(place["start"], place["end"]) for place in kept]
    return Parsed(list(_place_links(raw, targets)), _text_alone(raw, html), as_written)


def _with_targets(raw: bytes, links: Iterable[tuple[str, Any, Any]]) -> Iterator[_Target]:
    """Links that do not name a definition; each is placed where its target begins."""
    for name, link, place in links:
        if link["link_type"] in _WITH_TARGET:
            start = place["start"]
            # The parser gives the place of a whole link. Its target begins behind the last `](`:
            # the text of a link may contain pictures with targets of their own.
            at = max(start, raw.rfind(b"](", start, place["end"]))
            yield at, link["dest_url"], name == "Image"


def _find_definitions(text: str, pictures: Set[str]) -> Iterator[_Target]:
    """Definitions of links; what is shown as a picture is one."""
    if "]:" not in text:  # as in most texts: they need not be parsed once more
        return
    import pyromark

    options = pyromark.Options.ENABLE_TABLES
    for link in pyromark.reference_definitions(text, options=options).values():
        yield link["span"]["start"], link["dest"], link["dest"] in pictures


def _place_links(raw: bytes, links: Iterable[_Target]) -> Iterator[Link]:
    """Links in their order, with positions in characters in place of those in bytes."""
    byte = character = 0
    for at, target, picture in sorted(links):
        # The parser counts bytes. Each stretch is decoded once, from where the last one ended.
        character += len(raw[byte:at].decode())
        byte = at
        yield Link(target, character, loads=picture, picture=picture)


def _text_alone(raw: bytes, places: Iterable[Any]) -> str:
    """What stands at some places, with a blank for each other character before it."""
    parts: list[str] = []
    byte = 0
    for place in places:
        before, piece = raw[byte : place["start"]], raw[place["start"] : place["end"]]
        parts += (" " * len(before.decode()), piece.decode())
        byte = place["end"]
    return "".join(parts)


def _replace_tabs(text: str) -> str:
    r"""The text with spaces for tabs where the renderer takes `\t>` for the mark of a quote.

    Four columns in, `>` marks no quote, written with a tab as with spaces (CommonMark 0.31.2,
    2.2 and 5.1). Code and HTML keep their tabs: there they are part of the text.
    """
    if "\t" not in text or not _TABBED.search(raw := text.encode()):
        return text
    kept = _as_it_is(text)
    starts = [start for start, _ in kept]

    def replace_tab(tab: re.Match[bytes]) -> bytes:
        before = bisect_right(starts, tab.start()) - 1
        inside = before >= 0 and tab.end() < kept[before][1]
        return tab[0] if inside else tab[0].expandtabs(4)

    return _TABBED.sub(replace_tab, raw).decode()


def _as_it_is(text: str) -> list[tuple[int, int]]:
    """The places of code and HTML, in bytes; none in quotes, where lines begin with their marks."""
    places: list[tuple[int, int]] = []
    quotes = 0
    for event, place in parse_events(text):
        begun, ended = (name_event(event, side) for side in ("Start", "End"))
        quotes += (begun == "BlockQuote") - (ended == "BlockQuote")
        if begun in _AS_IT_IS and not quotes:
            places.append((place["start"], place["end"]))
    return places


def list_places_as_written(text: str) -> list[tuple[int, int]]:
    """The places of code and HTML in a text, which no mark in them changes, in their order."""
    raw, places = text.encode(), parse_markdown(text).as_written
    if len(raw) == len(text):
        return places
    before, byte, found = 0, 0, []
    for start, end in places:
        if start < byte:
            continue  # inside the block before
        before += len(raw[byte:start].decode())
        length = len(raw[start:end].decode())
        found.append((before, before + length))
        before, byte = before + length, end
    return found


def parse_events(text: str) -> Iterator[tuple[Any, Any]]:
    """What the parser finds, as `{"Start": {"Link": ...}}`, and its place in bytes."""
    import pyromark

    return pyromark.events_with_range(text, options=pyromark.Options.ENABLE_TABLES)


def name_event(event: Any, side: str) -> str:
    """`CodeBlock`, of `{"Start": {"CodeBlock": ...}}` or of `{"Start": "CodeBlock"}`."""
    tag = event.get(side, "") if isinstance(event, dict) else ""
    return str(next(iter(tag))) if isinstance(tag, dict) else str(tag)
