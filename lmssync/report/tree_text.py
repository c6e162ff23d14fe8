"""Outlines for people and for programs."""

import textwrap
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ..support.visible import escape_invisible
from . import words
from .ink import PLAIN, Colour, Ink
from .tree import Part, Tree

_COLUMN_MOST = 40
"""Columns of ids and addresses; a longer one pushes its title along."""
_A_MINUTE = 200
"""Words that people read in a minute."""


def tree_text(tree: Tree, ink: Ink = PLAIN, *, width: int | None = None) -> str:
    """One resource with all its parts, lines at most `width` wide; else one line per part."""
    head = ink(escape_invisible(str(tree.address)), Colour.BOLD)
    lines = [f"{head}  {words.value(tree.title, full=True)}" if tree.title else head]
    lines += _wrap_text(f"{tree.place.file}:{tree.place.line}", "  ", width)
    lines += _wrap_text(_facts(tree.facts), "  ", width)
    lines += [*_rows(list(_tree(tree.parts)), width), *_size(tree)]
    lines += _rows([(f"  {address}", title) for address, title in tree.own], width)
    if tree.named_by:
        lines += ["", *_wrap_text(f"Named by: {', '.join(map(str, tree.named_by))}", "  ", width)]
    return "\n".join(lines) + "\n"


def list_text(trees: Iterable[Tree], *, width: int | None = None) -> str:
    """One line per resource: address, title, and how many parts it has."""
    counts = ((tree, f" ({_counts(tree)})" if tree.parts else "") for tree in trees)
    rows = [(str(tree.address), f"{tree.title}{count}") for tree, count in counts]
    return "\n".join(_rows(rows, width)[1:]) + "\n" if rows else "The catalog is empty.\n"


def _tree(parts: Iterable[Part], indent: str = "  ") -> Iterator[tuple[str, str]]:
    for part in parts:
        empty = "to be filled by hand" if part.empty else ""
        facts = ", ".join(filter(None, (_facts(part.facts), empty)))
        yield f"{indent}{part.id}", part.title + (f" ({facts})" if facts else "")
        yield from _tree(part.parts, f"{indent}  ")


def _facts(facts: Mapping[str, Any]) -> str:
    """`text, 312 words, openType: open`"""
    return ", ".join(_fact(name, value) for name, value in facts.items())


def _fact(name: str, value: Any) -> str:
    if name == "words":
        return words.count_noun(value, "word")
    if name in {"kind", "type", "status"}:
        return str(value)
    return f"{name}: {str(value).lower() if isinstance(value, bool) else value}"


def _size(tree: Tree) -> Iterator[str]:
    """`3 sections, 4 lessons, 9 topics; 2,310 words, about 12 min to read.`"""
    count = sum(part.facts.get("words", 0) for part in tree.all()) + tree.facts.get("words", 0)
    read = (
        f"{words.count_noun(count, 'word')}, {_about(count / _A_MINUTE)} to read" if count else ""
    )
    if size := "; ".join(filter(None, (_counts(tree), read))):
        yield ""
        yield f"  {size}."


def _about(minutes: float) -> str:
    return words.duration(minutes) if minutes < 1 else f"about {words.duration(minutes)}"


def _counts(tree: Tree) -> str:
    levels = Counter(part.level for part in tree.all())
    return ", ".join(words.count_noun(n, level.removesuffix("s")) for level, n in levels.items())


def _rows(rows: list[tuple[str, str]], width: int | None) -> list[str]:
    """Two columns below an empty line; text that is too wide continues below its column."""
    if not rows:
        return []
    shown = [(escape_invisible(left), escape_invisible(right)) for left, right in rows]
    fitting = (len(left) for left, _ in shown if len(left) <= _COLUMN_MOST)
    column = max(fitting, default=_COLUMN_MOST)
    return ["", *(line for row in shown for line in _row(*row, column, width))]


def _row(left: str, right: str, column: int, width: int | None) -> list[str]:
    return _fill_line(f"{left:<{column}}  {right}".rstrip(), width, " " * (column + 2))


def _wrap_text(text: str, indent: str, width: int | None) -> list[str]:
    return _fill_line(f"{indent}{escape_invisible(text)}", width, indent) if text else []


def _fill_line(line: str, width: int | None, hanging: str) -> list[str]:
    """The line, broken at blanks; those at its beginning and between its columns stay."""
    if width is None:
        return [line]
    return textwrap.wrap(
        line,
        width,
        subsequent_indent=hanging,
        break_long_words=False,
        break_on_hyphens=False,
        replace_whitespace=False,
    )


def tree_json(trees: Iterable[Tree]) -> dict[str, Any]:
    return {"format": "lmssync.outline/1", "resources": [_json(tree) for tree in trees]}


def _json(tree: Tree) -> dict[str, Any]:
    return {
        "address": str(tree.address),
        "title": tree.title,
        "file": tree.place.file,
        "line": tree.place.line,
        "facts": dict(tree.facts),
        "parts": [_part(part) for part in tree.parts],
        "own": [{"address": str(address), "title": title} for address, title in tree.own],
        "namedBy": list(map(str, tree.named_by)),
    }


def _part(part: Part) -> dict[str, Any]:
    below = [_part(inner) for inner in part.parts]
    return {**part._asdict(), "facts": dict(part.facts), "parts": below}
