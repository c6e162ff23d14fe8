"""What differs from a record: a resource of the catalog, and another environment; text and JSON."""

from collections.abc import Iterator
from typing import Any

from ..planning.diff import FieldStatus, ResourceStatus
from ..planning.plan import list_part_titles
from ..platform.live import Certainty
from ..resource import Place
from ..support.invisible_characters import escape_invisible
from ..sync.environment_comparison import EnvironmentComparison, EnvironmentDifference
from .changes import expand_pair, list_leaves, one_line, summarise_value, text_changes
from .evidence_text import describe_age, finding_json, found_words, moment_text
from .field_words import name_field, name_part, word_value
from .terminal_style import PLAIN, Colour, TextStyle
from .value_words import count_noun, long_text, name_with_title, spell_value

_COLUMN = 40
"""Columns of names; a longer one pushes its value along."""
_EVIDENCE = {
    Certainty.PROVEN: "proven",
    Certainty.NOTICED: "noticed",
    Certainty.UNREAD: "not read",
    Certainty.UNVERIFIABLE: "unverifiable",
}
_WIDTH = max(map(len, _EVIDENCE.values()))
_SIGNS = {"~": Colour.YELLOW, "+": Colour.GREEN, "-": Colour.DIM}


def resource_status_text(
    status: ResourceStatus, place: Place | None, style: TextStyle, *, full: bool, currency: str = ""
) -> str:
    """The title, where it is written and recorded, and a line for each field, part by part.

    Long texts are shown by their beginnings, or by the words that differ, unless `full`.
    """
    title = status.title
    head = style(escape_invisible(str(status.address)), Colour.BOLD)
    lines = [f"{head}  {spell_value(title, full=True)}" if title else head]
    lines += [f"  {escape_invisible(line)}" for line in _facts(status, place)]
    rows = list(_rows(status, currency, style, full=full))
    return "\n".join([*lines, *rows, "", *_end(status, rows, full=full)]) + "\n"


def _rows(status: ResourceStatus, currency: str, style: TextStyle, *, full: bool) -> Iterator[str]:
    """The fields of the resource itself, then those of each part below the title of the part."""
    titles = _find_titles(status)
    parts: dict[str, list[FieldStatus]] = {"": [], **{path: [] for path in titles}}
    for one in status.fields:
        above, inside, path = one.path.rpartition("].")
        worded = _word_field(one, currency)._replace(path=path)
        parts.setdefault(f"{above}]" if inside else "", []).append(worded)
    own = (name_field(one.path) for fields in parts.values() for one in fields)
    width = min(_COLUMN, max(map(len, own), default=0))
    for path, fields in parts.items():
        if fields:
            head = name_part(path, titles)
            yield from ["", *[f"  {style(head, Colour.BOLD)}"] * bool(path)]
            yield from (line for one in fields for line in _row(one, width, style, full=full))


def _find_titles(status: ResourceStatus) -> dict[str, str]:
    """The titles of all parts, by their paths."""
    titles: dict[str, str] = {}
    for holder in (status.recorded, status.desired):
        titles |= list_part_titles(holder.form) if holder else {}
    return titles


def _facts(status: ResourceStatus, place: Place | None) -> Iterator[str]:
    yield f"{place.file}:{place.line}" if place else "not in the catalog"
    record, proof = status.recorded, status.proof
    if record is None:
        yield "not recorded: the next apply creates it, or takes over what exists"
        return
    ids = ", ".join(f"{name} {id_}" for name, id_ in record.known_ids.own.items())
    was = f" as {record.address}" if record.address != status.address else ""
    yield f"recorded{was} {describe_age(record.applied_at)}{f' ({ids})' if ids else ''}"
    if record.unpaired:
        yield "created, and not read yet: lmssync reads its ids when something needs them"
    if found := status.finding:
        seen = f"as seen on {moment_text(found.found_at)}"
        yield f"out of sync on the platform: {found_words(found, _find_titles(status))}, {seen}"
        return
    if all(one.evidence in {None, Certainty.UNVERIFIABLE} for one in status.fields):
        yield "not compared: no route of this instance shows it"
        return
    asked = "not compared since it was recorded"
    if proof:
        asked = f"compared {describe_age(proof.proved_at)}"
    yield f"{asked}: `lmssync drift {record.address}` compares it{' again' * bool(proof)}"


def _word_field(one: FieldStatus, currency: str) -> FieldStatus:
    """The field with prices, dates and shares in words."""
    recorded, desired = (word_value(one.path, it, currency) for it in (one.recorded, one.desired))
    return one._replace(recorded=recorded, desired=desired)


def _row(one: FieldStatus, width: int, style: TextStyle, *, full: bool) -> Iterator[str]:
    """`~ price  proven  4.00 → 5.00`; below it the words that differ in a long text."""
    sign = _sign(one)
    evidence = f"{_EVIDENCE[one.evidence] if one.evidence else '-':<{_WIDTH}}"

    def begin_row(path: str) -> str:
        name = f"{sign} {escape_invisible(name_field(path)):<{width}}"
        return f"  {style(name, _SIGNS[sign]) if sign in _SIGNS else name}  {evidence}"

    if sign != "~":
        for path, value in list_leaves(one.path, one.recorded if one.left else one.desired):
            yield from _one_value(begin_row(path), value, full=full)
        return
    head = begin_row(one.path)
    for pair in expand_pair("", one.recorded, one.desired, full=full):
        within = f"{escape_invisible(pair.path.lstrip('.'))}: " if pair.path else ""
        if pair.prose is None:
            yield f"{head}  {within}{pair.text(full=full)}"
            continue
        changes = text_changes(*pair.prose, style, full=full)
        yield f"{head}  {within}".rstrip()
        yield from (f"      {line}" for line in changes.lines)
        if changes.hidden:
            yield f"      … {count_noun(changes.hidden, 'more line')}"


def _one_value(head: str, value: Any, *, full: bool) -> Iterator[str]:
    text = long_text(value)
    if text is None or not full:
        yield f"{head}  {spell_value(value, full=True) if full else summarise_value(value)}"
        return
    yield head.rstrip()
    yield from (f"       {escape_invisible(line)}".rstrip() for line in text.split("\n"))


def _sign(one: FieldStatus) -> str:
    if one.left:
        return "-"
    if not one.differs:
        return " "
    return "~" if one.evidence or one.recorded is not None else "+"


def _end(status: ResourceStatus, rows: list[str], *, full: bool) -> Iterator[str]:
    """How many fields differ, and what the signs say."""
    fields = status.fields
    differing = sum(one.differs for one in fields)
    left = sum(one.left for one in fields)
    if status.recorded and status.desired:
        number = f"{differing:,}" if differing else "None"
        count = f"{number} of {count_noun(len(fields), 'field')} differ from what is recorded"
        yield f"{count}{f'; {left:,} left the manifest, and the platform keeps them' * bool(left)}."
    else:
        yield f"{count_noun(len(fields), 'field')}."
    if not full and any("…" in row for row in rows):
        yield "Some values are shortened: --full shows all of them."


def resource_status_json(status: ResourceStatus, place: Place | None) -> dict[str, Any]:
    """Every field with both values, whole; `null` for one that is not there."""
    record, proof = status.recorded, status.proof
    return {
        "format": "lmssync.resource/1",
        "address": str(status.address),
        "title": status.title,
        "file": place.file if place else None,
        "line": place.line if place else None,
        "ids": record.known_ids.own if record else {},
        "appliedAt": record.applied_at if record else None,
        "provedAt": proof.proved_at if proof else None,
        "drift": finding_json(status.finding) if status.finding else None,
        "fields": [
            {
                "path": one.path,
                "desired": one.desired,
                "recorded": one.recorded,
                "evidence": one.evidence,
                "differs": one.differs,
            }
            for one in status.fields
        ],
    }


_NAMES = 5
"""How many addresses a line names."""


def environments_text(
    comparison: EnvironmentComparison,
    names: tuple[str, str],
    style: TextStyle = PLAIN,
    currency: str = "",
) -> str:
    """A line for each field that differs, and for what only one of them has."""
    lines = [
        line
        for one in comparison.differences
        for line in _spell_difference(one, names, style, currency)
    ]
    lines.append(style(_summary(comparison, names), Colour.BOLD))
    if hidden := comparison.uncompared:
        shown = ", ".join(map(str, hidden[:_NAMES])) + " and others" * (len(hidden) > _NAMES)
        lines.append(f"Not compared, since each state has a key of its own for people: {shown}.")
    return "\n".join(lines) + "\n"


def _spell_difference(
    one: EnvironmentDifference, names: tuple[str, str], style: TextStyle, currency: str
) -> Iterator[str]:
    name = escape_invisible(name_with_title(one.title, one.address))
    head = style(name, Colour.YELLOW)
    if one.side is not None:
        yield f"{head} only in {escape_invisible(names[one.side])}"
    for field in one.fields:
        path = field.path
        values = (word_value(path, value, currency) for value in (field.before, field.after))
        text = f"{name_field(path, one.part_titles)}: {one_line(*values)}"
        yield f"{head} {escape_invisible(text)}"


def _summary(comparison: EnvironmentComparison, names: tuple[str, str]) -> str:
    """`staging → production: 2 resources differ, 1 only in staging, 40 alike.`"""
    if comparison == EnvironmentComparison(0, [], []):
        return escape_invisible(f"{' → '.join(names)}: nothing is recorded for either of them.")
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
