"""Measures HTML without a parser: how deep it nests, and how much a parser would add to it.

A parser of the HTML standard looks through the open elements for each tag, and opens a formatting
element that was not closed again in every block after it: 100 kB can become gigabytes. A text is
read here once, from left to right, and counts as having at least as many open elements as a parser
would find: what is not plainly closed stays open.
"""

import html
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import NamedTuple

DEPTH_MOST = 500
"""Elements that are open at once; browsers go no deeper than 512."""
COPIED_MOST = 2_000_000
"""Characters of the formatting elements that are open at each tag, added up."""
ATTRIBUTES_MOST = 250
"""Attributes of one tag: a parser compares each of them with those before it."""

_ATTRIBUTE = (
    r"""(?:=[^\s/>=]*+|[^\s/>=]++)(?:\s*+=\s*+(?:"[^"]*+"|'[^']*+'|(?!["'])[^\s>]*+)|(?!\s*=))"""
)
_ATTRIBUTES = (
    rf"(?:[\s/]++|{_ATTRIBUTE})*+"
    if sys.version_info >= (3, 11, 5)
    else rf"(?>(?:[\s/]++|{_ATTRIBUTE})*)"
)
"""The first takes 2 bytes for each character, the second 300; before 3.11.5 Python gets it wrong
(gh-106052)."""
TAG = re.compile(
    rf"<!--(?:-?>|.*?(?:--!?>|\Z))|<(?:[!?]|/(?![a-z]|\Z))[^>]*+(?:>|\Z)"
    rf"|<(?P<ends>/?)(?P<name>[a-z][^\s/>]*+)(?P<rest>{_ATTRIBUTES})(?:>|\Z)"
    rf"|</?[a-z][^\s/>]*+.*+\Z",
    re.IGNORECASE | re.DOTALL,
)
"""Markup by the rules of the HTML standard: a `>` in a quoted value does not end a tag, and an
unclosed tag runs to the end of the text. Any other `<` is a plain character: `1 < 2`."""
_ONE_ATTRIBUTE = re.compile(_ATTRIBUTE)
_BEGINNING = re.compile(r"<(?P<ends>/?)(?P<name>[a-z][^\s/>]*+)", re.IGNORECASE)

_LONG_REFERENCE = re.compile(r"&#0*([0-9]{8})[0-9]*+")
"""To a character beyond the last that there is; Python converts no number of 4,301 digits."""

_VOID_NAMES = """
    area base basefont bgsound br col embed frame hr image img input keygen link meta param source
    track wbr
"""
_FORMATTING_NAMES = "a b big code em font i nobr s small strike strong tt u"
_RAW_NAMES = "iframe noembed noframes noscript plaintext script style textarea title xmp"
_BLOCK_NAMES = """
    address article aside blockquote button center dd details dialog dir div dl dt fieldset
    figcaption figure footer h1 h2 h3 h4 h5 h6 header hgroup li listing main menu nav ol p pre
    search section summary ul
"""
_OTHER_SPECIAL_NAMES = """
    annotation-xml applet body caption colgroup desc foreignobject form frameset head html marquee
    math mi mn mo ms mtext object select svg template
"""

_VOID = frozenset(_VOID_NAMES.split())
_FORMATTING = frozenset(_FORMATTING_NAMES.split())
_RAW = frozenset(_RAW_NAMES.split())
"""Elements that may hold text in which no tag counts."""
_BLOCKS = frozenset(_BLOCK_NAMES.split())
"""Their ends close what was left open in them, and they end a paragraph."""
_ROWS = ("tr", "tbody", "thead", "tfoot")
_CELLS = ("td", "th")
_ROWS_AND_CELLS = frozenset((*_ROWS, *_CELLS))
_TABLE = _ROWS_AND_CELLS | {"table"}
_SPECIAL = _BLOCKS | _TABLE | _RAW | frozenset(_OTHER_SPECIAL_NAMES.split())
"""Elements that no end of a span or of a formatting element goes beyond."""
_TABLE_BORDERS = ("table", "template", "select", "svg", "math")
_BORDERS = (*_TABLE_BORDERS, *_CELLS, "applet", "caption", "marquee", "object")
"""Elements that no end of a block goes beyond."""
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
"""The end of one ends whichever is open."""
_FOREIGN = ("svg", "math")
_OPTIONS = ("option", "optgroup")
"""Parsers differ in what an end of one of these closes."""
_IN_SELECT = frozenset((*_OPTIONS, "select", "hr"))
"""Of other elements in a selection, parsers keep some and drop others."""
_REPEATED_MOST = 3
"""Formatting elements that read alike and are opened again; a parser forgets those before them."""


def read_references(text: str) -> str:
    """A text with its character references read, such as `&amp;` and `&#65;`, however long."""
    return html.unescape(shorten_references(text))


def shorten_references(text: str) -> str:
    """The text with numeric references as short as a parser needs them that reads the number of a
    reference whole."""
    return _LONG_REFERENCE.sub(r"&#\1", text) if "&#" in text else text


class MarkupSize(NamedTuple):
    """What a parser would have to do for a text."""

    depth: int = 0
    copied: int = 0
    attributes: int = 0

    @property
    def excess(self) -> str:
        """Says which size is too large, in words that go on from the name of a text; or nothing."""
        if self.attributes > ATTRIBUTES_MOST:
            return f"has a tag with more than {ATTRIBUTES_MOST} attributes"
        if self.depth > DEPTH_MOST:
            return f"has more than {DEPTH_MOST} HTML elements inside each other"
        if self.copied > COPIED_MOST:
            return "leaves so many HTML elements open that each block would repeat them"
        return ""


def measure_markup(text: str) -> MarkupSize:
    """The size of a text for a parser; reading ends where one of the bounds is passed."""
    size, elements = MarkupSize(), _OpenElements()
    for tag in _find_tags(text, elements) if "<" in text else ():
        elements.read_tag(tag)
        copied, attributes = size.copied + elements.open_length, size.attributes
        rest = tag.groupdict().get("rest") or ""
        if len(rest) > 2 * attributes:  # only then can this tag have more than those before it
            attributes = max(attributes, sum(1 for _ in _ONE_ATTRIBUTE.finditer(rest)))
        size = MarkupSize(max(size.depth, elements.depth), copied, attributes)
        if size.excess:
            break
    return size


def _find_tags(text: str, elements: "_OpenElements") -> Iterator[re.Match[str]]:
    """The tags of a text; where they may be plain text, as in a script, every beginning of one."""
    after = 0
    while tag := (_BEGINNING if elements.raw else TAG).search(text, after):
        yield tag
        after = tag.end()


class _OpenElements:
    """The elements that are open while a text is read."""

    def __init__(self) -> None:
        self._stack: list[tuple[str, str]] = []
        """Name and tag of each."""
        self._places: defaultdict[str, list[int]] = defaultdict(list)
        """Where in the stack the elements of a name are."""
        self._special: list[int] = []
        self._left: Counter[tuple[str, str]] = Counter()
        """Tags of formatting elements whose block has ended before them."""
        self.raw = ""
        """The element that may hold text alone and is open, if one is."""
        self._uncertain = 0
        self._ends_count = True
        self._slash_closes = True
        self.open_length = 0
        """Characters of the tags of open formatting elements."""

    @property
    def depth(self) -> int:
        return len(self._stack) + self._left.total() + self._uncertain

    def read_tag(self, tag: re.Match[str]) -> None:
        if tag["name"] is None:
            self._ends_count &= not tag[0].startswith("<![CDATA[")
            return
        name = tag["name"].lower()
        # Parsers differ here. From now on ends are not believed, so the bound is passed too early
        # rather than too late.
        if name not in _IN_SELECT and self._places.get("select"):
            self._ends_count = False
        if self.raw and not tag["ends"]:
            # It may be an element or plain text, so it counts as one that stays open.
            self._uncertain += 1
            self.open_length += len(tag[0])
            self._ends_count &= name != "script"  # a script in a comment in a script
        elif not tag["ends"]:
            self._open(name, tag[0])
        elif name == self.raw:
            self.raw = ""
        elif self._ends_count and not self.raw:
            self._open_left_again()
            self._close(name)

    def _open(self, name: str, tag: str) -> None:
        foreign = self._last(_FOREIGN) >= 0
        if foreign and (name in _FORMATTING or name in _SPECIAL or name in _VOID):
            self._slash_closes = False  # it may have ended the drawing
        if name in _VOID or (foreign and self._slash_closes and tag.endswith("/>")):
            return
        if name in _RAW:
            self.raw = name
            self._ends_count &= name != "plaintext"
            return
        if self._ends_count:
            self._end_implied(name)
        if name not in _ROWS_AND_CELLS:
            self._open_left_again()
            self._push(name, tag)
        elif self._is_in_table():
            self._push(name, tag)

    def _end_implied(self, name: str) -> None:
        """Ends what the beginning of an element ends: a paragraph, an item, a cell, a row."""
        if name in ("li", "dd", "dt"):
            self._end_item(("li",) if name == "li" else ("dd", "dt"))
        elif name in _TABLE:
            self._end_in_table(name)
        if name in _BLOCKS or name == "table":
            self._close_above("p", (*_BORDERS, "button"))

    def _end_item(self, names: tuple[str, ...]) -> None:
        # An item ends an open item before it, but not one beyond another block: only the last two
        # special elements can be meant.
        near = [place for place in self._special[-2:] if self._stack[place][0] in names]
        if near and (near[-1] == self._special[-1] or self._stack[self._special[-1]][0] == "p"):
            self._cut(near[-1])

    def _end_in_table(self, name: str) -> None:
        table = self._last(("table",))
        if name == "table":
            if table > self._last((*_CELLS, "caption", "template")):
                self._cut(table)
            return
        ended = _CELLS if name in _CELLS else (*_CELLS, "tr") if name == "tr" else (*_CELLS, *_ROWS)
        places = [self._places[one] for one in ended]
        inside = [place for of_name in places for place in of_name[-1:] if place > table]
        if inside and self._is_in_table():
            self._cut(min(inside))

    def _is_in_table(self) -> bool:
        """True if rows and cells count here: elsewhere a parser ignores their tags."""
        table = self._last(("table",))
        return table >= 0 and self._last(_TABLE_BORDERS) == table

    def _close(self, name: str) -> None:
        if name in _HEADINGS:
            name = max(_HEADINGS, key=lambda heading: self._last((heading,)))
        places = self._places[name]
        if not places:
            return
        if name == "form":
            # It ends paragraphs and items, and leaves all else open.
            while self._stack and self._stack[-1][0] in ("p", "li", "dd", "dt"):
                self._cut(len(self._stack) - 1)
        if name in _BLOCKS:
            inner = {"p": ("button",), "li": ("ol", "ul")}.get(name, ())
            self._close_above(name, (*_BORDERS, *inner))
        elif name in _TABLE:
            if self._is_in_table() and places[-1] >= self._last(("table",)):
                self._cut(places[-1])
        elif places[-1] == len(self._stack) - 1 or (
            name not in _OPTIONS and places[-1] > (self._special or [-1])[-1]
        ):
            self._cut(places[-1], closed=True)

    def _close_above(self, name: str, borders: tuple[str, ...]) -> None:
        """Closes the last element of a name, unless it is beyond a border."""
        if (places := self._places[name]) and places[-1] > self._last(borders):
            self._cut(places[-1])

    def _open_left_again(self) -> None:
        """Opens what was left, as a parser does before the next text or element."""
        for name, tag in self._left.elements():
            self.open_length -= len(tag)
            self._push(name, tag)
        self._left.clear()

    def _last(self, names: tuple[str, ...]) -> int:
        return max((self._places[name][-1] for name in names if self._places.get(name)), default=-1)

    def _push(self, name: str, tag: str) -> None:
        place = len(self._stack)
        self._stack.append((name, tag))
        self._places[name].append(place)
        if name in _SPECIAL:
            self._special.append(place)
        self.open_length += len(tag) if name in _FORMATTING else 0

    def _cut(self, place: int, *, closed: bool = False) -> None:
        """Takes an element and all in it from the stack; what formats is opened again.

        `closed`: the element itself has ended, whatever it is.
        """
        while len(self._stack) > place:
            name, tag = self._stack.pop()
            self._places[name].pop()
            if name in _SPECIAL:
                self._special.pop()
            if name in _FORMATTING:
                again = not (closed and len(self._stack) == place)
                if again and self._left[name, tag] < _REPEATED_MOST:
                    self._left[name, tag] += 1
                else:
                    self.open_length -= len(tag)
