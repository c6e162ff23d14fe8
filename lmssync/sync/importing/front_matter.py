"""Pages of Markdown with front matter: the settings at the head, the title, the text."""

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from ...catalog.manifests.yaml import YamlMistake, load_yaml
from ...texts.values import has_front_matter, render_markdown
from . import plain
from .fields import PLAIN, as_list
from .sources import Files

Head = Mapping[str, Any]
ORDER = ("weight", "order", "nav_order", "sidebar_position", "position")
_FRONT = re.compile(r"(?s)\A---[ \t]*\n(?P<head>.*?)^(---|\.\.\.)[ \t]*$", re.MULTILINE)
_HEADING = re.compile(r"\s*#[ \t]+(?P<title>[^\n]+?)[ \t]*#*[ \t]*(\n|\Z)")
_OF_COURSE = {
    "summary": "description",
    "keywords": "tags",
    "author": "authors",
    "date": "publishDate",
}
"""Words of site generators for fields of a course."""
OF_PART = {"title", "id", "slug", "draft", *ORDER}
"""What any folder or page may say of itself."""


class MarkdownFile(NamedTuple):
    """A file of Markdown, taken apart."""

    name: str
    head: Head
    title: str
    """From the front matter or the first heading, which then is no part of the text."""
    text: str


def read_markdown_file(files: Files, name: str) -> MarkdownFile:
    """A file of a source; raises `NotReadable` for front matter that is no YAML."""
    head, text = _taken_apart(files, name, files.read_text(name))
    title = plain.fold_to_line(str(head.get("title") or ""))
    heading = _HEADING.match(text)
    if heading:
        shown = plain.fold_to_line(plain.html_to_prose(render_markdown(heading["title"])))
        if not title or shown == title:
            title, text = shown, text[heading.end() :]
    return MarkdownFile(name, head, title, text.strip("\n") + "\n" if text.strip() else "")


def _taken_apart(files: Files, name: str, text: str) -> tuple[Head, str]:
    """The front matter, and the text below it; what only looks like front matter stays text."""
    front = _FRONT.match(text)
    if not front:
        return {}, text
    is_meant = has_front_matter(text)
    try:
        documents = load_yaml(front["head"].encode())
    except YamlMistake as error:
        if not is_meant:
            return {}, text
        raise files.file_error(name, f"has front matter that is no YAML: {error}") from None
    head = documents[0] if documents else None
    if isinstance(head, dict) or (head is None and is_meant):
        return {str(key): value for key, value in (head or {}).items()}, text[front.end() :]
    return {}, text


def course_fields(head: Head) -> tuple[dict[str, Any], list[str]]:
    """The fields of a course that its index names, and the keys that nobody knows."""
    fields: dict[str, Any] = {}
    strange = []
    for key, value in head.items():
        field = _OF_COURSE.get(key, key)
        if key in OF_PART or key in {"key", "resource"} or value is None:
            continue
        if field in PLAIN and field not in fields:
            fields[field] = as_list(field, value)
        else:
            strange.append(key)
    if head.get("draft") is True:
        fields.setdefault("status", "draft")
    return fields, strange
