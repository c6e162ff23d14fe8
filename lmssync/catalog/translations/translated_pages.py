"""The pages of a resource that may be in several languages, and their texts as passages."""

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from ...kinds import KINDS
from ...resource import Form, Path, Resource
from ...texts.html_layout import INLINE
from ...texts.values import VOID, find_tags, name_event, parse_events
from ...vocabulary.enums import TopicType

LANGUAGES, LANGUAGE = "languages", "language"
BODY = "body"
LINES = ("title", "subtitle", "copyright", "externalUrlCallToAction")
"""Fields of one passage."""
FIELDS = (*LINES, BODY)
_AROUND = frozenset({"ul", "ol", "div", "section", "article", "main", "header", "footer"})
"""Elements whose content has passages of its own."""


class TextBlock(NamedTuple):
    """A passage of a text, by its place in characters."""

    start: int
    end: int


def split_body(text: str, *, is_markdown: bool) -> list[TextBlock]:
    """The passages of a body, in their order; between them is nothing that people read."""
    blocks = _find_markdown_blocks(text) if is_markdown else _find_html_blocks(text)
    return [block for block in blocks if text[block.start : block.end].strip()]


def count_marks(text: str, *, is_markdown: bool) -> Counter[str]:
    """How often a text has each tag of HTML and each mark of Markdown."""
    marks = Counter(f"<{'/' if tag.closes else ''}{tag.name}>" for tag in find_tags(text))
    for event, _ in parse_events(text) if is_markdown else ():
        if begun := name_event(event, "Start"):
            marks[begun] += 1
    return marks


def _find_markdown_blocks(text: str) -> Iterator[TextBlock]:
    """The blocks of the outermost level; of a list there, each item."""
    raw, outermost, depth, byte, at = text.encode(), "", 0, 0, 0
    for event, place in parse_events(text):
        depth -= bool(name_event(event, "End"))
        begun = name_event(event, "Start")
        if begun and not depth:
            outermost = begun
        if begun and depth == (outermost == "List") and (depth or begun != "List"):
            # The parser counts bytes. Each stretch is decoded once, from where the last one began.
            at += len(raw[byte : place["start"]].decode())
            byte = place["start"]
            yield _trim_block(text, at, at + len(raw[byte : place["end"]].decode()))
        depth += bool(begun)


def _find_html_blocks(text: str) -> Iterator[TextBlock]:
    """The elements of the outermost level, and those in lists and divisions; text around them."""
    start, name, depth = 0, "", 0
    for tag in find_tags(text):
        if tag.name in INLINE or tag.itself or (name and tag.name != name):
            continue
        end = text.find(">", tag.at) + 1 or len(text)
        if not name:
            yield _trim_block(text, start, tag.at)
            is_around = tag.closes or tag.name in _AROUND or tag.name in VOID
            start, name, depth = (end, "", 0) if is_around else (tag.at, tag.name, 1)
            continue
        depth += -1 if tag.closes else 1
        if not depth:
            yield _trim_block(text, start, end)
            start, name = end, ""
    yield _trim_block(text, start, len(text))


def _trim_block(text: str, start: int, end: int) -> TextBlock:
    piece = text[start:end]
    start += len(piece) - len(piece.lstrip())
    return TextBlock(start, start + len(piece.strip()))


class LanguageText(NamedTuple):
    """What a page says in one language."""

    holder: Mapping[str, Any]
    """The mapping of the form that has the fields."""

    @property
    def body(self) -> tuple[str, bool]:
        """The body, and whether it is Markdown."""
        body = self.holder.get(BODY) or ""
        return (body["$markdown"] or "", True) if isinstance(body, dict) else (body, False)

    @property
    def blocks(self) -> list[TextBlock]:
        text, is_markdown = self.body
        return split_body(text, is_markdown=is_markdown)

    def list_passages(self, field: str) -> list[str]:
        if field != BODY:
            line = self.holder.get(field)
            return [line] if line else []
        text, _ = self.body
        return [text[block.start : block.end] for block in self.blocks]


class TranslatedPage(NamedTuple):
    """A page with its texts in the language of the course and in further ones."""

    resource: Resource
    path: Path
    """Of the mapping in the form, and in the document."""
    part: str
    """The path of the topic, `start/welcome/hello`."""
    source: LanguageText
    languages: Mapping[str, LanguageText]

    @property
    def language(self) -> str:
        """The language of the source, if the page names it: only articles can."""
        return str(self.source.holder.get(LANGUAGE) or "")

    @property
    def title(self) -> str:
        """The title of the page; of an article, that of the course."""
        title = self.source.holder.get("title") or self.resource.form.get("title")
        return str(title or self.part)


def list_pages(resource: Resource) -> Iterator[TranslatedPage]:
    """The pages of a resource that have further languages or may have some, in their order."""
    authoring, form = KINDS[resource.address.kind].authoring, resource.form
    types = authoring.parts(form)
    for path, holder in authoring.body_fields(form):
        if LANGUAGES in path:
            continue
        # Only where the platform makes the one page itself, the path has no ids of parts.
        part = _name_part(form, path) or next(iter(types), "")
        if holder.get(LANGUAGES) or types.get(part) == TopicType.ARTICLE:
            rows = {row[LANGUAGE]: LanguageText(row) for row in holder.get(LANGUAGES) or ()}
            yield TranslatedPage(resource, path, part, LanguageText(holder), rows)


def _name_part(form: Form, path: Path) -> str:
    ids, here = [], form
    for step in path:
        here = here[step]  # type: ignore[index]  # a path of this form
        if isinstance(step, int):
            ids.append(here["id"])
    return "/".join(ids)


def digest_text(text: str) -> str:
    """A short hash of what people read: where the lines of a text break does not count."""
    # Sixteen digits are enough: what is compared is one passage with the one before it.
    return hashlib.sha256(" ".join(text.split()).encode()).hexdigest()[:16]
