"""A plan in Markdown, for a comment on a pull request: a minute to read, the rest folded.

A host takes no comment of more than 65,536 characters, and whoever opens the pull request writes
most of what stands in it. So a report is a list of parts, each with its share of the room, and the
changes have what the other parts leave. In them each section has an equal share: every change gets
its line, as far as there is room, then the details of as many as fit; the others are named, and
counted at last. No part can push another one out, and each counts what it leaves out.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple
from urllib.parse import quote

from ...errors import InvalidCatalog, LmssyncError
from ...kind import Undo
from ...planning.plan import Plan, plan_digest
from ...problems import Problem, only_errors
from ..evidence_text import coverage_line
from ..markdown_escape import escape_code, escape_message, escape_text, fence_lines, shorten_escaped
from ..value_words import count_noun, spell_value
from .consequence_text import total_lines
from .plan_entries import Entry, Item, Parts, Reordered, Rewritten, Value, Whole
from .plan_sections import Row, Section, build_sections
from .plan_summary import (
    blocked_line,
    call_lines,
    confirm_line,
    describe_verdicts,
    list_plan_counts,
    lowered_lines,
    name_environment,
    nothing_line,
    protection_lines,
    scope_lines,
)
from .text_differences import EDITED, NOTE, text_changes

_PROBLEMS = 20
"""Problems that are listed."""
_LONGEST = 2_000
"""Characters of one text."""
MOST = 60_000
"""Characters of a report."""
_LISTED = 36_000
"""Characters of the lines that every change has; those of more changes are left out."""
_NAMED = 6_000
"""Characters for the names of what has no line."""
_LONG = 6_000
"""Characters of the details of one change."""
_TITLE, _GIST, _MEANING, _NOTE = 300, 1_500, 600, 1_000
"""Characters of texts on one line, as they are written in Markdown."""
_WORDS = "blocked", "warning", "allowed"
"""What guards say, in the order in which they are shown."""
_SIGNS = {EDITED: "!", NOTE: "#"}
"""Signs of a text as a code host colours them in a difference."""
_AROUND, _HEADING = 60, 80
"""Characters around a line and its details, and of the heading of a section."""
_NAMES = 40
"""Equal changes that are named."""


def failure_markdown(error: LmssyncError, environment: str) -> str:
    """Why there is no plan, and what to do."""
    lines = [f"### No plan for {escape_code(environment)}", ""]
    if isinstance(error, InvalidCatalog):
        lines += _problems(error.problems)
    else:
        lines += [
            f"{escape_message(text[:_LONGEST])}\n" for text in (error.message, error.hint) if text
        ]
    return "\n".join(lines) + "\n"


def _problems(problems: Sequence[Problem]) -> Iterator[str]:
    wrong = only_errors(problems)
    yield f"The catalog has {count_noun(len(wrong), 'error')}.\n"
    for one in wrong[:_PROBLEMS]:
        message = escape_message(one.message[:_LONGEST])
        yield f"- {escape_code(str(one.where))} <b>{one.code}</b>: {message}"
    if len(wrong) > _PROBLEMS:
        yield f"- and {len(wrong) - _PROBLEMS:,} more: `lmssync validate` shows them"


def build_report_marker(environment: str, what: str = "plan") -> str:
    """Begins a report, and cannot be seen: by it a comment is found that is to be replaced."""
    return f"<!-- lmssync:{what} {quote(environment, safe='')} -->"


class ReportPart(NamedTuple):
    """A part of a report, of which no more is shown than its share of the room."""

    lines: Sequence[str]
    share: int
    """Characters; the lines that do not fit are counted."""
    noun: str = "line"
    """What one of the lines is about."""
    listed_by: str = "`lmssync plan`"
    """What shows all of them."""


def plan_markdown(plan: Plan) -> str:
    changes = build_sections(plan)
    counts = ", ".join(list_plan_counts(plan)) if changes else "no changes"
    title = f"### Plan for {escape_code(plan.environment)}: {counts}"
    heading = [build_report_marker(plan.environment), "", title, ""]
    before = [
        ReportPart(heading, 2_000),
        ReportPart([f"{_note(line)}\n" for line in _notes(plan)], 6_000),
        ReportPart([f"**{_note(line)}**\n" for line in lowered_lines(plan)], 3_000),
        ReportPart(_guards(plan), 4_000, "guard"),
        ReportPart([f"- {_note(line)}" for line in _totals(plan)], 4_000),
    ]
    after = [ReportPart(_closing(plan), 4_000), ReportPart([_facts(plan)], 2_000)]
    return compose_report(before, changes, after)


def compose_report(
    before: Sequence[ReportPart], changes: Sequence[Section], after: Sequence[ReportPart]
) -> str:
    """Return a text of at most `MOST` characters: the changes, with parts before and after them."""
    head = [line for part in before for line in _lines_of_part(part)]
    foot = [line for part in after for line in _lines_of_part(part)]
    # What stands around the changes is fixed in size, so the changes get whatever is left.
    room = MOST - sum(len(line) + 1 for line in [*head, *foot]) - _AROUND
    return "\n".join([*head, "", *_changes_in_room(changes, room), "", *foot]) + "\n"


def _lines_of_part(part: ReportPart) -> Iterator[str]:
    """The lines that fit into the share of a part, and the number of the others."""
    shown = list(_fitting(part.lines, part.share))
    yield from shown
    if left := len(part.lines) - len(shown):
        are = "is" if left == 1 else "are"
        number = count_noun(left, f"more {part.noun}")
        yield f"- **{number}** {are} left out here: {part.listed_by} lists all of them."


def _notes(plan: Plan) -> Iterator[str]:
    """What the plan is about, and what it leaves out."""
    if not plan.has_changes:
        yield nothing_line(plan)
    yield from scope_lines(plan)


def _guards(plan: Plan) -> list[str]:
    """What guards and policies say, those that stop the plan first."""
    # The share of guards is limited: what stops the plan must not be what is cut.
    lines = sorted(describe_verdicts(plan.guards), key=lambda one: _WORDS.index(one.word))
    return [
        f"- **{one.word}** {_note(name_environment(one.text, plan.environment))}"
        + (f". Release it with {escape_code(one.allow)}." if one.allow else "")
        for one in lines
    ]


def _totals(plan: Plan) -> Iterator[str]:
    yield from (name_environment(line, plan.environment) for line in total_lines(plan))
    yield from protection_lines(plan, full=False)


def _note(line: str) -> str:
    return shorten_escaped(line, _NOTE)


def _closing(plan: Plan) -> list[str]:
    """What an apply leaves undone, and what it costs."""
    costs = [f"<sub>{line}</sub><br>" for line in call_lines(plan)]
    confirm = (name_environment(line, plan.environment) for line in confirm_line(plan))
    return [*confirm, *blocked_line(plan), "", *costs]


def _facts(plan: Plan) -> str:
    """The digest and the commit: by these a reviewer knows which plan it is."""
    facts = [f"Digest {escape_code(plan_digest(plan))}"] if plan.has_changes else []
    facts += [f"Intentions {escape_code(plan.intentions)}"] if plan.intentions else []
    facts += [f"commit {escape_code(plan.commit[:12])}"] if plan.commit else []
    facts += [escape_text(line) for line in [coverage_line(plan.truth)] if line]
    return f"<sub>{' · '.join([*facts, f'lmssync {escape_text(plan.version)}'])}</sub>"


def _changes_in_room(changes: Sequence[Section], room: int) -> Iterator[str]:
    """The sections: a line for each change, unfolded where there is room for what is below it."""
    # Kept free for the names of what will not fit, whose number nobody knows yet.
    room -= _NAMED + _HEADING * len(changes)
    lines = _share_lines([section.rows for section in changes], min(_LISTED, room))
    room -= sum(len(line) + _AROUND for here in lines for line in here)
    listed = [section.rows[: len(here)] for section, here in zip(changes, lines, strict=True)]
    details = _share_details(listed, room)
    for section, here, below in zip(changes, lines, details, strict=True):
        if here:
            yield f"#### {section.kind} ({section.number:,})\n"
            yield from map(_row, here, below)
            yield ""
    left = [
        entry
        for section, here in zip(changes, lines, strict=True)
        for row in section.rows[len(here) :]
        for entry in row.entries
    ]
    yield from _rest(left, sum(one is None for below in details for one in below))


def _share_lines(rows: Iterable[Sequence[Row]], room: int) -> list[list[str]]:
    """The lines of each section that fit into its share of the room."""
    # First as if each section had all the room: of ten thousand rows only those are worded that
    # could fit.
    lines = [list(_fitting(map(_line, of), room)) for of in rows]
    shares = share_room([sum(len(line) + _AROUND for line in of) for of in lines], room)
    return [list(_fitting(of, share)) for of, share in zip(lines, shares, strict=True)]


def _share_details(rows: Iterable[Sequence[Row]], room: int) -> list[list[str | None]]:
    """What stands below each line, within the share of its section."""
    details = [["\n".join(_details(row)) for row in of] for of in rows]
    shares = share_room([sum(map(len, of)) for of in details], room)
    return [list(_unfold_details(of, share)) for of, share in zip(details, shares, strict=True)]


def share_room(wanted: Sequence[int], room: int) -> list[int]:
    """Return equal shares of the room; what one does not need goes to those that need more."""
    shares = [0] * len(wanted)
    # What a small section leaves over is known before the larger ones get their shares.
    smallest_first = sorted(range(len(wanted)), key=wanted.__getitem__)
    for number, place in enumerate(smallest_first):
        shares[place] = max(0, min(wanted[place], room // (len(wanted) - number)))
        room -= shares[place]
    return shares


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


def _unfold_details(details: Iterable[str], room: int) -> Iterator[str | None]:
    """What stands below each line; None where there is no room for it."""
    for below in details:
        # One that is too long is skipped, and shorter ones after it may still be unfolded.
        fits = len(below) <= room
        room -= len(below) if fits else 0
        yield below if fits else None


def _line(row: Row) -> str:
    """`update “Fire safety” course.fire-safety · editorial: title, text of hello`."""
    entry = row.entry
    title = f"<b>{shorten_escaped(entry.title, _TITLE)}</b> " if entry.title else ""
    one = f"{title}{escape_code(entry.address)}"
    names = f"<b>{escape_text(row.name)}</b>" if row.others else one
    what = f": {shorten_escaped('; '.join(row.gist), _GIST)}" if row.gist else ""
    people = f"<br>{shorten_escaped(row.meaning, _MEANING)}" if row.meaning else ""
    return f"{entry.word} {names} · {entry.effect}{what}{people}"


def _details(row: Row) -> Iterator[str]:
    """What stands below the line of a change: empty if that has said it all."""
    entry = row.entry
    if row.others:
        yield f"{_name_row(row)}\n"
    if entry.ids:
        yield f"- ids: {escape_code(', '.join(entry.ids))}"
    cut = len(escape_text("; ".join(row.gist))) > _GIST
    if row.says_all and not cut:
        return
    reasons = entry.reasons if cut else row.further_reasons
    yield from _lines_of_part(ReportPart([f"- {_note(one)}" for one in reasons], _LONG, "reason"))
    if entry.undo and not entry.undo.startswith(Undo.REVERSIBLE):
        yield f"- undo: {escape_message(entry.undo)}"
    items = [*(item for items in entry.drift for item in items), *entry.items]
    lines = [line for item in items for line in _difference(item)]
    if lines:
        yield from ["", *fence_lines(_cut(lines), "diff")]


def _name_row(row: Row) -> str:
    """Equal changes by their addresses, with what each means where that is not the same."""
    names = [escape_code(one.address) for one in row.entries[:_NAMES]]
    meanings = [escape_text(one.meaning) for one in row.entries[:_NAMES]]
    if any(meanings) and not row.meaning:
        names = [f"{name} ({said})" for name, said in zip(names, meanings, strict=True)]
    left = len(row.entries) - len(names)
    return ", ".join(names) + f" and {left:,} more" * bool(left)


def _cut(lines: Sequence[str]) -> list[str]:
    listed = list(_fitting(lines, _LONG))
    left = len(lines) - len(listed)
    return [*listed, *[f"# … {count_noun(left, 'more line')}"] * bool(left)]


def _difference(item: Item) -> Iterator[str]:
    """The item as lines of a difference, whose first character says what they are."""
    match item:
        case Value():
            yield f"! {item.line}"
        case Reordered(path, moves):
            yield f"! {path}:"
            yield from (f"!   {line}" for line in moves)
        case Whole(path, text):
            yield f"+ {path}: {spell_value(text)}"
        case Rewritten(path, before, after, markup):
            yield f"  {path}:"
            shown = text_changes(before, after, markup)
            yield from (f"{_SIGNS.get(line[:1], line[:1])} {line[1:]}" for line in shown.lines)
            if shown.hidden:
                yield f"# … {count_noun(shown.hidden, 'more line')}"
        case Parts(lines):
            yield from (f"+ {line}" for line in lines)


def _rest(left: Sequence[Entry], short: int) -> Iterator[str]:
    """What is not shown: named as far as there is room, and where all of it is."""
    if left:
        # Half of what was kept free: the sentence around the names needs some, too.
        names = list(_fitting((escape_code(entry.address) for entry in left), _NAMED // 2))
        more = f" and {len(left) - len(names):,} more" * (len(names) < len(left))
        number = count_noun(len(left), "change")
        yield f"**Not listed above**: {number}: {', '.join(names)}{more}.\n"
    if left or short:
        details = f"The details of {count_noun(short, 'change')} are left out: " * bool(short)
        yield f"{details}`lmssync show FILE` shows a saved plan.\n"
