"""The tags of a text with HTML in it, as a browser finds them; nothing is built or fixed."""

import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple

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
    """One tag, and where its `<` stands."""

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
    """The tag that begins there, and where the text goes on."""
    name, at, after = opened[1].lower(), opened.start(), opened.end()
    attributes: dict[str, str | None] = {}
    while not (end := _END.match(text, after)):
        one = _ATTRIBUTE.match(text, after)
        if not one:
            return Tag(name, at, text[at + 1] == "/", whole=False), len(text)
        value = next((v for v in one.group(2, 3, 4) if v is not None), None)
        attributes.setdefault(one[1].lower(), value)
        after = one.end()
    return Tag(name, at, text[at + 1] == "/", "/" in end[0], attributes), end.end()
