"""A page of Markdown, taken apart: its front matter, its title and its text."""

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
    """Front matter in TOML, with dates as text, as YAML has them."""
    try:
        head = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise files.file_error(name, f"has front matter that is not TOML: {error}") from None
    return {k: v.isoformat() if isinstance(v, date | time) else v for k, v in head.items()}
