"""A plan for people at a terminal."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ...decisions import Limits, Refresh
from ...diff import FieldChange
from ...kinds import is_structure
from ...plan import Action, Plan, PlannedChange, budget, digest, fields
from ...visible import visible
from .. import words
from ..cost_text import minutes
from ..guards_text import guard_lines
from ..ink import PLAIN, Colour, Ink
from ..truth import truth_line
from . import meaning, outline
from .differences import Pair, pairs
from .drifted import drift_lines, shown, staying
from .outline import Detail
from .prose import text_changes

_SHOWN = {
    Action.CREATE: ("+", Colour.GREEN, "to create"),
    Action.UPDATE: ("~", Colour.YELLOW, "to update"),
    Action.ADOPT: ("=", Colour.BLUE, "to adopt"),
    Action.MOVE: (">", Colour.BLUE, "to move"),
    Action.FORGET: ("-", Colour.DIM, "to forget"),
    Action.MANUAL: ("!", Colour.YELLOW, "for a person"),
    Action.BLOCKED: ("x", Colour.RED, "blocked"),
    Action.UNCHANGED: (" ", Colour.DIM, "unchanged"),
}
"""The sign and the colour of each action, and its words in the summary."""

_INDENT, _LEAST = 14, 40
"""Columns before the deepest parts of what is new; columns that are used however few there are."""
_TITLE = 40
"""Columns of titles; a longer one pushes what stands behind it along."""
_TITLES = "title", "name"
"""What people know a resource by: a change of that is shown first."""
_NAMES = 8
"""How many addresses a line names."""
_MOVES = 12
"""How many moves of one list are shown."""


def plan_text(
    plan: Plan, ink: Ink = PLAIN, *, full: bool = False, columns: int | None = None
) -> str:
    """The whole plan: changes, what only people can do, the summary and what it costs.

    Long values and differences are shortened unless `full`. Items side by side fit into
    `columns`, the width of the terminal if there is one.
    """
    page = _Page(plan, ink, Detail.fitting(len(plan.of(Action.CREATE)), full=full))
    if columns:
        page.width = max(min(outline.WIDTH, columns - _INDENT), _LEAST)
    limits = [limits_line(plan.limits)] if plan.limits else []
    truth = filter(None, [truth_line(plan.truth)])
    changes = list(page.changes())
    still_open = list(page.changes(still_open=True))
    if not plan.has_changes:
        lines = [*changes, _nothing(plan), *limits, *still_open]
        lines += [*page.protections(), *_confirm(plan), *page.rest(), *truth]
        return "\n".join(lines) + "\n"
    lines = [visible(f"Plan for {plan.environment} ({plan.base_url})"), "", *changes, *still_open]
    lines += ["", ink(summary(plan), Colour.BOLD), *meaning.totals(plan)]
    lines += [*limits, *page.protections(), *_confirm(plan)]
    lines += guard_lines(plan.guards, ink)
    if plan.steps:
        lines += _cost(plan)
    return "\n".join([*lines, f"Digest: {digest(plan)}", *page.rest(), *truth]) + "\n"


def summary(plan: Plan) -> str:
    """`Plan: 2 to create, 1 to update, 1 step for a person.`"""
    counts: dict[Action, int | str] = {action: plan.summary[action] for action in _SHOWN}
    counts[Action.MANUAL] = words.counted(plan.by_hand, "step") if plan.by_hand else 0
    drifted = sum(bool(staying(planned.drift)) for planned in plan.changes)
    parts = [f"{n} {_SHOWN[action][2]}" for action, n in counts.items() if n]
    parts += [f"{drifted} changed on the platform"] * bool(drifted)
    return f"Plan: {', '.join(parts)}."


def limits_line(limits: Limits) -> str:
    """`Limited to course.safety-*: 41 other changes are not in this plan.`"""
    since = f"changed since {limits.changed_since}" if limits.changed_since else ""
    what = ", ".join(limits.target) or "what has"
    to = [f"limited to {what} {since}".rstrip()] * bool(limits.target or since)
    without = [f"without {', '.join(limits.exclude)}"] * bool(limits.exclude)
    number = limits.left_out
    are = "is" if number == 1 else "are"
    rest = f"{words.counted(number, 'other change')} {are} not in this plan"
    text = f"{', '.join(to + without)}: {rest if number else 'nothing else has changed'}."
    return visible(text[0].upper() + text[1:])


def _confirm(plan: Plan) -> Iterator[str]:
    """How people confirm manual steps."""
    if plan.by_hand:
        yield "After doing a step by hand, confirm it: `lmssync resolve ADDRESS --done`."


def _nothing(plan: Plan) -> str:
    """What can be said when nothing is to be done: the platform was not asked about everything."""
    number = plan.summary[Action.UNCHANGED] + sum(i.still_open for i in plan.changes)
    resources = words.counted(number, "resource")
    are = "is" if number == 1 else "are"
    if not plan.planning:
        return f"No changes: {resources} {are} as last applied; the platform was not asked."
    drifted = sum(bool(staying(planned.drift)) for planned in plan.changes)
    about = {
        Refresh.ALL: "the platform was asked about all of them",
        Refresh.NONE: "the platform was not asked about them",
    }.get(
        Refresh(plan.refresh or Refresh.CHANGED),
        "the platform was asked only about those whose manifests have changed",
    )
    if drifted:
        others = f"{drifted:,} changed on the platform"
        return f"No changes in git: {resources} recorded, {others}; {about}."
    return f"No changes: {resources} {are} as the catalog wants; {about}."


def _cost(plan: Plan) -> Iterator[str]:
    """`Calls: 2 writes (1 course.create, 1 criteria.update) and 4 to 6 reads; under a minute.`"""
    cost = budget(plan)
    number = sum(cost.writes.values())
    routes = ", ".join(f"{n:,} {route}" for route, n in sorted(cost.writes.items()))
    fewest = f"; {cost.fewest_writes:,} if nothing had to wait" * (cost.fewest_writes < number)
    low, high = cost.reads
    reads = words.counted(high, "read") if low == high else f"{low:,} to {high:,} reads"
    calls = f"{words.counted(number, 'write')} ({routes}{fewest}) and {reads}"
    yield f"Calls: {calls}; {minutes(cost.minutes)}."
    if cost.planning:
        again = words.counted(sum(cost.planning.values()), "read")
        yield f"Planning took {again}; an apply without a saved plan repeats them."


@dataclass
class _Page:
    """The lines about resources, and whether something was left out of them."""

    plan: Plan
    ink: Ink
    detail: Detail
    hidden: bool = False
    width: int = outline.WIDTH

    @property
    def full(self) -> bool:
        return self.detail is Detail.FULL

    def rest(self) -> Iterator[str]:
        """How to see what was left out."""
        if self.hidden:
            yield "Some of it is shortened here: --full shows everything."

    def protections(self) -> Iterator[str]:
        """Changes of protection, which an apply records and does not send."""
        for wanted, text in ((True, "Protected from now on"), (False, "No longer protected")):
            names = [str(address) for address, on in self.plan.protections.items() if on is wanted]
            shown = names if self.full else names[:_NAMES]
            more = f" and {len(names) - len(shown):,} more" if len(names) > len(shown) else ""
            if names:
                self.hidden |= bool(more)
                yield f"{text}: {', '.join(shown)}{more}."

    def changes(self, *, still_open: bool = False) -> Iterator[str]:
        """Every change, or every resource with only open steps from before."""
        shown = [i for i in self.plan.changes if i.still_open is still_open]
        titles = [len(self._value(i.title)) for i in shown if i.title]
        title = min(max(titles, default=0), _TITLE)
        address = max((len(str(i.address)) for i in shown), default=0)
        common = {} if self.full else meaning.folded(shown)
        for planned in shown:
            yield from self._planned(planned, title, address)
            meant = meaning.meant(planned, full=self.full)
            if meant and meant not in common:
                yield f"      {meant}"
        yield from meaning.folded_lines(common)

    def _planned(self, planned: PlannedChange, title: int, address: int) -> Iterator[str]:
        """The title in the first column, or the address where there is none."""
        sign, colour, _ = _SHOWN[planned.action]
        name = visible(str(planned.address))
        action: str = planned.action
        if planned.action is Action.UNCHANGED and planned.drift:
            sign, colour, action = "≠", Colour.BLUE, "drift"
        both = f"{name:<{address}}"
        if planned.title:
            both = f"{self._value(planned.title):<{title}}  {both}"
        head = f"  {sign} {both:<{title + 2 + address if title else address}}"
        yield self.ink(f"{head}  {action:<7} {planned.effect}", colour)
        is_new = planned.action is Action.CREATE
        for reason in planned.reasons[is_new:]:  # the first one of what is new says just that
            yield f"      {visible(reason)}"
        for one in shown(planned.drift):
            lines = list(drift_lines(one, self.ink, full=self.full))
            self.hidden |= any("…" in line for line in lines)
            yield f"      on the platform, {lines[0]}"
            yield from (f"      {line}" for line in lines[1:])
        if is_new:
            yield from self._new(planned)
        for field in sorted(planned.fields, key=lambda field: field.path not in _TITLES):
            yield from self._field(field)
        for step in planned.manual:
            text = visible(f"by hand, {step.field}: {step.text}")
            yield self.ink(f"      {text}", Colour.YELLOW)

    def _new(self, planned: PlannedChange) -> Iterator[str]:
        """What is to be made: each field, or what fits on a few lines, or only the title."""
        if self.detail is Detail.HEADS:
            self.hidden = True
            return
        made = fields(self.plan, planned)
        if self.full:
            for field in made:
                yield from self._leaves(field.path, field.after)
            return
        shown = outline.new(made, planned.title, self.detail, self.width)
        yield from (f"      {line}" for line in shown.lines)
        yield from self._more(shown.hidden, "      ")
        self.hidden |= outline.leaves_out(made)

    def _leaves(self, path: str, whole: object) -> Iterator[str]:
        for inner, value in outline.leaves(path, whole):
            text = words.prose(value)
            if text is None:
                yield f"      {visible(inner)}: {words.value(value, full=True)}"
                continue
            yield f"      {visible(inner)}:"
            for line in text.split("\n"):
                yield "        " + self.ink(f"+{visible(line)}", Colour.GREEN)

    def _field(self, field: FieldChange) -> Iterator[str]:
        if self.full and field.before is None and is_structure([field.after]):
            yield from self._leaves(field.path, field.after)
            return
        for pair in pairs(*field, full=self.full):
            yield from self._pair(pair)
        if field.before is None and is_structure([field.after]):
            shown = outline.part(field.after, self.width)
            yield from (f"        {line}" for line in shown.lines)
            yield from self._more(shown.hidden, "        ")

    def _pair(self, pair: Pair) -> Iterator[str]:
        if moves := pair.moves(full=self.full):
            yield f"      {visible(pair.path)}:"
            yield from self._moves(moves)
            return
        if pair.prose is None:
            text = pair.text(full=self.full)
            named = isinstance(pair.after, list) and text != pair.text(full=True)
            self.hidden |= "…" in text or named
            yield f"      {visible(pair.path)}: {text}"
            return
        yield f"      {visible(pair.path)}:"
        shown = text_changes(*pair.prose, self.ink, full=self.full)
        yield from (f"        {line}" for line in shown.lines)
        self.hidden |= shown.cut
        yield from self._more(shown.hidden, "        ")

    def _moves(self, moves: Sequence[str]) -> Iterator[str]:
        shown = words.some(moves, _MOVES, full=self.full)
        yield from (f"        {line}" for line in shown)
        self.hidden |= any("…" in line for line in shown)
        yield from self._more(len(moves) - len(shown), "        ")

    def _more(self, hidden: int, indent: str) -> Iterator[str]:
        if hidden:
            self.hidden = True
            yield self.ink(f"{indent}… {words.counted(hidden, 'more line')}", Colour.DIM)

    def _value(self, of: object) -> str:
        shown = words.value(of, full=self.full)
        self.hidden |= shown != words.value(of, full=True)
        return shown
