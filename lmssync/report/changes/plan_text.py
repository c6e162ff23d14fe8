"""A plan for people at a terminal."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ...kinds import KINDS
from ...planning.plan import Plan, digest
from ...support.invisible_characters import escape_invisible
from ..evidence_text import SayMoment, at_moment, truth_line
from ..terminal_style import PLAIN, Colour, Ink, wrap_lines
from ..value_words import count_noun, join_some, shorten_list
from .consequence_text import fold_meanings, list_folded_meanings, total_lines
from .creation_outline import WIDTH
from .plan_entries import Entry, Folded, Item, Parts, PlanView, Reordered, Rewritten, Value, Whole
from .plan_summary import (
    blocked_line,
    call_lines,
    drift_lines,
    guard_lines,
    lowered_lines,
    matters_line,
    next_line,
    nothing_line,
    protection_lines,
    scope_lines,
    summary,
)
from .text_differences import text_changes

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
_TITLE = 40
"""Columns of titles; a longer one pushes what stands behind it along."""
_AROUND = len("  ~   unchanged structural")
"""Columns around what is named on the first line of a change."""
_MOVES = 12
"""How many moves of one list are shown."""
_NAMES = 8
"""How many addresses of changes that do the same are named."""


def plan_text(
    plan: Plan,
    ink: Ink = PLAIN,
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
    page = _Page(PlanView(plan, full, width), ink, columns)
    changes, still_open = list(page.changes()), list(page.changes(still_open=True))
    if plan.has_changes:
        head = escape_invisible(f"Plan for {plan.environment} ({plan.base_url})")
        lines = [
            head,
            "",
            *changes,
            *still_open,
            "",
            *_scope(plan, full=full),
            *guard_lines(plan.guards, ink),
        ]
        lines += [*_details(plan, say)] if full else []
        lines.append(ink(summary(plan), Colour.BOLD))
    else:
        lines = [*changes, nothing_line(plan), *_scope(plan, full=full), *still_open]
        lines += [*_details(plan, say)] if full else []
    lines += [*matters_line(plan), *next_line(plan, next_step)]
    return "\n".join(wrap_lines(lines, columns)) + "\n"


def _scope(plan: Plan, *, full: bool) -> Iterator[str]:
    """What the plan has not looked at or leaves out, and what it does besides its changes."""
    yield from drift_lines(plan)
    yield from scope_lines(plan)
    yield from protection_lines(plan, full=full)
    yield from map(escape_invisible, lowered_lines(plan))


def _details(plan: Plan, say: SayMoment) -> Iterator[str]:
    """What few readers need: how to undo it, versions, calls, digest, and what is proven."""
    if plan.has_changes:
        yield from total_lines(plan, say)
        yield from call_lines(plan)
        yield from [f"Intentions: {plan.intentions}"] if plan.intentions else []
        yield f"Digest: {digest(plan)}"
        yield from blocked_line(plan)
    yield from filter(None, [truth_line(plan.truth, say)])


@dataclass
class _Page:
    """The lines about resources."""

    view: PlanView
    ink: Ink
    columns: int | None = None

    def changes(self, *, still_open: bool = False) -> Iterator[str]:
        """Every change, or every resource with only open steps from before."""
        shown = [i for i in self.view.plan.changes if i.still_open is still_open]
        title = min(max((len(self.view.title(i)) for i in shown), default=0), _TITLE)
        address = max((len(str(i.address)) for i in shown), default=0)
        common = {} if self.view.full else fold_meanings(shown)
        folded = Folded(self.view, still_open=still_open)
        for entry, alike in folded:
            yield from self._head(entry, alike, title, address)
            yield from self._entry(entry)
            if entry.meaning and entry.meaning not in common:
                yield f"      {entry.meaning}"
            if alike:
                yield self._name_addresses(alike)
        yield from (self.ink(line, Colour.DIM) for line in folded.rest())
        yield from list_folded_meanings(common)

    def _head(self, entry: Entry, alike: Sequence[str], title: int, address: int) -> Iterator[str]:
        """The title in the first column, or the address where there is none."""
        sign, colour = _SHOWN[entry.action]
        end = f"  {entry.action:<7} {entry.effect}"
        width = title + 2 + address if title else address
        named = f"{entry.address:<{address}}"
        if alike:
            named = f"{len(alike):,} {KINDS[entry.planned.address.kind].nouns}"
        elif entry.title:
            named = f"{entry.title:<{title}}  {named}"
        below = ""
        if self.columns and len(f"  {sign} {named:<{width}}{end}") > self.columns:
            width = self.columns - _AROUND
            below = entry.address if entry.title and not alike else ""
            named = entry.title if below else named.rstrip()
        yield self.ink(f"  {sign} {named:<{width}}{end}", colour)
        if below:
            yield self.ink(f"      {below}", colour)

    def _name_addresses(self, addresses: Sequence[str]) -> str:
        """The addresses of changes that do the same."""
        return f"      {join_some(addresses, _NAMES)}"

    def _entry(self, entry: Entry) -> Iterator[str]:
        """What stands below the first line of a change."""
        yield from (f"      {reason}" for reason in entry.reasons)
        for items in entry.drift:
            lines = [line for item in items for line in self._item(item)]
            yield f"      on the platform, {lines[0]}"
            yield from (f"      {line}" for line in lines[1:])
        for item in entry.items:
            yield from (f"      {line}" for line in self._item(item))
        for item in entry.blocked_fields:
            first, *rest = self._item(item)
            yield f"      not sent, {first}"
            yield from (f"      {line}" for line in rest)
        for step in entry.steps:
            yield self.ink(f"      by hand, {step}", Colour.YELLOW)

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
                    yield "  " + self.ink(f"+{escape_invisible(line)}", Colour.GREEN)
            case Rewritten(path, before, after, markup):
                yield f"{path}:"
                shown = text_changes(before, after, markup, self.ink, full=self.view.full)
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
            yield self.ink(f"{indent}… {count_noun(hidden, 'more line')}", Colour.DIM)
