"""What is wrong in a file that is no YAML, in the words of somebody who writes courses."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from ....problems import Problem, Rule
from ....resource import Origin, Place
from ..catalog_files import VALUES

_QUOTES = "put the text in quotes"
_ABOVE = "look at the line above as well: a missing quote or colon shows up late"


class Wording(NamedTuple):
    """The parser's words, ours, and a remedy; `{0}` is what the parser named."""

    theirs: str
    """A regular expression."""
    ours: str
    remedy: str = _QUOTES


_WORDINGS = (
    Wording(
        r"found character '\\t'",
        "there is a tab where spaces belong",
        "indent with spaces: YAML does not allow tabs",
    ),
    Wording(r"found character '(.)' that cannot start", "a text cannot begin with `{0}`"),
    Wording(
        r"mapping values are not allowed here",
        "there is a second `: ` in this value, or the line is indented too far",
        "put the text in quotes if it contains a colon; otherwise align its key with the one above",
    ),
    Wording(
        r"scanning a quoted scalar.* end of stream",
        "a quote is opened here but never closed",
        "close it; in single quotes, write '' for an apostrophe",
    ),
    Wording(
        r"found undefined alias '(.*)'",
        "`*{0}` refers to a value named `&{0}` above, but there is none",
        "put the text in quotes if it only begins with a `*`",
    ),
    Wording(r"scanning an (anchor|alias) expected", "`&` and `*` begin the name of a value"),
    Wording(
        r"could not determine a constructor for the tag '(?:tag:yaml\.org,2002:)?(.*)'",
        "`{0}` is a tag, which manifests cannot have",
        "put the text in quotes if it only begins with a `!`",
    ),
    Wording(
        r"found (?:unhashable|unacceptable) key",
        "there is a mapping or a list where the name of a field belongs",
        "put text with `{{{{` in quotes; placeholders are filled in `.yaml.j2` files only",
    ),
    Wording(
        r"flow sequence expected",
        "a `[` is not closed, or a comma is missing",
        "close it with `]`, and put text that contains `[`, `]`, `:` or a comma in quotes",
    ),
    Wording(
        r"flow mapping expected",
        "a `{{` is not closed, or a comma is missing",
        "close it with `}}`, and put text that contains `{{`, `}}`, `:` or a comma in quotes",
    ),
    Wording(
        r"but found '([\]}},])'",
        "there is a `{0}` where a value or a field belongs",
        "delete it, or put the text that it belongs to in quotes",
    ),
    Wording(
        r"block collection expected <block end>",
        "a line among the items of a list is not an item",
        "begin it with `- `, or align it with the key that the list belongs to",
    ),
    Wording(
        r"expected <block end>, but found '<scalar>'",
        "something follows a closing quote",
        "put the whole text in one pair of quotes; in single quotes, write '' for an apostrophe",
    ),
    Wording(
        r"expected <block end>|expected '<document start>'",
        "the line is not indented like the ones above it",
        "start it in the same column as the keys next to it",
    ),
    Wording(
        r"unknown escape character '(.)'",
        "`\\{0}` means nothing in double quotes",
        "use single quotes, or write `\\\\` for a backslash",
    ),
    Wording(
        r"expected escape sequence",
        "a backslash in double quotes begins a character number here, but none follows",
        "use single quotes, or write `\\\\` for a backslash",
    ),
    Wording(
        r"scanning a block scalar expected",
        "after `|` or `>` the text begins on the next line",
        "move it there and indent it, or put it in quotes",
    ),
    Wording(
        r"sequence entries are not allowed here",
        "a list cannot begin on the line of its key",
        "put each `- item` on a line of its own, or the text in quotes",
    ),
    Wording(
        r"could not find expected ':'",
        "the line is neither `key: value` nor part of a text",
        "add a colon if it is a key; indent it if it belongs to the text above it",
    ),
    Wording(
        r"for merging, but found",
        "`<<` takes a mapping, or a list of mappings",
        "name one by its anchor: `<<: *name`",
    ),
    Wording(
        r"invalid literal for int|could not convert string to float",
        "a tag such as `!!int` does not fit the value after it",
        "delete the tag",
    ),
    Wording(
        r"version minor part",
        "the `%YAML` line names a version that does not exist",
        "delete that line: manifests are YAML 1.2",
    ),
)


def in_our_words(theirs: str) -> tuple[str, str]:
    """The message and the remedy, from the words of the parser."""
    for wording in _WORDINGS:
        if match := re.search(wording.theirs, theirs):
            named = [group or "" for group in match.groups()]
            return f"not YAML: {wording.ours.format(*named)}", wording.remedy.format(*named)
    return f"not YAML: {theirs}", _ABOVE


Spot = tuple[int, int]
"""Line and column, from 1."""
_BEGUN = re.compile(
    r"scanning a quoted scalar.* end of stream|could not find expected ':'"
    r"|flow (?:sequence|mapping) expected"
)
_KEY = r"\s*(?:- +)*[\w.-]+"
_GLUED_COLON = re.compile(rf"{_KEY}:(?=[^\s:/])")
_GLUED_DASH = re.compile(r"\s*-(?=[A-Za-z]\w*:)")
_BRACKETED = re.compile(r".*?: +[{[]")
_KEY_ALONE = re.compile(rf"{_KEY}\s*")
_OPENED = re.compile(rf"""(?:{_KEY}:|\s*-) +(?P<quote>["'])""")
_ODD_BLANK = re.compile(rf"(?:\s*\xa0|{_KEY}:\xa0)", re.ASCII)
_WIDE_COLON = re.compile(rf"{_KEY}\uff1a")
_MERGE_MARK = re.compile(r"<{7} |={7}$|>{7} ")
Cause = tuple[str, str, Spot]
"""What is wrong, what to do, and where the mistake was made."""


def find_cause(theirs: str, lines: Sequence[str], noticed: Spot, begun: Spot | None) -> Cause:
    """The cause of what the parser says, which often notices it some lines below: `begun` is where
    it began to read what it could not finish."""
    message, remedy = in_our_words(theirs)
    if not (begun and _BEGUN.search(theirs)) or ("flow" in theirs and begun[0] == noticed[0]):
        begun = noticed
    line = lines[begun[0] - 1] if begun[0] <= len(lines) else ""
    if cause := _find_foreign_mark(lines, begun[0], noticed[0]):
        return cause
    if "could not find expected ':'" in theirs and (glued := _GLUED_COLON.match(line)):
        return (
            "not YAML: there is no blank after the colon",
            "write a blank there",
            (begun[0], glued.end()),
        )
    if "mapping values are not allowed" in theirs:
        return _explain_second_colon(lines, noticed)
    if "found '<scalar>'" in theirs:
        if _BRACKETED.match(line):
            return "not YAML: something follows the bracket that ends this value", _QUOTES, begun
        return _find_open_quote(lines, noticed) or (message, remedy, begun)
    if "block collection" in theirs and _KEY_ALONE.match(line.partition(":")[0]):
        remedy = (
            "indent it like the keys of the item above it, if it is one of them; begin it with "
            "`- ` if it is the next item"
        )
    return message, remedy, begun


def _find_foreign_mark(lines: Sequence[str], first: int, last: int) -> Cause | None:
    """What an editor or git has put there and YAML does not know, in the line of the mistake or in
    the one above it."""
    for number in range(max(first - 1, 1), min(last, len(lines)) + 1):
        line = lines[number - 1]
        if _MERGE_MARK.match(line):
            remedy = "keep one of the two versions, and delete the lines that git has added"
            return "not YAML: this line is a mark of an unfinished merge", remedy, (number, 1)
        if odd := _ODD_BLANK.match(line):
            message = "not YAML: there is a no-break space (U+00A0), which looks like a space"
            return message, "write a plain space instead", (number, odd.end())
        if wide := _WIDE_COLON.match(line):
            message = "not YAML: there is a full-width colon (U+FF1A) after the key"
            return message, "write `: `, a plain colon and a space", (number, wide.end())
    return None


def _explain_second_colon(lines: Sequence[str], noticed: Spot) -> Cause:
    """A second `: ` in a value, a line that is indented too far, or a dash without a blank."""
    number, column = noticed
    above = lines[number - 2] if number > 1 else ""
    if glued := _GLUED_DASH.match(above):
        return "not YAML: there is no blank after the dash", "write one", (number - 1, glued.end())
    before = lines[number - 1][: column - 1]
    if _KEY_ALONE.fullmatch(before):
        message = "not YAML: the line is indented further than the key that it belongs next to"
        remedy = "start it in the same column as the keys next to it"
        return message, remedy, (number, len(before) - len(before.lstrip()) + 1)
    return "not YAML: there is a second `: ` in this value", _QUOTES, noticed


def _find_open_quote(lines: Sequence[str], noticed: Spot) -> Cause | None:
    """The quote that was never closed, where the next quote, lines below, seems to close it: there
    the parser notices that a text follows."""
    number, column = noticed
    before = lines[number - 1][: column - 1]
    mark = before[-1:]
    if mark not in ("'", '"') or before.count(mark) != 1:
        return None
    for opened in range(number - 1, 0, -1):
        line = lines[opened - 1]
        found = _OPENED.match(line)
        if found and found["quote"] == mark and line.count(mark) % 2:
            message = (
                "not YAML: a quote is opened here but not closed, so that the next quote, on line "
                f"{number}, seems to close it"
            )
            return message, "close it where the text ends", (opened, found.end())
    return None


TOO_LARGE = Rule(
    "too-large",
    "The file is larger than a manifest may be.",
    "Keep long bodies in files of their own (`bodyFile`), or split the manifest into several "
    "files.",
)
BYTE_ORDER_MARK = Rule(
    "byte-order-mark",
    "The file begins with a byte order mark, which is invisible.",
    "Save it as UTF-8 without one.",
)
YAML_SYNTAX = Rule(
    "yaml-syntax",
    "The file is not YAML 1.2.",
    "Look at the line and at the one above it. Indent with spaces, never tabs.",
    within="a file",
    wrong="title: Safety: part 1",
    right='title: "Safety: part 1"',
)
DUPLICATE_KEY = Rule(
    "duplicate-key",
    "One mapping has the same key twice, and YAML would drop one of them.",
    "Keep one.",
    within="a file",
    wrong="title: A\ntitle: B",
    right="title: A",
)
TOO_DEEP = Rule(
    "too-deep",
    "The document is nested too deeply, or contains itself through an alias.",
    "Write it out without the alias.",
)
ENDLESS = Rule(
    "endless",
    "The aliases or merge keys of the file expand to too many values.",
    "Look for an anchor (`&`) whose value contains an alias (`*`) of itself or of others.",
)
NUMBER_SIZE = Rule(
    "number-size",
    "A number is too large to be sent.",
    "Put it in quotes if it is text.",
    within="a file",
    wrong="resource: course\npriceInCents: 99999999999999999999",
    right="resource: course\npriceInCents: 1900",
)
HALF_CHARACTER = Rule(
    "half-character",
    "An escape in a text stands for only half a character.",
    "Write the character itself.",
)


class YamlMistake(Exception):
    """The message and the place; lines and columns count from 1."""

    def __init__(
        self, rule: Rule, message: str, hint: str | None = None, at: tuple[int, int] = (1, 1)
    ) -> None:
        super().__init__(message)
        self.rule, self.message = rule, message
        self.hint = rule.hint if hint is None else hint
        self.line, self.column = at

    def as_problem(self, file: str, at: tuple[int, int] | None = None) -> Problem:
        """The problem of a file; `at` is the line and column in it, where they are not these."""
        place = Place(file, *(at or (self.line, self.column)))
        return self.rule.problem(self.message, Origin(file), self.hint, place=place)


def too_many() -> YamlMistake:
    """The mistake of a file with more values than are read."""
    return YamlMistake(
        TOO_LARGE, f"the file contains more than {VALUES:,} values", "split it into several files"
    )
