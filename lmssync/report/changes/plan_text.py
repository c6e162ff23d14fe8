"""A plan for people at a terminal."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ...kinds import KINDS
from ...planning.plan import Plan, digest
from ...support.visible import escape_invisible
from .. import value_words as words
from ..evidence_text import SayMoment, at_moment, truth_line
from ..terminal_style import PLAIN, Colour, Ink, wrap_lines
from . import consequence_text as meaning, creation_outline as outline
from .plan_entries import Entry, Folded, Item, Parts, PlanView, Reordered, Rewritten, Value, Whole
from .plan_summary import (
    blocked_line,
    call_lines,
    confirm_line,
    drift_lines,
    guard_lines,
    lowered_lines,
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
) -> str:
    """The whole plan: changes, what only people can do, the summary and what it costs.

    Long values and differences are shortened unless `full`. Items side by side fit into
    `columns`, the width of the terminal if there is one. `say` words the moments: a terminal gives
    their age.
    """
    width = max(min(outline.WIDTH, columns - _INDENT), _LEAST) if columns else outline.WIDTH
    page = _Page(PlanView(plan, full, width), ink, columns)
    limits = [*drift_lines(plan), *scope_lines(plan)]
    truth = filter(None, [truth_line(plan.truth, say)])
    changes = list(page.changes())
    still_open = list(page.changes(still_open=True))
    protections = list(protection_lines(plan, full=full))
    page.hidden |= protections != list(protection_lines(plan, full=True))
    below = [*protections, *map(escape_invisible, lowered_lines(plan)), *confirm_line(plan)]
    if not plan.has_changes:
        lines = [*changes, nothing_line(plan), *limits, *still_open]
        lines += [*below, *page.rest(), *truth]
        return "\n".join(wrap_lines(lines, columns)) + "\n"
    lines = [
        escape_invisible(f"Plan for {plan.environment} ({plan.base_url})"),
        "",
        *changes,
        *still_open,
    ]
    lines += ["", ink(summary(plan), Colour.BOLD), *meaning.totals(plan, say)]
    lines += [*limits, *below, *guard_lines(plan.guards, ink), *call_lines(plan)]
    lines += [f"Intentions: {plan.intentions}"] * bool(plan.intentions)
    lines += [f"Digest: {digest(plan)}", *page.rest(), *truth, *blocked_line(plan)]
    return "\n".join(wrap_lines(lines, columns)) + "\n"


@dataclass
class _Page:
    """The lines about resources, and whether something was left out of them."""

    view: PlanView
    ink: Ink
    columns: int | None = None
    hidden: bool = False

    def rest(self) -> Iterator[str]:
        """How to see what was left out."""
        if self.hidden:
            yield "Some of it is shortened here: --full shows everything."

    def changes(self, *, still_open: bool = False) -> Iterator[str]:
        """Every change, or every resource with only open steps from before."""
        shown = [i for i in self.view.plan.changes if i.still_open is still_open]
        title = min(max((len(self.view.title(i)) for i in shown), default=0), _TITLE)
        address = max((len(str(i.address)) for i in shown), default=0)
        common = {} if self.view.full else meaning.fold_meanings(shown)
        folded = Folded(self.view, still_open=still_open)
        for entry, alike in folded:
            yield from self._head(entry, alike, title, address)
            yield from self._entry(entry)
            if entry.meaning and entry.meaning not in common:
                yield f"      {entry.meaning}"
            if alike:
                yield self._name_addresses(alike)
        rest = list(folded.rest())
        self.hidden |= bool(rest)
        yield from (self.ink(line, Colour.DIM) for line in rest)
        yield from meaning.folded_lines(common)

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
        self.hidden |= len(addresses) > _NAMES
        more = f" and {len(addresses) - _NAMES:,} more" * (len(addresses) > _NAMES)
        return f"      {', '.join(addresses[:_NAMES])}{more}"

    def _entry(self, entry: Entry) -> Iterator[str]:
        """What stands below the first line of a change."""
        self.hidden |= entry.cut
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
            case Value(path, text, cut):
                self.hidden |= cut
                yield f"{path}: {text}"
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
                self.hidden |= shown.cut
                yield from self._more(shown.hidden, "  ")
            case Parts(parts, hidden, below):
                indent = "  " * below
                yield from (f"{indent}{line}" for line in parts)
                yield from self._more(hidden, indent)

    def _moves(self, moves: Sequence[str]) -> Iterator[str]:
        shown = words.some(moves, _MOVES, full=self.view.full)
        yield from (f"  {line}" for line in shown)
        self.hidden |= any("…" in line for line in shown)
        yield from self._more(len(moves) - len(shown), "  ")

    def _more(self, hidden: int, indent: str) -> Iterator[str]:
        if hidden:
            self.hidden = True
            yield self.ink(f"{indent}… {words.count_noun(hidden, 'more line')}", Colour.DIM)
