"""Marks of other dialects of Markdown, which learners would read as they are written."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from ...problems import Finding, warning_rule
from .markdown_text import list_places_as_written

MARKDOWN_DIALECT = warning_rule(
    "markdown-dialect",
    "A Markdown text has marks of another dialect, such as `:::` or `{{ }}`, which learners would "
    "read. Code and mathematics may have them.",
    "Write Markdown that any tool knows, or HTML; put marks that are meant as such between "
    "backticks.",
    within="a topic",
    wrong='markdown: "::: note\\nClose the guard.\\n:::"',
    right='markdown: "**Note:** close the guard."',
)

_VALUE = r"""(?:"[^"{}\n]*"|[^\s"{}]+)"""
_ATTRIBUTE = rf"(?:[.#][A-Za-z][\w-]*|[A-Za-z][\w-]*={_VALUE})"
_ATTRIBUTES = rf"\{{:?[ \t]*{_ATTRIBUTE}(?:[ \t]+{_ATTRIBUTE})*[ \t]*\}}"
_AFTER_A_LINK = rf"(?<=[)\]\0`])(?P<mark>{_ATTRIBUTES})"
_AFTER_A_HEADING = rf"^#.*[ \t](?P<end>{_ATTRIBUTES})[ \t]*$"
_ON_A_LINE = rf"^[ \t]*(?P<line>\{{:[ \t]*{_ATTRIBUTE}[^{{}}\n]*\}})[ \t]*$"


ATTRIBUTES = re.compile(f"(?m){_AFTER_A_LINK}|{_AFTER_A_HEADING}|{_ON_A_LINE}")
"""Attributes of pandoc or kramdown, in what `hide_code` leaves: its only group that matched."""


class DialectMark(NamedTuple):
    """Something that only some tools understand."""

    signs: tuple[str, ...]
    """Without one of these in it no text has the mark: a quick look."""
    pattern: re.Pattern[str]
    whose: str
    instead: str


_BOX = "write a quote (`>`) or a bold word in its place"
_WIKI = "a link of a wiki"
_STANDS_FOR = "write the text that it is replaced with"
_MARKS = (
    DialectMark(
        (":::",), re.compile(r"(?m)^[ \t>]*(?P<mark>:{3,})"), "a box of pandoc or Docusaurus", _BOX
    ),
    DialectMark(
        ("!!! ", "??? ", "???+"),
        re.compile(r"(?m)^[ \t>]*(?P<mark>(?:!!!|\?\?\?\+?)[ \t]+\w+)"),
        "a box of MkDocs",
        _BOX,
    ),
    DialectMark(
        ("=== ", "===! ", "===+ "),
        re.compile(r"(?m)^[ \t>]*(?P<mark>===[!+]?[ \t]+(['\"])[^'\"\n]{1,200}\2)[ \t]*$"),
        "a tab of MkDocs",
        "write a heading or a bold word in its place",
    ),
    DialectMark(
        ("-8<-",), re.compile(r"(?m)^[ \t>]*(?P<mark>-+8<-+)"), "a snippet of MkDocs", _STANDS_FOR
    ),
    DialectMark(
        ("[[",),
        re.compile(
            r"(?P<mark>!?\[\[(?=[^\[\]\n]*[^\W\d_])[\w/][^\[\]\n=,;]{0,200}(?<=[\w)|.!?])\]\])"
            r"(?![\[(:])"
        ),
        _WIKI,
        "write a link with an address, or plain words",
    ),
    DialectMark(
        ("[!",), re.compile(r"(?m)^[ \t]*>[ \t>]*(?P<mark>\[![A-Za-z]+)"), "an alert", _BOX
    ),
    DialectMark(
        ("{.", "{#", "{:", "){", "]{", "`{"),
        ATTRIBUTES,
        "an attribute of pandoc or kramdown",
        "delete it, or write the element as HTML with the attribute",
    ),
    DialectMark(("{{#",), re.compile(r"(?P<mark>\{\{#\w+)"), "a command of mdBook", _STANDS_FOR),
    DialectMark(
        ("{{", "{%"),
        re.compile(r"(?P<mark>\{\{(?!#)[^{}\n]{1,200}\}\}|\{%[^{}%\n]{1,200}%\})"),
        "a command of Liquid, Jinja or Hugo",
        _STANDS_FOR,
    ),
    DialectMark(("{/*",), re.compile(r"(?P<mark>\{/\*)"), "a comment of MDX", "delete it"),
    DialectMark(
        ("port",),  # of `import` and `export`: a quick look stops at each `i` and `e`
        re.compile(
            r"(?m)^(?P<mark>import\s[^\n]{1,200}?\sfrom\s+(['\"])[^'\"\n]{1,200}\2;?[ \t]*$"
            r"|export\s+(?:const\s+\w+\s*=|default\s|function\s+\w+\s*\())"
        ),
        "a program of MDX",
        "delete it",
    ),
    DialectMark(
        ("[^",),
        re.compile(r"(?m)^[ \t]{0,3}(?P<mark>\[\^[\w-]{1,100}\]):"),
        "a footnote",
        "write the note where it belongs, in parentheses",
    ),
)
_SIGNS = [
    ("{" if "{" in sign else sign[0], sign, number)
    for number, mark in enumerate(_MARKS)
    for sign in mark.signs
]
"""Each with a character of it that few texts have, and the number of its mark."""
_ANY_SIGN = re.compile("|".join(re.escape(sign) for _, sign, _ in _SIGNS))
_MATHS = re.compile(
    r"(?s)\$\$(?!\$).{1,2000}?\$\$|\\\((?:(?!\\\().){1,2000}?\\\)|\\\[(?:(?!\\\[).){1,2000}?\\\]"
    r"|\$(?![\s$])[^$\n]{0,500}[^$\s]\$(?!\d)|\\begin\{(?:(?!\\begin).){0,2000}?\\end\{"
)
_HTML_CODE = re.compile(r"(?is)<(code|pre|kbd|samp|math)\b[^<>]*>(?:(?!<\1\b).){0,2000}?</\1\s*>")
_NOT_LINE_END = re.compile(r"[^\n]")
_ESCAPED = re.compile(r"\\[{}:!\[]")


def may_have_dialect(text: str) -> bool:
    """Whether a text has a mark of a dialect, be it in code; nothing is parsed for that."""
    return _ANY_SIGN.search(text) is not None and len(_list_marks(text)) > 0


@lru_cache(maxsize=128)  # a text that has one is asked about up to three times
def _list_marks(text: str) -> Sequence[DialectMark]:
    there = {rare for rare, _, _ in _SIGNS if rare in text}
    likely = {number for rare, sign, number in _SIGNS if rare in there and sign in text}
    return [_MARKS[number] for number in sorted(likely) if _MARKS[number].pattern.search(text)]


def find_dialect_marks(text: str) -> Iterator[Finding]:
    """Each mark of a dialect outside code and mathematics, with its position for a path."""
    marks = _list_marks(text) if _ANY_SIGN.search(text) else ()
    prose = hide_code(text) if marks else ""
    for mark in marks:
        for found in mark.pattern.finditer(prose):
            if mark.whose == _WIKI and _is_defined(found[0], text):
                continue
            group = next(name for name, value in found.groupdict().items() if value)
            message = f"`{found[group]}` is {mark.whose}: learners would read it"
            yield MARKDOWN_DIALECT.at((found.start(group),), message, mark.instead)


def _is_defined(mark: str, text: str) -> bool:
    """Whether words in two brackets are a link of Markdown, whose address is elsewhere."""
    label = re.escape(mark.strip("![]"))
    return re.search(rf"(?im)^[ >]*\[{label}\]:", text) is not None


def hide_code(text: str) -> str:
    """The text with another character for each one of code, HTML, mathematics and escapes: lines
    and positions stay as they are."""
    prose = _HTML_CODE.sub(lambda part: _NOT_LINE_END.sub("\0", part[0]), text)
    parts, end = [], 0
    for start, stop in list_places_as_written(text):
        parts += [prose[end:start], _NOT_LINE_END.sub("\0", prose[start:stop])]
        end = max(end, stop)
    prose = "".join([*parts, prose[end:]])
    for pattern in (_MATHS, _ESCAPED):
        prose = pattern.sub(lambda part: _NOT_LINE_END.sub(" ", part[0]), prose)
    return prose
