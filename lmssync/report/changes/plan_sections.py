"""A plan in sections: what learners notice, what customers notice, what waits for people, the rest.

Markdown and HTML are made from these. The strictest effects come first.
"""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple

from ...kind import Effect
from ...kinds import KINDS, is_structure
from ...planning.diff import FieldChange
from ...planning.plan import Action, Card, CardReader, Plan, PlannedChange, fields_of_change
from ...support.invisible_characters import escape_invisible
from ..field_words import name_field, word_value
from ..value_words import shorten_list
from .creation_outline import count_parts, list_leaves, summarise_value
from .plan_entries import (
    SAME,
    Entry,
    Item,
    Parts,
    PlanView,
    Reordered,
    Rewritten,
    Value,
    Whole,
    build_likeness_key,
    name_equal_ones,
    names_resource,
    title_says_all,
)

_LONG = 64
"""Characters of a value that is shown in a list."""
_FEW = 3
"""Things that are named; the others are counted."""


def summarize_entry(plan: Plan, entry: Entry) -> list[str]:
    """`title: “A” → “B”`, `text of hello`, `2 more`: what is new, what differs or what remains."""
    if entry.planned.action is Action.CREATE:
        return _few([*_new(plan, entry.planned)])
    items = entry.items or [item for items in entry.drift for item in items]
    named = dict.fromkeys(filter(None, map(_brief, items)))
    return _few([*named]) or list(entry.reasons[:1])


def _few(phrases: list[str]) -> list[str]:
    shown = shorten_list(phrases, _FEW, full=False)
    left = len(phrases) - len(shown)
    return [*shown, f"{left:,} more"] if left else [*shown]


def _brief(item: Item) -> str:
    match item:
        case Value(path):
            return item.line if len(item.line) <= _LONG else path
        case Reordered(path):
            return path if path.startswith("order of ") else f"order of {path}"
        case Rewritten(path) | Whole(path):
            return path
        case Parts():
            return ""


def _new(plan: Plan, planned: PlannedChange) -> Iterator[str]:
    """How many parts it has; for what has none, its fields."""
    if title_says_all(planned):
        return
    made = [
        field._replace(after=word_value(field.path, field.after, plan.currency, plan.known_titles))
        for field in fields_of_change(plan, planned)
        if field.after != planned.title and not names_resource(field.after, planned.part_of)
    ]
    whole = [field for field in made if is_structure(field.after)]
    if whole:
        yield from (count_parts(field.path, field.after) for field in whole)
        return
    for field in made:
        yield from _facts(field)


def _facts(field: FieldChange) -> Iterator[str]:
    for path, value in list_leaves(field.path, field.after):
        name = escape_invisible(name_field(path))
        line = escape_invisible(f"{name}: {summarise_value(value)}")
        yield line if len(line) <= _LONG else name


class SectionKind(StrEnum):
    """Who a section is for, and what it says; in their order."""

    UNDONE = "What was not done"
    UNKNOWN = "What the next apply will look for"
    LEARNERS = "What learners will notice"
    CUSTOMERS = "What customers will notice"
    BLOCKED = "Blocked until somebody decides"
    OPERATORS = "What people must do by hand"
    FORGOTTEN = "What is no longer managed"
    DRIFT = "What stays as people changed it on the platform"
    RECORD = "What changes only in the state"


_REASONS = frozenset({SectionKind.UNDONE, SectionKind.UNKNOWN, SectionKind.BLOCKED})
"""Those that say why rather than what."""


class Row(NamedTuple):
    """A change as one section shows it; for equal changes, the first of them."""

    entry: Entry
    gist: Sequence[str]
    others: Sequence[Entry] = ()
    """The rest of the equal ones."""

    @property
    def entries(self) -> Sequence[Entry]:
        return [self.entry, *self.others]

    @property
    def name(self) -> str:
        """`12 courses`, for several."""
        return name_equal_ones(self.entry, len(self.entries))

    @property
    def further_reasons(self) -> Sequence[str]:
        """The reasons that the gist does not say."""
        return [reason for reason in self.entry.reasons if reason not in self.gist]

    @property
    def further_steps(self) -> Sequence[str]:
        """The steps for people that the gist does not say."""
        return [step for step in self.entry.steps if step not in self.gist]

    @property
    def says_all(self) -> bool:
        """True if the gist holds all that there is to read about it."""
        entry = self.entry
        plain = all(isinstance(i, Value) and i.line in self.gist for i in entry.items)
        more = entry.drift or self.further_reasons or title_says_all(entry.planned)  # its undo
        return plain and not more

    @property
    def meaning(self) -> str:
        """What it means for people; empty if that is not the same for all of the equal ones."""
        meanings = {entry.meaning for entry in self.entries}
        return meanings.pop() if len(meanings) == 1 else ""


class Section(NamedTuple):
    """The entries of a plan that are of one kind."""

    kind: SectionKind
    rows: Sequence[Row]

    @property
    def number(self) -> int:
        return sum(len(row.entries) for row in self.rows)


Told = Callable[[PlanView, PlannedChange], Iterable[tuple[SectionKind, Entry]]]
"""Who is told of a resource, and of what of it."""
_VOICES = {
    CardReader.LEARNERS: SectionKind.LEARNERS,
    CardReader.CUSTOMERS: SectionKind.CUSTOMERS,
    CardReader.OPERATORS: SectionKind.OPERATORS,
}


def build_sections(plan: Plan, told: Told | None = None) -> list[Section]:
    """The sections of a plan that have anything to say, in the order of their kinds."""
    view, rows = PlanView(plan), defaultdict[SectionKind, list[Row]](list)
    for still_open in (False, True):
        for planned in view.listed(still_open=still_open):
            for kind, part in (told or entries_of_change)(view, planned):
                rows[kind].append(Row(part, _gist(plan, kind, part)))
    return [Section(kind, _order_rows(rows[kind])) for kind in SectionKind if rows[kind]]


def _gist(plan: Plan, kind: SectionKind, entry: Entry) -> Sequence[str]:
    """What counts in a section: the steps for people, the reasons, or what is new or differs."""
    if kind is SectionKind.OPERATORS:
        return entry.steps
    return entry.reasons if kind in _REASONS else summarize_entry(plan, entry)


def entries_of_change(
    view: PlanView, planned: PlannedChange
) -> Iterator[tuple[SectionKind, Entry]]:
    """Who is told of a planned change."""
    blocked, planned = planned.split_blocked_fields()
    if blocked:
        yield SectionKind.BLOCKED, view.entry(blocked)
    entry = view.entry(planned)
    if planned.action is Action.BLOCKED:
        yield SectionKind.BLOCKED, entry
        return
    acts = planned.action in {Action.CREATE, Action.UPDATE} or (
        planned.action in {Action.ADOPT, Action.MOVE} and entry.items
    )
    cards = planned.consequence.cards if acts and planned.consequence else {}
    if cards:
        yield from _make_cards(view, planned, cards)
    elif acts:
        yield _choose_voice(planned), entry._replace(steps=(), drift=())
    if entry.steps and CardReader.OPERATORS not in cards:
        yield SectionKind.OPERATORS, keep_steps(entry) if acts else entry._replace(drift=())
    if entry.drift:
        yield SectionKind.DRIFT, entry._replace(items=(), steps=(), reasons=(), meaning="", undo="")
    if not (acts or entry.steps or entry.drift):
        yield (
            SectionKind.FORGOTTEN if planned.action is Action.FORGET else SectionKind.RECORD,
            entry,
        )


def _make_cards(
    view: PlanView, planned: PlannedChange, cards: Mapping[CardReader, Card]
) -> Iterator[tuple[SectionKind, Entry]]:
    """Each reader is told of other fields; the reasons come first."""
    for number, (reader, card) in enumerate(cards.items()):
        own = planned._replace(effect=card.effect, consequence=card.consequence)
        some = [field for field in planned.fields if field.path in card.paths]
        entry = view.entry(own._replace(fields=some))._replace(planned=own, drift=())
        by_hand = reader is CardReader.OPERATORS
        yield (
            _VOICES[reader],
            entry._replace(
                steps=entry.steps if by_hand else (), reasons=() if number else entry.reasons
            ),
        )


def _choose_voice(planned: PlannedChange) -> SectionKind:
    """Learners or customers, of a change of which only these notice something."""
    impact = KINDS[planned.address.kind].impact
    effects = {impact.of(field.path) for field in planned.fields}
    sold = impact.for_customers or effects == {Effect.COMMERCE}
    return SectionKind.CUSTOMERS if sold else SectionKind.LEARNERS


def keep_steps(entry: Entry) -> Entry:
    """What is left to people of a change, with the effect of that."""
    impact = KINDS[entry.planned.address.kind].impact
    effect = Effect.strictest_effect(impact.of(step.field) for step in entry.planned.manual)
    bare = entry._replace(items=(), reasons=(), drift=(), meaning="", undo="")
    return bare._replace(effect=effect)


def _order_rows(rows: Iterable[Row]) -> list[Row]:
    """The strictest first, else as planned; equal ones as one."""
    order = list(Effect)
    return sorted(_fold_rows(rows), key=lambda row: -order.index(row.entry.effect))


def _fold_rows(rows: Iterable[Row]) -> Iterator[Row]:
    alike: dict[Hashable, list[Row]] = defaultdict(list)
    for row in rows:
        alike[build_likeness_key(row.entry)].append(row)
    for same in alike.values():
        if len(same) < SAME:
            yield from same
        else:
            yield same[0]._replace(others=[row.entry for row in same[1:]])
