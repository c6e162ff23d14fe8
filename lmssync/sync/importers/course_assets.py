"""The files that texts and topics need: where they are copied to, and what address they get."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from html import escape
from itertools import count
from pathlib import PurePosixPath
from urllib.parse import quote

from ...texts.values import Link, parse_markdown
from ...vocabulary.markup import read_references
from .course_outline import Body, ContentRef, Course, Loss, SourceFile, UnreachableTarget
from .source_files import COPY_BYTES, SourceFiles

_TAG = re.compile(r"""<[a-zA-Z](?>(?:[^<>"']|"[^"]*"|'[^']*')*)>""")
_ATTRIBUTE = re.compile(
    r"""(\s(?:href|src|data|poster|srcset|style)\s*=\s*)("[^"]*"|'[^']*'|[^\s"'<>=]+)""",
    re.IGNORECASE,
)
_IN_VALUES = {
    "srcset": re.compile(r"(?P<before>(?:^|,)\s*)(?P<address>[^\s,]+)"),
    "style": re.compile(r"(?P<before>\burl\(\s*[\"']?)(?P<address>[^\s\"')]+)"),
}
"""Addresses in attributes that have other words as well."""
_TO_TARGET = re.compile(r"\]\(\s*<?|\]:\s*<?")

Replace = Callable[[str], str]
"""From an address of a text to the one that is to stand there."""


def replace_addresses(body: Body, replace: Replace) -> Body:
    """The body with every address replaced, in tags and in the links of Markdown."""
    if not body.markdown:
        return body._replace(text=_TAG.sub(lambda tag: _replace_in_tag(tag[0], replace), body.text))
    text, parsed = body.text, parse_markdown(body.text)
    links = (
        (place, place + len(old), replace(old))
        for old, place in _find_positions(text, parsed.links)
    )
    tags = (
        (t.start(), t.end(), _replace_in_tag(t[0], replace)) for t in _TAG.finditer(parsed.html)
    )
    for start, end, new in sorted([*links, *tags], reverse=True):
        text = text[:start] + new + text[end:]
    return body._replace(text=text)


def _replace_in_tag(tag: str, replace: Replace) -> str:
    def replace_attribute(match: re.Match[str]) -> str:
        old = read_references(match[2].strip("\"'"))
        several = _IN_VALUES.get(match[1].strip(" \t\n\r\f=").lower())
        if several is None:
            new = replace(old)
        elif "data:" in old:  # its commas are no ends
            new = old
        else:
            new = several.sub(lambda one: one["before"] + replace(one["address"]), old)
        return match[0] if new == old else f'{match[1]}"{escape(new)}"'

    return _ATTRIBUTE.sub(replace_attribute, tag)


def _find_positions(text: str, links: Iterable[Link]) -> Iterator[tuple[str, int]]:
    """The addresses that stand in the text letter by letter, and where each begins."""
    for link in links:
        opening = _TO_TARGET.search(text, link.at)
        place = opening.end() if opening else link.at
        if text.startswith(link.target, place):
            yield link.target, place


FOLDER = "assets"
_ODD = re.compile(r"[^\w.+()-]+")
_READ_BY_US = (".yaml", ".yml", ".j2")
"""Endings of manifests and templates: what a source brings along must not become one."""
_RELATIVE = re.compile(r"(?![\w+.-]+:|[/#?]|\s*$)")
_WEB = re.compile(r"(?i)https?://\S+$")


@dataclass
class CourseAssets:
    """The files of one course."""

    course: Course
    files: SourceFiles
    key: str
    base: str | None
    """Where the files of all courses will be hosted, if that is known."""
    copies: dict[str, str] = field(default_factory=dict)
    """By the name in the source: the path in the folder of the course."""

    def replace_body_addresses(self, body: Body, beside: str = "") -> Body:
        """The body with the addresses that are known; what is missing is noted, each once.

        A text that is only read on disk names copies by their paths from `beside`.
        """
        known: dict[str, str] = {}

        def replace_address(old: str) -> str:
            if old not in known:
                known[old] = self._replace_address(old, body, beside)
            return known[old]

        return replace_addresses(body, replace_address)

    def _replace_address(self, old: str, body: Body, beside: str) -> str:
        target = self.course.resolve(old, body.base)
        if target is None and _RELATIVE.match(old):
            target = UnreachableTarget("is relative, and the source does not contain its target")
        if isinstance(target, UnreachableTarget):
            self.course.note_loss(body.place, f"the link `{old}` {target.why}")
        if not isinstance(target, SourceFile):
            return old
        if beside:
            path = self.copy_file(target, body.place)
            return f"{beside}/{quote(path)}" if path else old
        fragment = old.partition("#")[2]
        url = self.copy_and_address(target, body.place, f"`{old}`")
        return f"{url}#{fragment}" if url and fragment else url or old

    def find_content_address(self, address: ContentRef, place: str) -> str:
        """The http address of the content of a topic; empty if it has none yet."""
        target = self.course.resolve(address.target, address.base)
        if isinstance(target, SourceFile):
            return self.copy_and_address(target, place, f"`{target.shown}`")
        if _WEB.match(address.target):
            return address.target
        why = target.why if target else "is not an http or https address"
        self.course.note_loss(place, f"`{address.target}` {why}")
        return ""

    def copy_and_address(self, file: SourceFile, place: str, shown: str) -> str:
        """Copies a file; its address where one is known. Else empty, and it is noted."""
        path = self.copy_file(file, place)
        if path and self.base:
            return self.find_address(path)
        if path:
            self.course.note_loss(
                place, f"{shown} needs an address: copied to {path}", Loss.HOSTING
            )
        return ""

    def find_address(self, path: str) -> str:
        """The address of a copy, if it is known where the files are hosted."""
        below = quote(f"{self.key}/{PurePosixPath(path).name}")
        return f"{self.base.rstrip('/')}/{below}" if self.base else ""

    def copy_file(self, file: SourceFile, place: str) -> str:
        """The path of the copy; empty for a file that is not copied."""
        if file.name in self.copies:
            return self.copies[file.name]
        size = self.files.sizes[file.name]
        if size > COPY_BYTES:
            self.files.opened.add(file.name)
            message = f"{file.shown} has {size:,} bytes and was not copied: host it yourself"
            self.course.note_loss(place, message, Loss.HOSTING)
            return ""
        taken = {path.casefold() for path in self.copies.values()}
        path = next(path for path in _possible_paths(file.shown) if path.casefold() not in taken)
        self.copies[file.name] = path
        return path


def _possible_paths(shown: str) -> Iterator[str]:
    """Paths for a copy, the plainest first."""
    name = _ODD.sub("-", PurePosixPath(shown).name).strip("-.") or "file"
    if name.casefold().endswith(_READ_BY_US):
        name += ".txt"
    plain = PurePosixPath(name)
    yield f"{FOLDER}/{name}"
    yield from (f"{FOLDER}/{plain.stem}-{number}{plain.suffix}" for number in count(2))
