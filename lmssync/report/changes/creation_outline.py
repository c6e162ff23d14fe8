"""What is new, in short: its plain fields, the beginnings of its texts, its parts as an outline."""

from collections.abc import Iterable, Iterator, Sequence
from enum import IntEnum
from typing import Any

from ...kinds import is_structure
from ...planning.diff import FieldChange
from ...vocabulary.enums import spell_type
from ..field_words import name_field
from ..text_tables import count_columns
from ..value_words import count_noun, find_text, long_text, spell_value
from .text_differences import DiffLines

WIDTH = 96
"""Width of a line of items where no width is given."""
_LINES = 12
_BEGINNING = 32
"""Characters of a text that are shown in place of all of it."""


class Detail(IntEnum):
    """How much is shown of what is new: the more there is of it, the less."""

    HEADS = 0
    FACTS = 1
    OUTLINE = 2
    FULL = 3

    @classmethod
    def fitting(cls, new: int, *, full: bool) -> "Detail":
        """How much detail people will still read for this many new resources."""
        if full:
            return cls.FULL
        limits = {cls.OUTLINE: 20, cls.FACTS: 200}
        return next((detail for detail, most in limits.items() if new <= most), cls.HEADS)


def outline_fields(
    fields: Iterable[FieldChange], title: str, detail: Detail, width: int = WIDTH
) -> DiffLines:
    """The lines about something new, below the line with its title."""
    others = [field for field in fields if field.after != title]
    plain = [field for field in others if not is_structure(field.after)]
    facts = [
        f"{name_field(path)}: {summarise_value(value)}"
        for f in plain
        for path, value in list_leaves(f.path, f.after)
    ]
    lines = list(_fill_lines(facts, width))
    hidden = 0
    for field in others:
        if is_structure(field.after):
            lines.append(count_parts(field.path, field.after))
            tree = outline_parts(field.after, width) if detail is Detail.OUTLINE else ()
            below = [f"  {line}" for line in tree]
            lines += below[:_LINES]
            hidden += len(below[_LINES:])
    return DiffLines(lines, hidden)


def outline_part(item: Any, width: int = WIDTH) -> DiffLines:
    """The lines below the title of a new part."""
    inner = [line for parts in _children_of(item).values() for line in outline_parts(parts, width)]
    return DiffLines(inner[:_LINES], len(inner[_LINES:]))


def list_leaves(path: str, value: Any) -> Iterator[tuple[str, Any]]:
    """Every value in a value, with its path; parts by their ids, texts by their language."""
    if name := "id" if is_structure(value) else _name_of_texts(value):
        for item in value:
            rest = {key: inner for key, inner in item.items() if key != name}
            yield from list_leaves(f"{path}[{item[name]}]", rest)
    elif isinstance(value, dict) and value and not any(key.startswith("$") for key in value):
        for key, inner in value.items():
            yield from list_leaves(f"{path}.{key}", inner)
    else:
        yield path, value


def _name_of_texts(value: Any) -> str:
    """`language` for a list of texts, each in a language of its own."""
    texts = value if isinstance(value, list) else []
    each = [isinstance(item, dict) and "language" in item for item in texts]
    return "language" if each and all(each) else ""


def summarise_value(value: Any) -> str:
    """A value, or the size and the beginning of a text."""
    text = long_text(value)
    return spell_value(value) if text is None else f"{_size(text)}, {spell_value(_beginning(text))}"


def outline_parts(parts: Sequence[dict[str, Any]], width: int = WIDTH) -> Iterator[str]:
    """A line for each part that has parts, those below it deeper; the others side by side."""
    single = [item for item in parts if not _children_of(item)]
    yield from _fill_lines([_leaf(item) for item in single], width)
    for item in parts:
        children = _children_of(item)
        if not children:
            continue
        below = [line for inner in children.values() for line in outline_parts(inner, width)]
        beside = f"{spell_value(item['title'])}: {below[0]}"
        if len(below) == 1 and count_columns(beside) <= width:
            yield beside
            continue
        yield spell_value(item["title"])
        yield from (f"  {line}" for line in below)


def _children_of(item: Any) -> dict[str, Any]:
    return {key: inner for key, inner in item.items() if is_structure(inner)}


def _leaf(item: dict[str, Any]) -> str:
    """`“Three reasons” (text, 21 words)`"""
    text = find_text(item.get("body"))
    kind = spell_type(item["type"]) if isinstance(item.get("type"), str) else ""
    facts = ", ".join(filter(None, (kind, _size(text) if text else "")))
    return spell_value(item["title"]) + (f" ({facts})" if facts else "")


def count_parts(name: str, parts: Sequence[dict[str, Any]]) -> str:
    """`2 sections, 3 lessons, 9 pages`"""
    here = count_noun(len(parts), name_field(name).removesuffix("s"))
    deeper: dict[str, list[dict[str, Any]]] = {}
    for item in parts:
        for key, inner in _children_of(item).items():
            deeper.setdefault(key, []).extend(inner)
    return ", ".join([here, *(count_parts(key, inner) for key, inner in deeper.items())])


def _size(text: str) -> str:
    return count_noun(len(text.split()), "word")


def _beginning(text: str) -> str:
    line = " ".join(text[: 4 * _BEGINNING].split())
    return line if len(line) <= _BEGINNING else line[: _BEGINNING - 1] + "…"


def _fill_lines(items: Sequence[str], width: int) -> Iterator[str]:
    """The items side by side, as many as fit on a line."""
    line = ""
    for item in items:
        if line and count_columns(line) + count_columns(item) + 2 > width:
            yield f"{line},"
            line = item
        else:
            line = f"{line}, {item}" if line else item
    if line:
        yield line
