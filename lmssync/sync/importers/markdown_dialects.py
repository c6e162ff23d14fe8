"""Turns what dialects of Markdown write into plain Markdown, which the platform shows."""

import posixpath
import re
from collections.abc import Iterator
from typing import NamedTuple

from ...texts.values import ATTRIBUTES, hide_code
from .source_files import NotReadable, SourceFiles

_LETTERS_MOST = 2_000_000
"""Letters of a page with all that it includes: a page may include a file often."""
_INCLUDES_MOST = 10
"""Files that include each other; more do so in a circle. Boxes in each other as well."""
_INCLUDE = re.compile(
    r"(?<!\\)\{\{#(?:rustdoc_include|include|playground)[ \t]++"
    r"(?P<file>[^\s:}]++)(?>(?::(?P<part>[^}\s]*+))?)[^}\n]*+\}\}"
)
_ANCHOR = re.compile(r"ANCHOR(?P<end>_END)?:\s*(?P<name>[\w-]+)")
_LINES = re.compile(r"(?P<first>\d{0,9})(?P<to>:?)(?P<last>\d{0,9})")
_FENCE = re.compile(r"\s{0,3}(`{3,}|~{3,})")
_CODE = re.compile(r"(`+)(?!`).*?(?<!`)\1(?!`)")
_BOX = re.compile(
    r"[ \t]*+:{3,}+[ \t]*+(?P<word>[\w-]*+)[ \t]*+(?P<attributes>(?>\{[^{}\n]*+\}[ \t]*+)?"
    r"(?>[\w-]++=(?>\"[^\"\n]*+\"|[^\s\":]++)[ \t]*+)*)(?P<end>:*+)(?P<text>[^\n]*+)"
)
_INDENTED_BOX = re.compile(
    r"(?P<indent>[ ]*)"
    r"(?:(?:!!!|\?\?\?\+?)[ \t]++(?P<word>[A-Za-z][\w-]*+)[\w \t-]*+|===[!+]?[ \t]++)"
    r"(?:(?P<quote>['\"])(?P<title>.*)(?P=quote))?[ \t]*"
)
"""A box or a tab of MkDocs; what is in it is indented by four blanks more."""
_PLUGIN = re.compile(r"(?m)^:::[ \t]+[\w-]+(?:(?:\.[\w-]+)+[ \t]*$|[ \t]*\n[ ]{4,}:?\w+:)")
"""A name with settings below it, or of a module: a plugin of MkDocs puts a text there."""
_ALERT = re.compile(
    r"(?m)^(?P<quote>[ \t]*>[ \t>]*)\[!(?P<word>[A-Za-z]+)\][+-]?[ \t]*(?P<title>[^\n]*)$"
)
_FOOTNOTE = re.compile(r"[ ]{0,3}\[\^(?P<label>[^\[\]\s]+)\]:[ \t]*")
_FOOTNOTE_MARK = re.compile(r"\[\^(?P<label>[^\[\]\s]+)\]")
_VALUE = re.compile(r"(?P<name>[\w-]++)=\"(?P<value>[^\"\n]*+)\"")
_MARKUP = re.compile(r"[\[\]<>`*:]")
_LEFT = {
    "`{{...}}`": re.compile(r"\{\{(?:(?!\{\{).)*?\}\}"),
    "`{% ... %}`": re.compile(r"\{%(?:(?!\{%).)*?%\}"),
    "an `import` or `export` of MDX": re.compile(
        r"^\s*(?:import\s.+\sfrom\s+['\"]|export\s+(const|default|function)\s)"
    ),
    "a name (`:::`) for the text of a plugin of MkDocs": re.compile(
        r"^:::[ \t]+(?:[\w-]+\.[\w.-]+|[\w-]+)[ \t]*$"
    ),
    "a snippet of MkDocs": re.compile(r"^[\s>]*-+8<-+"),
    "a link of a wiki such as `[[page]]`": re.compile(
        r"\[\[(?=[^\[\]\n]*[^\W\d_])[\w/][^\[\]\n=,;]{0,200}\]\](?![\[(:])"
    ),
    "a component of MDX": re.compile(r"</?[A-Z]+[a-z]\w*(\.\w+)*(\s[^<>]*)?/?>"),
}
"""What stays as it is and is shown as text, by what the report calls it."""


class PlainMarkdown(NamedTuple):
    """A page without the marks of a dialect."""

    text: str
    taken: list[str]
    """Marks that are no part of the text any more."""
    left: list[str]
    """Marks that learners would see as text."""


def make_plain_markdown(files: SourceFiles, name: str, text: str) -> PlainMarkdown:
    """The text of a page in plain Markdown; code stays as it is, but for what it includes."""
    whole = _Includer(files, len(text)).expand_includes(name, text)
    # Includes were first: what they bring has the marks of the dialect as well.
    bare = _drop_comments(whole)
    taken = ["comments of MDX"] if bare != whole else []
    spelled = _spell_indented_boxes(bare)
    taken += ["marks of boxes and tabs such as `!!!`"] if spelled != bare else []
    prose = hide_code(spelled)
    boxed = _spell_boxes(spelled, prose)
    taken += ["`:::`"] if boxed != spelled else []
    plain = _spell_alerts(boxed)
    taken += ["marks of alerts such as `[!NOTE]`"] if plain != boxed else []
    noted = _spell_footnotes(plain)
    taken += ["marks of footnotes such as `[^1]`"] if noted != plain else []
    without = _drop_attributes(noted)
    if without != noted:
        taken.append("attributes such as `{.class}`")
    seen = list(_list_prose(without.split("\n")))
    left = [what for what, mark in _LEFT.items() if any(map(mark.search, seen))]
    return PlainMarkdown(without.strip("\n") + "\n" if taken else without, taken, left)


def _list_prose(lines: list[str]) -> Iterator[str]:
    """Each line outside fenced code, without what is between its backticks; tags stay in it."""
    fence = ""
    for line in lines:
        mark = _FENCE.match(line)
        if mark and not fence:
            fence = mark[1]
        elif mark and mark[1].startswith(fence) and not line.strip(f" {fence[0]}"):
            fence = ""
        elif not fence:
            yield _CODE.sub("", line)


def _spell_boxes(text: str, prose: str) -> str:
    """The text with words in place of the marks of boxes; `prose` is the text without its code."""
    lines = zip(text.split("\n"), prose.split("\n"), strict=True)
    plugins = {mark.start() for mark in _PLUGIN.finditer(text)} if ":::" in text else set[int]()
    spelled, at = list[str](), 0
    for line, shown in lines:
        is_box = shown.lstrip().startswith(":::") and at not in plugins
        spelled.append(_spell_box(line) if is_box else line)
        at += len(line) + 1
    return "\n".join(spelled)


def _spell_indented_boxes(text: str) -> str:
    """The text with words in place of the marks of boxes and tabs of MkDocs, outer ones first."""
    for _ in range(_INCLUDES_MOST):
        # A round takes the indent of the outermost boxes away: those in them are outermost then.
        before, lines = text, text.split("\n")
        shown = (
            hide_code(text).split("\n") if "!!! " in text or "???" in text or "===" in text else []
        )
        depth = None
        for number, prose in enumerate(shown):
            line = lines[number]
            inside = depth is not None and (not line.strip() or line.startswith(" " * (depth + 4)))
            if inside:
                lines[number] = line[4:] if line.strip() else line
                continue
            # Code is hidden in `prose`: a line that differs there is code.
            is_code = prose.lstrip()[:3] != line.lstrip()[:3]
            box = None if is_code else _INDENTED_BOX.fullmatch(line)
            depth = len(box["indent"]) if box and (box["word"] or box["title"]) else None
            if box and depth is not None:
                title = box["title"] if box["title"] is not None else box["word"].capitalize()
                lines[number] = _spell_title(title, box["indent"])
        text = "\n".join(lines)
        if text == before:
            break
    return text


def _spell_title(title: str, before: str) -> str:
    """A title in bold, on a paragraph of its own."""
    plain = title if not title or _MARKUP.search(title) else f"**{title}**"
    return f"\n{before}{plain}\n" if plain else ""


def _spell_alerts(text: str) -> str:
    """The text with bold words in place of alerts such as `[!NOTE]`."""
    shown, parts, end = hide_code(text) if "[!" in text else "", list[str](), 0
    for mark in _ALERT.finditer(shown):
        quote, title = mark["quote"], text[mark.start("title") : mark.end()].strip()
        words = title if _MARKUP.search(title) else f"**{title or mark['word'].capitalize()}**"
        parts += [text[end : mark.start()], f"{quote}{words}\n{quote.rstrip()}"]
        end = mark.end()
    return "".join([*parts, text[end:]])


def _spell_footnotes(text: str) -> str:
    """The text with `[1]` in place of `[^1]`, where there is a note; each is a paragraph."""
    shown = hide_code(text).split("\n") if "[^" in text else []
    notes = [_FOOTNOTE.match(line) for line in shown]
    labels = {note["label"] for note in notes if note}
    if not labels:
        return text
    lines, inside = list[str](), False
    for line, note in zip(text.split("\n"), notes, strict=True):
        indented = line.startswith(("    ", "\t"))
        if note:
            # A note of one word would be the address of a link, and its text would be lost.
            lines += ["", f"[^{note['label']}] {line[note.end() :]}"]
        elif inside and indented:
            lines.append(line[1:] if line.startswith("\t") else line[4:])
        else:
            lines.append(line)
        inside = bool(note) or (inside and (indented or not line.strip()))
    noted, parts, end = "\n".join(lines), list[str](), 0
    for mark in _FOOTNOTE_MARK.finditer(hide_code(noted)):
        if mark["label"] in labels:
            # With backslashes, so that no link is made of it.
            parts += [noted[end : mark.start()], f"\\[{mark['label']}\\]"]
            end = mark.end()
    return "".join([*parts, noted[end:]])


def _spell_box(line: str) -> str:
    """The line in place of a mark: the title of a box in bold, and what else is on its line."""
    mark = _BOX.match(line)
    if mark is None:
        return line
    word, text = mark["word"], re.sub(r":{3,}$", "", mark["text"].strip()).strip()
    values = {one["name"]: one["value"] for one in _VALUE.finditer(mark["attributes"])}
    if word == "image" and "source" in values:
        return f"![{values.get('alt-text', '')}]({values['source']}) {text}".rstrip()
    plain = text and not _MARKUP.search(text)
    is_box = word and not values and not mark["end"]
    if is_box and text.startswith("[") and text.endswith("]"):
        text = text[1:-1]  # as Docusaurus writes titles
        plain = not _MARKUP.search(text)
    if is_box and plain:
        return f"\n**{text}**\n"
    name = f"\n**{word.replace('-', ' ').capitalize()}**\n" if is_box else ""
    return f"{name}\n{text}\n" if text else name


def _drop_attributes(text: str) -> str:
    parts, end = [], 0
    for mark in ATTRIBUTES.finditer(hide_code(text)):
        group = next(name for name, value in mark.groupdict().items() if value)
        parts.append(text[end : mark.start(group)].rstrip(" \t" if group == "end" else ""))
        end = mark.end(group)
    return "".join([*parts, text[end:]])


def _drop_comments(text: str) -> str:
    """The text without comments of MDX, and without the blanks before them."""
    shown, parts, end = hide_code(text) if "{/*" in text else "", list[str](), 0
    while (start := shown.find("{/*", end)) >= 0 and (stop := shown.find("*/}", start)) >= 0:
        parts.append(text[end:start].rstrip(" \t"))
        end = stop + len("*/}")
    return "".join([*parts, text[end:]])


class _Includer:
    """Puts the parts of files that a page asks for in place of its marks; some stay as they are."""

    def __init__(self, files: SourceFiles, length: int) -> None:
        self._files, self._total = files, length
        self._lines: dict[str, list[str]] = {}  # a page may take hundreds of parts of one file
        self._parts: dict[tuple[str, str], str] = {}

    def expand_includes(self, name: str, text: str, depth: int = 0) -> str:
        """The text of a file with what it includes, and what that includes."""
        return _INCLUDE.sub(lambda mark: self._replace_mark(mark, name, depth), text)

    def _replace_mark(self, mark: re.Match[str], name: str, depth: int) -> str:
        file = posixpath.normpath(posixpath.join(posixpath.dirname(name), mark["file"]))
        if file not in self._files or self._total > _LETTERS_MOST or depth == _INCLUDES_MOST:
            return mark[0]
        wanted = (file, mark["part"] or "")
        try:
            if file not in self._lines:
                self._lines[file] = self._files.read_text(file).rstrip("\n").split("\n")
        except NotReadable:  # a picture, or a file that is too large: the mark is reported
            return mark[0]
        if wanted not in self._parts:
            self._parts[wanted] = _cut_part(self._lines[file], wanted[1])
            self._total += len(self._lines[file])  # an anchor is looked for in all of them
        self._total += len(self._parts[wanted])
        if self._total > _LETTERS_MOST:
            return mark[0]
        return self.expand_includes(file, self._parts[wanted], depth + 1)


def _cut_part(lines: list[str], part: str) -> str:
    """The lines of a file that a mark names by their numbers or by an anchor."""
    numbers = _LINES.fullmatch(part)
    if part and numbers:
        first = int(numbers["first"] or 1)
        last = int(numbers["last"]) if numbers["last"] else len(lines) if numbers["to"] else first
        lines = lines[max(first - 1, 0) : last]
    elif part:
        lines = list(_cut_anchor(lines, part))
    return "\n".join(line for line in lines if not _ANCHOR.search(line))


def _cut_anchor(lines: list[str], name: str) -> Iterator[str]:
    inside = False
    for line in lines:
        mark = _ANCHOR.search(line)
        if mark and mark["name"] == name:
            inside = not mark["end"]
        elif inside:
            yield line
