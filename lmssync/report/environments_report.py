"""What differs between two environments, as text and as JSON."""

from collections.abc import Iterator
from typing import Any

from ..support.invisible_characters import escape_invisible
from ..sync.environment_comparison import EnvironmentComparison, EnvironmentDifference
from .changes import one_line
from .field_words import name_field, word_value
from .terminal_style import PLAIN, Colour, TextStyle
from .value_words import count_noun

_NAMES = 5
"""How many addresses a line names."""


def environments_text(
    comparison: EnvironmentComparison,
    names: tuple[str, str],
    ink: TextStyle = PLAIN,
    currency: str = "",
) -> str:
    """A line for each field that differs, and for what only one of them has."""
    lines = [
        line
        for one in comparison.differences
        for line in _spell_difference(one, names, ink, currency)
    ]
    lines.append(ink(_summary(comparison, names), Colour.BOLD))
    if hidden := comparison.uncompared:
        shown = ", ".join(map(str, hidden[:_NAMES])) + " and others" * (len(hidden) > _NAMES)
        lines.append(f"Not compared, since each state has a key of its own for people: {shown}.")
    return "\n".join(lines) + "\n"


def _spell_difference(
    one: EnvironmentDifference, names: tuple[str, str], ink: TextStyle, currency: str
) -> Iterator[str]:
    name = escape_invisible(f"“{one.title}” ({one.address})" if one.title else str(one.address))
    head = ink(name, Colour.YELLOW)
    if one.side is not None:
        yield f"{head} only in {escape_invisible(names[one.side])}"
    for field in one.fields:
        path = field.path
        values = (word_value(path, value, currency) for value in (field.before, field.after))
        text = f"{name_field(path, one.part_titles)}: {one_line(*values)}"
        yield f"{head} {escape_invisible(text)}"


def _summary(comparison: EnvironmentComparison, names: tuple[str, str]) -> str:
    """`staging → production: 2 resources differ, 1 only in staging, 40 alike.`"""
    sides = [one.side for one in comparison.differences]
    both = count_noun(sides.count(None), "resource")
    differ = "differs" if sides.count(None) == 1 else "differ"
    parts = [f"{both} {differ}"] * (None in sides)
    parts += [f"{sides.count(n):,} only in {name}" for n, name in enumerate(names) if n in sides]
    alike = f"{comparison.same:,} alike"
    return escape_invisible(f"{' → '.join(names)}: {', '.join([*parts, alike])}.")


def environments_json(comparison: EnvironmentComparison, names: tuple[str, str]) -> dict[str, Any]:
    """`before` is the value in the first environment, `after` that in the second."""
    return {
        "format": "lmssync.environments/1",
        "environments": list(names),
        "summary": {
            "differ": sum(one.side is None for one in comparison.differences),
            "only": [sum(one.side == side for one in comparison.differences) for side in (0, 1)],
            "alike": comparison.same,
            "uncompared": len(comparison.uncompared),
        },
        "differences": [
            {
                "address": str(one.address),
                "title": one.title,
                "onlyIn": None if one.side is None else names[one.side],
                "fields": [field._asdict() for field in one.fields],
            }
            for one in comparison.differences
        ],
        "uncompared": [str(address) for address in comparison.uncompared],
    }
