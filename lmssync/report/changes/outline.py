"""What is new, in short: its plain fields, the beginnings of its texts, its parts as an outline."""

from collections.abc import Iterable, Iterator, Sequence
from enum import IntEnum
from typing import Any

from ...diff import FieldChange
from ...kinds import is_structure
from .. import words
from .differences import Shown

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


def new(fields: Iterable[FieldChange], title: str, detail: Detail, width: int = WIDTH) -> Shown:
    """The lines about something new, below the line with its title."""
    told = [field for field in fields if field.after != title]
    plain = [field for field in told if not is_structure(field.after)]
    facts = [f"{path}: {summary(found)}" for f in plain for path, found in leaves(f.path, f.after)]
    lines = list(_filled(facts, width))
    hidden = 0
    for field in told:
        if is_structure(field.after):
            lines.append(f"{field.path}: {_counts(field.path, field.after)}")
            tree = outline(field.after, width) if detail is Detail.OUTLINE else ()
            below = [f"  {line}" for line in tree]
            lines += below[:_LINES]
            hidden += len(below[_LINES:])
    return Shown(lines, hidden)


def leaves_out(fields: Iterable[FieldChange]) -> bool:
    """True if `new` leaves something out: it shows only title, type and size of a part."""
    return any(
        words.value(found) != words.value(found, full=True)
        or ("[" in path and not path.endswith((".title", ".type")))
        for field in fields
        for path, found in leaves(field.path, field.after)
    )


def part(found: Any, width: int = WIDTH) -> Shown:
    """The lines below the title of a new part."""
    inner = [line for parts in _children(found).values() for line in outline(parts, width)]
    return Shown(inner[:_LINES], len(inner[_LINES:]))


def leaves(path: str, found: Any) -> Iterator[tuple[str, Any]]:
    """Every value in a value, with its path; parts by their ids."""
    if is_structure(found):
        for item in found:
            yield from leaves(f"{path}[{item['id']}]", {k: v for k, v in item.items() if k != "id"})
    elif _is_languages(found):
        for item in found:
            rest = {key: inner for key, inner in item.items() if key != "language"}
            yield from leaves(f"{path}[{item['language']}]", rest)
    elif isinstance(found, dict) and found and not any(key.startswith("$") for key in found):
        for key, inner in found.items():
            yield from leaves(f"{path}.{key}", inner)
    else:
        yield path, found


def _is_languages(found: Any) -> bool:
    """True for a list of texts, each in a language of its own."""
    return (
        isinstance(found, list)
        and bool(found)
        and all(isinstance(item, dict) and "language" in item for item in found)
    )


def summary(found: Any) -> str:
    """A value, or the size and the beginning of a text."""
    text = words.text_of(found)
    if text is not None and words.prose(text):
        return f"{_size(text)}, {words.value(_beginning(text))}"
    return words.value(found)


def outline(parts: Sequence[dict[str, Any]], width: int = WIDTH) -> Iterator[str]:
    """A line for each part that has parts, those below it deeper; the others side by side."""
    leaves = [item for item in parts if not _children(item)]
    yield from _filled([_leaf(item) for item in leaves], width)
    for item in parts:
        children = _children(item)
        if not children:
            continue
        below = [line for inner in children.values() for line in outline(inner, width)]
        beside = f"{words.value(item['title'])}: {below[0]}"
        if len(below) == 1 and len(beside) <= width:
            yield beside
            continue
        yield words.value(item["title"])
        yield from (f"  {line}" for line in below)


def _children(item: Any) -> dict[str, Any]:
    return {key: inner for key, inner in item.items() if is_structure(inner)}


def _leaf(item: dict[str, Any]) -> str:
    """`“Three reasons” (text, 21 words)`"""
    kinds = [item["type"]] if isinstance(item.get("type"), str) else []
    sizes = [_size(text) for key in ("body",) if (text := words.text_of(item.get(key)))]
    said = ", ".join([*kinds, *sizes])
    return f"{words.value(item['title'])} ({said})" if said else words.value(item["title"])


def _counts(name: str, parts: Sequence[dict[str, Any]]) -> str:
    """`2 sections, 3 lessons, 9 topics`"""
    told = [words.counted(len(parts), name.removesuffix("s"))]
    deeper: dict[str, list[dict[str, Any]]] = {}
    for item in parts:
        for key, inner in _children(item).items():
            deeper.setdefault(key, []).extend(inner)
    return ", ".join([*told, *(_counts(key, inner) for key, inner in deeper.items())])


def _size(text: str) -> str:
    return words.counted(len(text.split()), "word")


def _beginning(text: str) -> str:
    line = " ".join(text[: 4 * _BEGINNING].split())
    return line if len(line) <= _BEGINNING else line[: _BEGINNING - 1] + "…"


def _filled(items: Sequence[str], width: int) -> Iterator[str]:
    """The items side by side, as many as fit on a line."""
    line = ""
    for item in items:
        if line and len(line) + len(item) + 2 > width:
            yield f"{line},"
            line = item
        else:
            line = f"{line}, {item}" if line else item
    if line:
        yield line
