"""A plan in Markdown, for a comment on a pull request: a minute to read, the rest folded.

A host takes no comment of more than 65,536 characters. So every change gets its line, as far as
there is room, then the details of as many as fit; the others are named, and counted at last.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from urllib.parse import quote

from ...kind import Undo
from ...plan import Plan, digest
from .. import guards_text, inert, words
from ..truth import truth_line
from . import meaning
from .passage_lines import EDITED
from .prose import NOTE, text_changes
from .sections import Row, Section, sections
from .sums import (
    blocked_line,
    call_lines,
    confirm_line,
    counts,
    drift_lines,
    nothing_line,
    protection_lines,
    scope_lines,
)
from .view import Entry, Item, Parts, Reordered, Rewritten, Value, Whole

MOST = 60_000
"""Characters of a report."""
_LISTED = 36_000
"""Characters of the lines that every change has; those of more changes are left out."""
_NAMED = 6_000
"""Characters for the names of what has no line."""
_LONG = 6_000
"""Characters of the details of one change."""
_SIGNS = {EDITED: "!", NOTE: "#"}
"""Signs of a text as a code host colours them in a difference."""
_AROUND, _HEADING = 60, 80
"""Characters around a line and its details, and of the heading of a section."""
_NAMES = 40
"""Equal changes that are named."""


def marker(environment: str, what: str = "plan") -> str:
    """Begins a report, and cannot be seen: by it a comment is found that is to be replaced."""
    return f"<!-- lmssync:{what} {quote(environment, safe='')} -->"


def plan_markdown(plan: Plan) -> str:
    """The plan for a reviewer."""
    parts = sections(plan)
    head = [marker(plan.environment), "", *_head(plan, parts)]
    foot = ["", *_foot(plan)]
    room = MOST - sum(len(line) + 1 for line in [*head, *foot])
    return "\n".join([*head, *body(parts, room), *foot]) + "\n"


def _head(plan: Plan, parts: Sequence[Section]) -> Iterator[str]:
    """What it comes to, and what to look at first."""
    where = inert.code(plan.environment)
    yield f"### Plan for {where}: {', '.join(counts(plan)) if parts else 'no changes'}"
    yield ""
    if not plan.has_changes:
        yield f"{inert.text(nothing_line(plan))}\n"
    for line in (*drift_lines(plan), *scope_lines(plan)):
        yield f"{inert.text(line)}\n"
    for word, _, said, allow in guards_text.said(plan.guards):
        allowed = f", allowed by {inert.code(allow)}" if allow else ""
        yield f"- **{word}** {inert.text(said)}{allowed}"
    for line in (*meaning.totals(plan), *protection_lines(plan, full=False)):
        yield f"- {inert.text(line)}"
    yield ""


def _foot(plan: Plan) -> Iterator[str]:
    yield from confirm_line(plan)
    yield from blocked_line(plan)
    yield ""
    for line in call_lines(plan):
        yield f"<sub>{line}</sub><br>"
    facts = [f"Digest {inert.code(digest(plan))}"] if plan.has_changes else []
    facts += [f"Intentions {inert.code(plan.intentions)}"] if plan.intentions else []
    facts += [f"commit {inert.code(plan.commit[:12])}"] if plan.commit else []
    facts += [inert.text(line) for line in [truth_line(plan.truth)] if line]
    yield f"<sub>{' · '.join([*facts, f'lmssync {inert.text(plan.version)}'])}</sub>"


def body(parts: Sequence[Section], room: int) -> Iterator[str]:
    """The sections: a line for each change, unfolded where there is room for what is below it."""
    rows = [row for part in parts for row in part.rows]
    room -= _NAMED + _HEADING * len(parts)
    lines = list(_fitting(map(_line, rows), min(_LISTED, room)))
    room -= sum(len(line) + _AROUND for line in lines)
    details = list(_unfolded(rows[: len(lines)], room))
    shown = iter(list(map(_row, lines, details)))
    for part in parts:
        if here := list(islice(shown, len(part.rows))):
            yield f"#### {part.voice} ({part.number:,})\n"
            yield from here
            yield ""
    left = [entry for row in rows[len(lines) :] for entry in row.entries]
    short = sum(below is None for below in details)
    yield from _rest(left, short)


def _row(line: str, below: str | None) -> str:
    if not below:
        return f"<p>{line}</p>"
    return f"<details><summary>{line}</summary>\n\n{below}\n\n</details>"


def _fitting(lines: Iterable[str], room: int) -> Iterator[str]:
    """Lines as long as there is room for them."""
    for line in lines:
        room -= len(line) + _AROUND
        if room < 0:
            return
        yield line


def _unfolded(rows: Iterable[Row], room: int) -> Iterator[str | None]:
    """What stands below each line; None where there is no room for it."""
    for row in rows:
        below = "\n".join(_details(row))
        room -= len(below)
        yield below if room >= 0 else None
        room += 0 if room >= 0 else len(below)


def _line(row: Row) -> str:
    """`update “Fire safety” course.fire-safety · editorial: title, text of hello`."""
    entry = row.entry
    names = f"<b>{inert.text(row.name)}</b>" if row.others else _name(entry)
    what = f": {'; '.join(map(inert.text, row.gist))}" if row.gist else ""
    people = f"<br>{inert.text(row.meaning)}" if row.meaning else ""
    return f"{entry.action} {names} · {entry.effect}{what}{people}"


def _name(entry: Entry) -> str:
    title = f"<b>{inert.text(entry.title)}</b> " if entry.title else ""
    return f"{title}{inert.code(entry.address)}"


def _details(row: Row) -> Iterator[str]:
    """What stands below the line of a change: empty if that has said it all."""
    entry = row.entry
    if row.others:
        yield f"{_named(row)}\n"
    if entry.ids:
        yield f"- ids: {inert.code(', '.join(entry.ids))}"
    if row.says_all:
        return
    for reason in entry.reasons:
        yield f"- {inert.text(reason)}"
    if entry.undo and not entry.undo.startswith(Undo.REVERSIBLE):
        yield f"- undo: {inert.text(entry.undo)}"
    items = [*(item for items in entry.drift for item in items), *entry.items]
    lines = [line for item in items for line in _difference(item)]
    if lines:
        yield from ["", *inert.fence(_cut(lines), "diff")]


def _named(row: Row) -> str:
    """Equal changes by their addresses, with what each means where that is not the same."""
    names = [inert.code(one.address) for one in row.entries[:_NAMES]]
    meanings = [inert.text(one.meaning) for one in row.entries[:_NAMES]]
    if any(meanings) and not row.meaning:
        names = [f"{name} ({said})" for name, said in zip(names, meanings, strict=True)]
    left = len(row.entries) - len(names)
    return ", ".join(names) + f" and {left:,} more" * bool(left)


def _cut(lines: Sequence[str]) -> list[str]:
    listed = list(_fitting(lines, _LONG))
    left = len(lines) - len(listed)
    return [*listed, *[f"# … {words.counted(left, 'more line')}"] * bool(left)]


def _difference(item: Item) -> Iterator[str]:
    """As lines of a difference, whose first character says what they are."""
    match item:
        case Value(path, text):
            yield f"! {path}: {text}"
        case Reordered(path, moves):
            yield f"! {path}:"
            yield from (f"!   {line}" for line in moves)
        case Whole(path, text):
            yield f"+ {path}: {words.value(text)}"
        case Rewritten(path, before, after, markup):
            yield f"  {path}:"
            shown = text_changes(before, after, markup)
            yield from (f"{_SIGNS.get(line[:1], line[:1])} {line[1:]}" for line in shown.lines)
            if shown.hidden:
                yield f"# … {words.counted(shown.hidden, 'more line')}"
        case Parts(lines):
            yield from (f"+ {line}" for line in lines)


def _rest(left: Sequence[Entry], short: int) -> Iterator[str]:
    """What is not shown: named as far as there is room, and where all of it is."""
    if left:
        names = list(_fitting((inert.code(entry.address) for entry in left), _NAMED // 2))
        more = f" and {len(left) - len(names):,} more" * (len(names) < len(left))
        number = words.counted(len(left), "change")
        yield f"**Not listed above**: {number}: {', '.join(names)}{more}.\n"
    if left or short:
        details = f"The details of {words.counted(short, 'change')} are left out: " * bool(short)
        yield f"{details}`lmssync show FILE` shows a saved plan.\n"
