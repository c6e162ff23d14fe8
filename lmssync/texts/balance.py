"""Finds elements that are opened and not closed, and the reverse, as browsers count them."""

from collections.abc import Iterable, Iterator

from ..problems import Finding, warning
from .elements import CUT, FOREIGN, OPTIONAL_END, VOID, is_element
from .tags import Tag

HTML_UNBALANCED = warning(
    "html-unbalanced",
    "An element is never closed, or is closed without being opened.",
    "Add the missing tag, or delete the other one.",
    within="a topic",
    wrong="body: <div>Hi.",
    right="body: <div>Hi.</div>",
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
    """Takes what a closing tag ends from the elements that are open."""
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
