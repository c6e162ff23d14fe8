"""What the columns of a table mean, and what their cells say."""

import re
from collections.abc import Sequence
from typing import Any

from .fields import LISTS, NUMBERS, PLAIN, SWITCHES
from .plain import parse_whole_number

PARTS = ("section", "lesson", "topic")
_MORE = ("key", "title", "kind", *PARTS, "type", "body", "markdown", "openType", "price")
_SYNONYMS = {
    "course": "title",
    "coursetitle": "title",
    "coursename": "title",
    "name": "title",
    "id": "key",
    "slug": "key",
    "courseid": "key",
    "coursekey": "key",
    "coursekind": "kind",
    "summary": "description",
    "tag": "tags",
    "keywords": "tags",
    "categories": "tags",
    "author": "authors",
    "module": "section",
    "chapter": "section",
    "unit": "lesson",
    "page": "topic",
    "topictitle": "topic",
    "topictype": "type",
    "content": "body",
    "html": "body",
    "text": "markdown",
    "video": "videoUrl",
    "pdf": "pdfUrl",
    "scorm": "scormUrl",
    "startdate": "courseStartDate",
    "enddate": "courseEndDate",
    "image": "asset",
    "thumbnail": "asset",
}
_PLAIN_NAME = re.compile(r"[\W_]+")
_YES = frozenset({"true", "yes", "y", "x", "1", "on"})
_NO = frozenset({"false", "no", "n", "0", "off"})
_PRICE = re.compile(r"(\d{1,15})(?:[.,](\d{1,2}))?")
_SEPARATORS = re.compile(r"[;|\n]")


def column_meanings(head: Sequence[str]) -> list[str]:
    """The meaning of each column; empty where nobody knows it, or another column has it already."""
    known = {name.lower(): name for name in (*PLAIN, *_MORE)}
    columns: list[str] = []
    for title in head:
        word = _PLAIN_NAME.sub("", title).lower()
        meaning = known.get(word) or _SYNONYMS.get(word, "")
        columns.append("" if meaning in columns else meaning)
    return columns


def parse_cell(field: str, cell: str) -> Any:
    """A cell as the value of a field; a text where it cannot be one, for the kind to refuse."""
    if field in LISTS:
        parts = _SEPARATORS.split(cell) if _SEPARATORS.search(cell) else cell.split(",")
        return list(dict.fromkeys(part.strip() for part in parts if part.strip()))
    if field in SWITCHES and cell.lower() in _YES | _NO:
        return cell.lower() in _YES
    if field in NUMBERS and (number := parse_whole_number(cell)) is not None:
        return number
    return cell.lower() if field == "status" else cell


def parse_cents(cell: str) -> int | None:
    """A price such as `19`, `19.5` or `19,00` in hundredths; none for anything else."""
    price = _PRICE.fullmatch(cell)
    return int(price[1]) * 100 + int((price[2] or "0").ljust(2, "0")) if price else None
