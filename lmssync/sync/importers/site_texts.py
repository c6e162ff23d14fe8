"""The texts of a site of Markdown: pages with front matter, and scripts that export sidebars.

No program is run: a script with anything more in it is refused, so that nothing of it is lost.
"""

import re
import tomllib
from collections.abc import Mapping
from datetime import date, time
from typing import Any, NamedTuple

from ...catalog.manifests.yaml import YamlMistake, load_yaml
from ...texts.values import has_front_matter, render_markdown
from .source_files import SourceFiles
from .source_texts import fold_to_line, html_to_prose

Head = Mapping[str, Any]
_FRONT = re.compile(r"(?s)\A---[ \t]*\n(?P<head>.*?)^(---|\.\.\.)[ \t]*$", re.MULTILINE)
_TOML_FRONT = re.compile(r"(?s)\A\+\+\+[ \t]*\n(?P<head>.*?)^\+\+\+[ \t]*$", re.MULTILINE)
# Atomic: a page with many comments and no heading would be tried in every division of them.
_HEADING = re.compile(
    r"(?s)(?P<before>(?>(?:\s*+<!--(?>(?:(?!-->).)*)-->)*))\s*+"
    r"(?:#[ \t]++(?P<title>[^\n]+)"
    r"|(?![#>|<]|[-*+][ \t]|```|~~~)(?P<above>[^\n]++)\n[ ]{0,3}=++[ \t]*+)(\n|\Z)"
)
"""The first heading, below comments: behind `#`, or above a line of `=`."""


class MarkdownFile(NamedTuple):
    """A file of Markdown, taken apart."""

    name: str
    head: Head
    title: str
    """From the front matter or the first heading, which then is no part of the text."""
    text: str


def read_markdown_file(files: SourceFiles, name: str) -> MarkdownFile:
    """A file of a source; raises `NotReadable` for front matter that is damaged."""
    head, text = _split_front_matter(files, name, files.read_text(name))
    title = fold_to_line(str(head.get("title") or ""))
    heading = _HEADING.match(text)
    if heading:
        line = _spell_heading(heading["title"] or heading["above"])
        # As a heading: a line of its own that begins with `1.` would be a list.
        shown = fold_to_line(html_to_prose(render_markdown(f"# {line}")))
        # A title in the front matter that differs from the heading is another text: both stay.
        if not title or shown == title:
            # Without an empty line, what follows would be HTML as the comment is.
            before = f"{heading['before'].strip()}\n\n".lstrip()
            title, text = shown, before + text[heading.end() :].lstrip("\n")
    return MarkdownFile(name, head, title, text.strip("\n") + "\n" if text.strip() else "")


def _spell_heading(line: str) -> str:
    """A heading without the attributes and the number signs that may end its line."""
    text, brace, attributes = line.rstrip().rpartition("{")
    if not (brace and attributes.startswith(("#", ".")) and attributes.endswith("}")):
        text = line
    return text.rstrip().rstrip("#").rstrip() or line


def _split_front_matter(files: SourceFiles, name: str, text: str) -> tuple[Head, str]:
    """The front matter, and the text below it; what only looks like front matter stays text."""
    if toml := _TOML_FRONT.match(text):
        return _read_toml_head(files, name, toml["head"]), text[toml.end() :]
    front = _FRONT.match(text)
    if not front:
        return {}, text
    is_meant = has_front_matter(text)
    try:
        documents = load_yaml(front["head"].encode())
    except YamlMistake as error:
        # Two lines of dashes are rules in Markdown as well: what is between them need not be YAML.
        if not is_meant:
            return {}, text
        raise files.file_error(name, f"has front matter that is not YAML: {error}") from None
    head = documents[0] if documents else None
    if isinstance(head, dict) or (head is None and is_meant):
        return {str(key): value for key, value in (head or {}).items()}, text[front.end() :]
    return {}, text


def _read_toml_head(files: SourceFiles, name: str, text: str) -> Head:
    try:
        head = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise files.file_error(name, f"has front matter that is not TOML: {error}") from None
    # Dates become text, as YAML has them.
    return {k: v.isoformat() if isinstance(v, date | time) else v for k, v in head.items()}


_PREFACE = re.compile(r"(?:import\b[\w$\s{},*]*)?(?:'[^'\\\n]*'|\"[^\"\\\n]*\")")
"""An import, or a directive such as 'use strict'."""
_BINDING = re.compile(r"(?:const|let|var)\b")
_EXPORT = re.compile(r"export\s+default\b|module\.exports\s*=")
_TYPE = re.compile(r":\s*[\w$.]+")
_CAST = re.compile(r"(?:as|satisfies)\s+[\w$.]+")
_BLANK = re.compile(r"(?:\s+|//[^\n\u2028\u2029]*|/\*(?:(?!\*/).)*\*/)", re.DOTALL)
_TEXT = re.compile(r"'(?:[^'\\\n]|\\.)*'|\"(?:[^\"\\\n]|\\.)*\"|`[^`\\$]*`")
_WORD = re.compile(r"[A-Za-z_$][\w$]*")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]{0,14})")
_HEX = "[0-9a-fA-F]"
_ESCAPE = re.compile(rf"\\(?:u({_HEX}{{4}})|u\{{({_HEX}{{1,6}})\}}|x({_HEX}{{2}})|(.))")
_SIGNS = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}
_NO_SIGNS = "ux0123456789\u2028\u2029"
"""What an escape of another form begins with; such a text is refused."""
_WORDS = {"true": True, "false": False, "null": None, "undefined": None}
_DEPTH_MOST = 40


def parse_script_object(text: str) -> Any:
    """The object that a script exports; raises `ValueError` where the script is more than that."""
    return _ScriptReading(text).read_script()


def _decode_text(text: str) -> str:
    """The text between two quotes; halves of a sign that are alone raise `ValueError`."""
    decoded = _ESCAPE.sub(_decode_escape, text[1:-1])
    return decoded.encode("utf-16-le", "surrogatepass").decode("utf-16-le")


def _decode_escape(escape: re.Match[str]) -> str:
    if code := escape[1] or escape[2] or escape[3]:
        return chr(int(code, 16))
    if escape[4] in _NO_SIGNS:
        raise ValueError(f"it has the escape {escape[0]!r}")
    return _SIGNS.get(escape[4], escape[4])


class _ScriptReading:
    """A place in a script, which moves on as values are read."""

    def __init__(self, text: str) -> None:
        self._text, self._at = text, 0

    def read_script(self) -> Any:
        """The value that is exported, directly or by its name."""
        while self._match(_PREFACE):
            self._take(";")
        value, name = None, None
        if self._match(_BINDING):
            name = self._match(_WORD)
            self._match(_TYPE)
            if not name or not self._take("="):
                raise ValueError("it binds more than a name")
            value = self.read_value(0)
            self._end_statement()
        if not self._match(_EXPORT):
            raise ValueError("it does more than export an object")
        if name is None:
            value = self.read_value(0)
        elif not (exported := self._match(_WORD)) or exported[0] != name[0]:
            raise ValueError("it exports something else than its object")
        self._end_statement()
        self._skip_blanks()
        if self._at < len(self._text):
            raise ValueError("it goes on after its export")
        return value

    def _end_statement(self) -> None:
        while self._match(_CAST):
            pass
        self._take(";")

    def read_value(self, depth: int) -> Any:
        self._skip_blanks()
        if depth > _DEPTH_MOST:
            raise ValueError("it is too deep")
        if self._take("{"):
            return self._read_object(depth)
        if self._take("["):
            return self._read_list(depth)
        if text := self._match(_TEXT):
            return _decode_text(text[0])
        if number := self._match(_NUMBER):
            return int(number[0])
        word = self._match(_WORD)
        if word is None or word[0] not in _WORDS:
            raise ValueError(f"it is a program at {self._text[self._at : self._at + 20]!r}")
        return _WORDS[word[0]]

    def _read_object(self, depth: int) -> dict[str, Any]:
        found: dict[str, Any] = {}
        while not self._take("}"):
            key = self._match(_WORD) or self._match(_TEXT)
            if key is None or not self._take(":"):
                raise ValueError("it is more than an object")
            name = key[0] if key.re is _WORD else _decode_text(key[0])
            if name.isdecimal() or name == "__proto__":
                raise ValueError(f"JavaScript would put the key {name} elsewhere")
            found[name] = self.read_value(depth + 1)
            self._end_entry("}")
        return found

    def _read_list(self, depth: int) -> list[Any]:
        found: list[Any] = []
        while not self._take("]"):
            found.append(self.read_value(depth + 1))
            self._end_entry("]")
        if not all(isinstance(entry, str | dict) for entry in found):
            raise ValueError("a list has an entry that is neither text nor object")
        return found

    def _end_entry(self, end: str) -> None:
        """Takes the comma after an entry."""
        # The end of the list stays where it is: whoever reads the list takes it.
        if not self._take(",") and not self._text.startswith(end, self._at):
            raise ValueError("it is more than texts and lists")

    def _take(self, sign: str) -> bool:
        self._skip_blanks()
        if not self._text.startswith(sign, self._at):
            return False
        self._at += len(sign)
        return True

    def _match(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        self._skip_blanks()
        found = pattern.match(self._text, self._at)
        if found:
            self._at = found.end()
        return found

    def _skip_blanks(self) -> None:
        while blank := _BLANK.match(self._text, self._at):
            self._at = blank.end()
