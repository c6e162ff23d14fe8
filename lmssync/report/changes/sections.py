"""A plan in sections: what learners notice, what customers notice, what is left to people.

Markdown and HTML are made from these. The strictest effects come first.
"""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from enum import StrEnum
from typing import NamedTuple

from ...kind import Effect
from ...kinds import KINDS
from ...plan import Action, Plan
from .folding import SAME, likeness
from .gist import gist, spelled
from .view import Entry, Item, Parts, PlanView, Value


class Voice(StrEnum):
    """Who a section is for, and what it says; in their order."""

    UNDONE = "What was not done"
    UNKNOWN = "What the next apply will look for"
    BLOCKED = "Blocked until somebody decides"
    LEARNERS = "What learners will notice"
    CUSTOMERS = "What customers will notice"
    OPERATORS = "What people must do by hand"
    DRIFT = "What stays as people changed it on the platform"
    RECORD = "What only the record will say"


_REASONS = frozenset({Voice.UNDONE, Voice.UNKNOWN, Voice.BLOCKED})
"""Those that say why rather than what."""


class Row(NamedTuple):
    """A change as one voice tells of it; for equal changes, the first of them."""

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
        kind = KINDS[self.entry.planned.address.kind]
        return f"{len(self.entries):,} {kind.nouns}"

    @property
    def says_all(self) -> bool:
        """True if the gist holds all that there is to read about it."""
        entry = self.entry
        plain = all(isinstance(i, Value) and spelled(i) in self.gist for i in entry.items)
        return plain and not entry.drift and {*entry.reasons} <= {*self.gist}

    @property
    def meaning(self) -> str:
        """What it means for people; empty if that is not the same for all of the equal ones."""
        meanings = {entry.meaning for entry in self.entries}
        return meanings.pop() if len(meanings) == 1 else ""


class Section(NamedTuple):
    """What one voice says."""

    voice: Voice
    rows: Sequence[Row]

    @property
    def number(self) -> int:
        return sum(len(row.entries) for row in self.rows)


Told = Callable[[Entry], Iterable[tuple[Voice, Entry]]]
"""Who is told of a resource, and of what of it."""


def sections(plan: Plan, told: Told | None = None) -> list[Section]:
    """Those that have anything to say, in the order of the voices."""
    view, rows = PlanView(plan), defaultdict[Voice, list[Row]](list)
    for still_open in (False, True):
        for entry in view.entries(still_open=still_open):
            for voice, part in (told or voiced)(entry):
                rows[voice].append(Row(part, _gist(plan, voice, part)))
    return [Section(voice, _ordered(rows[voice])) for voice in Voice if rows[voice]]


def _gist(plan: Plan, voice: Voice, entry: Entry) -> Sequence[str]:
    """What counts for a voice: the steps for people, the reasons, or what is new or differs."""
    if voice is Voice.OPERATORS:
        return entry.steps
    return entry.reasons if voice in _REASONS else gist(plan, entry)


def voiced(entry: Entry) -> Iterator[tuple[Voice, Entry]]:
    """Who is told of a planned change."""
    planned = entry.planned
    if planned.action is Action.BLOCKED:
        yield Voice.BLOCKED, entry
        return
    acts = planned.action in {Action.CREATE, Action.UPDATE} or (
        planned.action in {Action.ADOPT, Action.MOVE} and entry.items
    )
    if acts:
        yield from _noticed(entry)
    if entry.steps:
        rest = _steps_only(entry) if acts else entry
        yield Voice.OPERATORS, rest._replace(drift=())
    if entry.drift:
        yield Voice.DRIFT, entry._replace(items=(), steps=(), reasons=(), meaning="", undo="")
    if not (acts or entry.steps or entry.drift):
        yield Voice.RECORD, entry


def _noticed(entry: Entry) -> Iterator[tuple[Voice, Entry]]:
    """Learners and customers; of both, each is told of other fields."""
    impact = KINDS[entry.planned.address.kind].impact
    told = entry._replace(steps=(), drift=())
    if impact.for_customers:
        yield Voice.CUSTOMERS, told
        return
    effects = [impact.of(_path(item)) for item in entry.items]
    pairs = list(zip(entry.items, effects, strict=True))
    sold = tuple(item for item, effect in pairs if effect is Effect.COMMERCE)
    rest = tuple(item for item, effect in pairs if effect is not Effect.COMMERCE)
    if not sold:
        yield Voice.LEARNERS, told
        return
    if rest:
        milder = Effect.strictest(effect for effect in effects if effect is not Effect.COMMERCE)
        effect = entry.effect if entry.planned.losses else milder
        yield Voice.LEARNERS, told._replace(items=rest, effect=effect)
    yield Voice.CUSTOMERS, told._replace(items=sold, reasons=() if rest else told.reasons)


def _path(item: Item) -> str:
    return "" if isinstance(item, Parts) else item.path


def _steps_only(entry: Entry) -> Entry:
    return entry._replace(items=(), reasons=(), meaning="", undo="")


def _ordered(rows: Iterable[Row]) -> list[Row]:
    """The strictest first, else as planned; equal ones as one."""
    order = list(Effect)
    return sorted(_folded(rows), key=lambda row: -order.index(row.entry.effect))


def _folded(rows: Iterable[Row]) -> Iterator[Row]:
    alike: dict[Hashable, list[Row]] = defaultdict(list)
    for row in rows:
        alike[likeness(row.entry)].append(row)
    for same in alike.values():
        if len(same) < SAME:
            yield from same
        else:
            yield same[0]._replace(others=[row.entry for row in same[1:]])
