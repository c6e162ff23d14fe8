"""Pages of Markdown with front matter: the settings at the head, the title, the text."""

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from ..manifests.yaml import YamlMistake, load
from ..texts import render
from ..texts.front_matter import has_front_matter
from . import plain
from .fields import PLAIN, listed
from .sources import Files

Head = Mapping[str, Any]
ORDER = ("weight", "order", "nav_order", "sidebar_position", "position")
_END = re.compile(r"(?m)^(---|\.\.\.)[ \t]*$")
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


class Page(NamedTuple):
    """A file of Markdown, taken apart."""

    name: str
    head: Head
    title: str
    """From the front matter or the first heading, which then is no part of the text."""
    text: str


def page(files: Files, name: str) -> Page:
    """A file of a source; raises `NotReadable` for front matter that is no YAML."""
    text = files.text(name)
    head: Head = {}
    if has_front_matter(text):
        head, text = _taken_apart(files, name, text)
    title = plain.line(str(head.get("title") or ""))
    heading = _HEADING.match(text)
    if heading:
        shown = plain.line(plain.prose(render(heading["title"])))
        if not title or shown == title:
            title, text = shown, text[heading.end() :]
    return Page(name, head, title, text.strip("\n") + "\n" if text.strip() else "")


def _taken_apart(files: Files, name: str, text: str) -> tuple[Head, str]:
    start = text.index("\n") + 1
    end = _END.search(text, start)
    assert end  # `has_front_matter` has seen it
    try:
        documents = load(text[start : end.start()].encode())
    except YamlMistake as error:
        raise files.wrong(name, f"has front matter that is no YAML: {error}") from None
    head = documents[0] if documents else {}
    if head is not None and not isinstance(head, dict):
        raise files.wrong(name, "has front matter that is no mapping of keys to values")
    return head or {}, text[end.end() :]


def course_fields(head: Head) -> tuple[dict[str, Any], list[str]]:
    """The fields of a course that its index names, and the keys that nobody knows."""
    fields: dict[str, Any] = {}
    strange = []
    for key, value in head.items():
        field = _OF_COURSE.get(key, key)
        if key in OF_PART or key in {"key", "resource"} or value is None:
            continue
        if field in PLAIN and field not in fields:
            fields[field] = listed(field, value)
        else:
            strange.append(key)
    if head.get("draft") is True:
        fields.setdefault("status", "draft")
    return fields, strange
