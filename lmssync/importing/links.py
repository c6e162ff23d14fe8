"""The addresses in a text, and the same text with others in their place."""

import re
from collections.abc import Callable, Iterable, Iterator
from html import escape

from ..texts import Link, parse_markdown
from ..vocabulary.markup import read_references
from .outline import Body

_TAG = re.compile(r"""<[a-zA-Z](?>(?:[^<>"']|"[^"]*"|'[^']*')*)>""")
_ATTRIBUTE = re.compile(
    r"""(\s(?:href|src|data|poster)\s*=\s*)("[^"]*"|'[^']*'|[^\s"'<>=]+)""", re.IGNORECASE
)
_TO_TARGET = re.compile(r"\]\(\s*<?|\]:\s*<?")

Replace = Callable[[str], str]
"""From an address of a text to the one that is to stand there."""


def replace_addresses(body: Body, replace: Replace) -> Body:
    """The body with every address replaced, in tags and in the links of Markdown."""
    if not body.markdown:
        return body._replace(text=_TAG.sub(lambda tag: _in_tag(tag[0], replace), body.text))
    text, parsed = body.text, parse_markdown(body.text)
    links = (
        (place, place + len(old), replace(old))
        for old, place in _find_positions(text, parsed.links)
    )
    tags = ((t.start(), t.end(), _in_tag(t[0], replace)) for t in _TAG.finditer(parsed.html))
    for start, end, new in sorted([*links, *tags], reverse=True):
        text = text[:start] + new + text[end:]
    return body._replace(text=text)


def _in_tag(tag: str, replace: Replace) -> str:
    def replace_attribute(match: re.Match[str]) -> str:
        old = read_references(match[2].strip("\"'"))
        new = replace(old)
        return match[0] if new == old else f'{match[1]}"{escape(new)}"'

    return _ATTRIBUTE.sub(replace_attribute, tag)


def _find_positions(text: str, links: Iterable[Link]) -> Iterator[tuple[str, int]]:
    """The addresses that stand in the text letter by letter, and where each begins."""
    for link in links:
        opening = _TO_TARGET.search(text, link.at)
        place = opening.end() if opening else link.at
        if text.startswith(link.target, place):
            yield link.target, place
