"""A plan for people at a terminal."""

import re
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from textwrap import shorten

from ...planning.plan import Action, Plan, plan_digest
from ...resource import Address
from ...support.invisible_characters import escape_invisible
from ..evidence_text import SayMoment, at_moment, coverage_line
from ..field_words import name_field
from ..terminal_style import PLAIN, Colour, TextStyle, wrap_lines
from ..text_tables import count_columns
from ..value_words import count_noun, join_some, shorten_list, spell_value
from .consequence_text import fold_meanings, list_folded_meanings, total_lines
from .creation_outline import WIDTH
from .plan_entries import (
    Entry,
    Folded,
    Item,
    Parts,
    PlanView,
    Reordered,
    Rewritten,
    Value,
    Whole,
    name_equal_ones,
)
from .plan_summary import (
    blocked_line,
    call_lines,
    guard_lines,
    list_plan_counts,
    lowered_lines,
    matters_line,
    next_line,
    nothing_line,
    protection_lines,
    scope_lines,
)
from .text_differences import EDITED, text_changes

_SHOWN = {
    "create": ("+", Colour.GREEN),
    "update": ("~", Colour.YELLOW),
    "adopt": ("=", Colour.BLUE),
    "move": (">", Colour.BLUE),
    "forget": ("-", Colour.DIM),
    "manual": ("!", Colour.YELLOW),
    "blocked": ("x", Colour.RED),
    "unchanged": (" ", Colour.DIM),
    "drift": ("≠", Colour.BLUE),
}
"""The sign and the colour of each action."""
_INDENT, _LEAST = 14, 40
"""Columns before the deepest parts of what is new; columns that are used however few there are."""
_WIDTH = 110
"""Columns of a line with all of a change, where there is no terminal."""
_STEP = 2
"""Columns by which what belongs to something is further in."""
_MOVES = 12
"""How many moves of one list are shown."""
_NAMES = 8
"""How many addresses of changes that do the same are named."""


def plan_text(
    plan: Plan,
    style: TextStyle = PLAIN,
    *,
    full: bool = False,
    columns: int | None = None,
    say: SayMoment = at_moment,
    next_step: str = "",
) -> str:
    """The changes of a plan, then three lines: how many there are, what matters most to people, and
    what to do next.

    With `full`, nothing is shortened, and what else is known stands before these lines: how each
    change can be undone, calls, versions, digest, and how much of the record is proven. Items side
    by side fit into `columns`, the width of the terminal if there is one. `say` words the moments:
    a terminal gives their age. `next_step` are the words for what applies the plan; without
    them, the last line is left out.
    """
    width = max(min(WIDTH, columns - _INDENT), _LEAST) if columns else WIDTH
    page = _Page(PlanView(plan, full, width), style, columns)
    changes, still_open = list(page.changes()), list(page.changes(still_open=True))
    if plan.has_changes:
        head = escape_invisible(f"Plan for {plan.environment} ({plan.base_url})")
        lines = [head, *_scope(plan, full=full), "", *changes, *still_open, ""]
        lines += [*guard_lines(plan.guards, style), *_details(plan, say)] if full else []
        lines.append(style(f"Plan: {', '.join(list_plan_counts(plan))}.", Colour.BOLD))
    else:
        lines = [*changes, nothing_line(plan), *_scope(plan, full=full), *still_open]
        lines += [*_details(plan, say)] if full else []
    lines += [*matters_line(plan), *next_line(plan, next_step)]
    return "\n".join(wrap_lines(lines, columns)) + "\n"


def _scope(plan: Plan, *, full: bool) -> Iterator[str]:
    """What the plan has not looked at or leaves out, and what it does besides its changes."""
    yield from scope_lines(plan)
    yield from protection_lines(plan, full=full)
    yield from map(escape_invisible, lowered_lines(plan))


def _details(plan: Plan, say: SayMoment) -> Iterator[str]:
    """What few readers need: how to undo it, versions, calls, digest, and what is proven."""
    if plan.has_changes:
        yield from total_lines(plan, say)
        yield from call_lines(plan)
        yield from [f"Intentions: {plan.intentions}"] if plan.intentions else []
        yield f"Digest: {plan_digest(plan)}"
        yield from blocked_line(plan)
    yield from filter(None, [coverage_line(plan.truth, say)])


_Shown = tuple[Entry, Sequence[str]]
"""An entry, and the addresses of all that do the same."""


def _find_whole(shown: _Shown) -> Address:
    """What a change belongs to; its own resource if nothing, or if it is one of a block."""
    entry, alike = shown
    return entry.planned.address if alike else entry.planned.whole


def _ids_on(path: str) -> str:
    """The ids of the parts that a path leads through, as a step for a person names them."""
    return "/".join(re.findall(r"\[([^\]]*)\]", path)) or path


@dataclass
class _Page:
    """The lines about resources: what belongs to a course stands below its title."""

    view: PlanView
    style: TextStyle
    columns: int | None = None

    def changes(self, *, still_open: bool = False) -> Iterator[str]:
        """Every change, or every resource with only open steps from before."""
        shown = [i for i in self.view.plan.changes if i.still_open is still_open]
        common = {} if self.view.full else fold_meanings(shown)
        folded = Folded(self.view, still_open=still_open)
        # Entries are in the order in which people read: what belongs together is side by side.
        for whole, group in groupby(folded, key=_find_whole):
            yield from self._group(whole, list(group), common)
        yield from (self.style(line, Colour.DIM) for line in folded.rest())
        yield from list_folded_meanings(common)

    def _group(
        self, whole: Address, group: Sequence[_Shown], common: Container[str]
    ) -> Iterator[str]:
        """A resource with what belongs to it; the title of it alone where it stays as it is."""
        title = self.view.plan.titles.get(whole, "")
        is_there = any(one.planned.address == whole or alike for one, alike in group)
        if not is_there and title:
            left = f"    {spell_value(title)}"
            yield from self._two_ends(left, escape_invisible(str(whole)), Colour.BOLD)
        said = ""
        for entry, alike in group:
            depth = _STEP * (
                entry.planned.address != whole and not alike and bool(title or is_there)
            )
            yield from (f"{' ' * depth}{line}" for line in self._entry(entry, alike, depth))
            # Neighbours that mean the same say so once.
            if entry.meaning and entry.meaning != said and entry.meaning not in common:
                yield f"{' ' * depth}      {entry.meaning}"
            said = entry.meaning

    def _entry(self, entry: Entry, alike: Sequence[str], depth: int) -> Iterator[str]:
        """What changes on the line of the title, if that is all and fits; else below it."""
        sign, colour = _SHOWN[entry.action]
        named = name_equal_ones(entry, len(alike)) if alike else entry.title or entry.address
        end = f"{entry.word}, {entry.effect}" + f"  {entry.address}" * (
            not alike and bool(entry.title)
        )
        head, below = f"  {sign} {named}", list(self._below(entry))
        # Colours have no width: whether a line fits is measured without them.
        plain = _Page(self.view, PLAIN)
        short = [*plain._below(entry)] if len(below) == 1 else []
        width = (self.columns or _WIDTH) - depth
        alone = count_columns(f"{head}  {end}")
        if short and count_columns(f"{head}: {short[0]}  {end}") <= width:
            painted = self.style.on and below[0] != short[0]
            line = f"{self.style(head, colour)}: {below[0]}" if painted else f"{head}: {below[0]}"
            yield (
                f"{line}  {self.style(end, Colour.DIM)}"
                if painted
                else self._paint(line, end, colour)
            )
        elif short and count_columns(f"      {short[0]}  {end}") <= width < alone:
            yield self.style(head, colour)
            yield f"      {below[0]}  {self.style(end, Colour.DIM)}"
        else:
            yield from self._two_ends(head, end, colour, depth)
            yield from (f"      {line}" for line in below)
        if alike:
            yield f"      {join_some(alike, _NAMES)}"

    def _two_ends(self, left: str, right: str, colour: Colour, depth: int = 0) -> Iterator[str]:
        """Both on a line, or the right one below the left where they do not fit."""
        if self.columns and count_columns(f"{left}  {right}") > self.columns - depth:
            yield self.style(left, colour)
            yield self.style(f"      {right}", Colour.DIM)
        else:
            yield self._paint(left, right, colour)

    def _paint(self, left: str, right: str, colour: Colour) -> str:
        return f"{self.style(left, colour)}  {self.style(right, Colour.DIM)}"

    def _below(self, entry: Entry) -> Iterator[str]:
        """What is to be read about a change, a line for each thing."""
        yield from entry.reasons
        for items in entry.drift:
            lines = [line for item in items for line in self._item(item)]
            yield f"on the platform, {lines[0]}"
            yield from lines[1:]
        for item in entry.items:
            yield from self._item(item)
        for item in entry.blocked_fields:
            first, *rest = self._item(item)
            yield f"not sent, {first}"
            yield from rest
        for step in self._steps(entry):
            yield self.style(step, Colour.YELLOW)

    def _steps(self, entry: Entry) -> Iterator[str]:
        """The steps for people, without those that the lines about fields say already."""
        planned = entry.planned
        named = {_ids_on(field.path): field.path for field in planned.fields}
        both = list(zip(planned.manual, entry.steps, strict=False))
        named_fields = [step.field for step, _ in both if _ids_on(step.field) in named]
        if named_fields and planned.action is not Action.MANUAL and not self.view.full:
            paths = (named[_ids_on(field)] for field in named_fields)
            fields = ", ".join(name_field(path, planned.part_titles) for path in paths)
            yield f"by hand: {escape_invisible(fields)}"
        for step, text in both:
            if self.view.full or step.field not in named_fields:
                yield self._shorten_known(f"by hand: {text}", entry)

    def _shorten_known(self, text: str, entry: Entry) -> str:
        """The text on one line, if an earlier plan has shown all of it."""
        if self.view.full or not entry.planned.still_open:
            return text
        return shorten(text, (self.columns or _WIDTH) - _INDENT, placeholder=" …")

    def _item(self, item: Item) -> Iterator[str]:
        match item:
            case Value():
                yield item.line
            case Reordered(path, moves):
                yield f"{path}:"
                yield from self._moves(moves)
            case Whole(path, text):
                yield f"{path}:"
                for line in text.split("\n"):
                    yield "  " + self.style(f"+{escape_invisible(line)}", Colour.GREEN)
            case Rewritten(path, before, after, markup):
                shown = text_changes(before, after, markup, self.style, full=self.view.full)
                if len(shown.lines) == 1 and not shown.hidden and not self.view.full:
                    line = shown.lines[0].removeprefix(self.style(EDITED, Colour.YELLOW))
                    yield f"{path}: {line}"
                    return
                yield f"{path}:"
                yield from (f"  {line}" for line in shown.lines)
                yield from self._more(shown.hidden, "  ")
            case Parts(parts, hidden, below):
                indent = "  " * below
                yield from (f"{indent}{line}" for line in parts)
                yield from self._more(hidden, indent)

    def _moves(self, moves: Sequence[str]) -> Iterator[str]:
        shown = shorten_list(moves, _MOVES, full=self.view.full)
        yield from (f"  {line}" for line in shown)
        yield from self._more(len(moves) - len(shown), "  ")

    def _more(self, hidden: int, indent: str) -> Iterator[str]:
        if hidden:
            yield self.style(f"{indent}… {count_noun(hidden, 'more line')}", Colour.DIM)
