"""A plan as people read it, resource by resource: text, Markdown and HTML are made of its entries.

In a long plan, changes that do the same are one entry, and the end of a long list is counted.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from heapq import nsmallest
from itertools import filterfalse
from typing import Any, NamedTuple

from ...kind import Effect
from ...kinds import KINDS, is_structure
from ...planning.diff import ORDER, Drift, FieldChange
from ...planning.plan import Action, Plan, PlannedChange, fields_of_change
from ...resource import Address
from ...support.invisible_characters import escape_invisible
from ..evidence_text import describe_noticed
from ..field_words import name_field, word_value
from ..value_words import SHORT, SpelledValue, find_text, long_text, spell_value
from .consequence_text import describe_consequence
from .creation_outline import WIDTH, Detail, list_leaves, outline_fields, outline_part
from .plan_summary import WORDS, unseen_drift
from .text_differences import Markup, detect_markup
from .value_differences import Pair, expand_pair

_TITLES = "title", "name"
"""What people know a resource by: a change of that is shown first."""
SAME = 10
"""Changes that do the same are one from this number on."""
_LISTED = 100
"""Changes of one sort that are listed; the others are counted."""
_MILD = frozenset({Effect.COSMETIC, Effect.EDITORIAL, Effect.STRUCTURAL})
"""Only changes of these effects are counted in place of listed."""
_RANKS = {kind: rank for rank, kind in enumerate(KINDS)}
_SORTS = frozenset({Action.CREATE, Action.UPDATE, Action.FORGET})


class Value(NamedTuple):
    """A field whose change fits on one line: `400 → 500`."""

    path: str
    """What people call the field; a sentence of its own where the text is empty."""
    text: str

    @property
    def line(self) -> str:
        """`price: 4.00 → 5.00`, `removes the page “Hello”`."""
        return f"{self.path}: {self.text}" if self.text else self.path


class Reordered(NamedTuple):
    """A list in another order."""

    path: str
    moves: tuple[str, ...]


class Rewritten(NamedTuple):
    """A long text that differs."""

    path: str
    before: str
    after: str
    markup: Markup


class Whole(NamedTuple):
    """A long text that is new, all of it."""

    path: str
    text: str


class Parts(NamedTuple):
    """What is new, as an outline; indented where it stands below a field."""

    lines: tuple[str, ...]
    hidden: int
    """Lines that are left out."""
    below: bool = False


Item = Value | Reordered | Rewritten | Whole | Parts
"""One thing to read about a resource; texts are as `visible` makes them, prose as written."""


_ACTIONS = {"manual": "by hand", "drift": "changed on the platform"}


class Entry(NamedTuple):
    """Everything that a report says about one resource of a plan."""

    planned: PlannedChange
    title: str
    action: str
    """The action, or `drift` where only the platform has changed it."""
    effect: Effect
    """Of what is shown here."""
    reasons: tuple[str, ...]
    drift: tuple[tuple[Item, ...], ...]
    """For each field that people have changed on the platform, what there is to read."""
    items: tuple[Item, ...]
    blocked_fields: tuple[Item, ...]
    """Fields that are not sent before somebody has decided."""
    steps: tuple[str, ...]
    """What is left for a person."""
    meaning: str
    """What it means for people, on one line."""
    undo: str
    """`by hand: a person deletes it`; empty for what changes nothing."""
    ids: tuple[str, ...] = ()
    """`course 7d1c…`, of what an apply has made."""

    @property
    def address(self) -> str:
        return escape_invisible(str(self.planned.address))

    @property
    def word(self) -> str:
        """The action in the words of people."""
        return _ACTIONS.get(self.action, self.action)

    @property
    def version(self) -> str:
        """What it is to the learners of a course."""
        return self.planned.consequence.version if self.planned.consequence else ""


@dataclass(frozen=True)
class PlanView:
    """The entries of a plan, in as much detail as people will read."""

    plan: Plan
    full: bool = False
    width: int = WIDTH
    """Columns for items side by side."""

    @cached_property
    def detail(self) -> Detail:
        return Detail.fitting(len(self.plan.with_action(Action.CREATE)), full=self.full)

    def listed(self, *, still_open: bool, several: bool = False) -> Iterator[PlannedChange]:
        """What the entries are about: every change, or every resource with only open steps from
        before; of `several` that may be the same, no other."""
        shown = self.list_unordered(still_open=still_open)
        return iter(
            sorted(filterfalse(_is_single, shown) if several else shown, key=_reading_order)
        )

    def list_unordered(self, *, still_open: bool) -> Iterator[PlannedChange]:
        """What `listed` gives, in the order of the plan."""
        return (planned for planned in self.plan.changes if planned.still_open is still_open)

    def entry(self, planned: PlannedChange) -> Entry:
        detail = self.detail
        is_new = planned.action is Action.CREATE
        edited = planned.drift or planned.edited_parts
        drifted = planned.action is Action.UNCHANGED and edited
        made = self._made(planned) if is_new and detail is not Detail.HEADS else ()
        new = self._new(made, planned.title, detail)
        ordered = sorted(
            () if is_new else planned.fields, key=lambda field: field.path not in _TITLES
        )
        return Entry(
            planned,
            spell_value(planned.title, full=self.full) if planned.title else "",
            "drift" if drifted else planned.action,
            planned.effect,
            # The first reason of something new says that it is new, which the action says already.
            tuple(escape_invisible(reason) for reason in planned.reasons[is_new:]),
            tuple(tuple(self._drift(one, planned)) for one in unseen_drift(planned.drift)),
            (*new, *(item for field in ordered for item in self._field(field, planned))),
            tuple(item for field in planned.blocked_fields for item in self._field(field, planned)),
            tuple(escape_invisible(step.text) for step in planned.manual),
            describe_consequence(planned, full=self.full),
            _undo(planned),
        )

    def _made(self, planned: PlannedChange) -> Sequence[FieldChange]:
        """The fields of something new, in words."""
        if not self.full and title_says_all(planned):
            return ()
        made = fields_of_change(self.plan, planned)
        if planned.part_of and not self.full:
            made = [one for one in made if not names_resource(one.after, planned.part_of)]
        return [one._replace(after=self._word(one.path, one.after)) for one in made]

    def _word(self, path: str, value: Any) -> Any:
        return word_value(path, value, self.plan.currency, self.plan.known_titles)

    def _drift(self, one: Drift, planned: PlannedChange) -> Iterator[Item]:
        """The recorded value and the live one."""
        name = escape_invisible(name_field(one.path, planned.part_titles))
        if one.noticed_at:
            yield Value(name, escape_invisible(describe_noticed(one.noticed_at)))
            return
        if one.places:
            yield Value(name, escape_invisible(one.describe_places()))
            return
        both = (self._word(one.path, value) for value in (one.recorded, one.live))
        for pair in expand_pair(one.path, *both, full=self.full):
            yield self._values(pair, planned)

    def _new(self, made: Sequence[FieldChange], title: str, detail: Detail) -> Iterator[Item]:
        """What is to be made: each field, or what fits on a few lines."""
        if self.full:
            for field in made:
                yield from _leaves(field.path, field.after)
        elif made:
            new = outline_fields(made, title, detail, self.width)
            yield Parts(tuple(new.lines), new.hidden)

    def _field(self, field: FieldChange, planned: PlannedChange) -> Iterator[Item]:
        if is_structure([field.before]) and field.after is None:
            yield Value(f"removes the {self._name(field.path, planned)}", "")
            return
        if field.before is None and is_structure([field.after]):
            yield Value(f"adds the {self._name(field.path, planned)}", "")
            if self.full:
                yield from _leaves(field.path, field.after)
            else:
                below = outline_part(field.after, self.width)
                yield Parts(tuple(below.lines), below.hidden, below=True)
            return
        before, after = (self._word(field.path, value) for value in field[1:])
        if field.path.endswith(f".{ORDER}"):
            before, after = _title_items(field, planned.part_titles)
        for pair in expand_pair(field.path, before, after, full=self.full):
            moves = pair.moves(full=self.full)
            yield (
                Reordered(self._name(pair.path, planned), tuple(moves))
                if moves
                else self._values(pair, planned)
            )

    def _name(self, path: str, planned: PlannedChange) -> str:
        return escape_invisible(name_field(path, planned.part_titles))

    def _values(self, pair: Pair, planned: PlannedChange) -> Item:
        name = self._name(pair.path, planned)
        if pair.prose:
            return Rewritten(name, *pair.prose)
        text = pair.text(full=self.full)
        old, new = find_text(pair.before), find_text(pair.after)
        if old and new and isinstance(pair.after, dict) and len(text) > SHORT:
            return Rewritten(name, old, new, detect_markup(pair.before, pair.after))
        if f"“{pair.before}”" in name:  # the name says already what it is called so far
            text = text.removeprefix(f"“{pair.before}” ")
        return Value(name, escape_invisible(text))


def names_resource(value: Any, address: Address | None) -> bool:
    """True for a value that names this resource, and no part of it."""
    named = isinstance(value, dict) and "part" not in value and value.get("$ref")
    return bool(named) and named == str(address)


def _title_items(field: FieldChange, titles: Mapping[str, str]) -> Iterator[Any]:
    """The ids of parts before and after, or their titles in the place of the ids."""
    level = field.path.removesuffix(f".{ORDER}")
    named = {name: titles.get(f"{level}[{name}]", "") for name in field.after}
    # Two parts of one title would make the order unreadable: then ids are shown.
    apart = all(named.values()) and len({*named.values()}) == len(named)
    for names in (field.before, field.after):
        yield [SpelledValue.of(f"“{named[one]}”", one) for one in names] if apart else names


def _reading_order(planned: PlannedChange) -> str:
    """Kinds as people read them, what belongs to something behind it, and c2 before c10."""
    whole, own = planned.whole, planned.address
    return f"{_order_of(whole)}\0\0{_order_of(own)}" if own != whole else _order_of(whole)


def _order_of(address: Address) -> str:
    # One text for each of a hundred thousand changes: numbers are longer before they are larger.
    def spell_number(found: re.Match[str]) -> str:
        return f"\0{len(found[0].lstrip('0')):03}{found[0].lstrip('0')}\0{found[0]}\0"

    return f"{_RANKS[address.kind]:02}{re.sub(r'[0-9]+', spell_number, address.key)}"


def _undo(planned: PlannedChange) -> str:
    consequence = planned.consequence
    parts = (consequence.undo, consequence.recipe) if consequence else ()
    return escape_invisible(": ".join(filter(None, parts)))


def _leaves(path: str, whole: Any) -> Iterator[Item]:
    for inner, value in list_leaves(path, whole):
        name = escape_invisible(inner if "[" in inner else name_field(inner))
        text = long_text(value)
        if text is None:
            yield Value(name, spell_value(value, full=True))
        else:
            yield Whole(name, text)


def build_likeness_key(entry: Entry) -> Hashable:
    """A key that changes share which do the same, and new parts which are equal."""
    is_equal_part = entry.planned.part_of and (entry.items or title_says_all(entry.planned))
    if _is_single(entry.planned) and not is_equal_part:
        return entry.address
    title = entry.title if entry.planned.action is Action.CREATE else ""
    what = title, entry.items, entry.reasons, entry.steps, entry.drift, entry.blocked_fields
    return entry.planned.address.kind, entry.action, entry.effect, *what


def title_says_all(planned: PlannedChange) -> bool:
    """True for something new whose title is made of its fields: `View 80 % of the course`."""
    is_named = planned.title and KINDS[planned.address.kind].authoring.title_in
    return planned.action is Action.CREATE and bool(is_named)


def name_equal_ones(entry: Entry, number: int) -> str:
    """`12 completion criteria “View 80 % of the course”`: what is new has the same title, too."""
    name = f"{number:,} {KINDS[entry.planned.address.kind].nouns}"
    return f"{name} {entry.title}" if title_says_all(entry.planned) else name


def _is_single(planned: PlannedChange) -> bool:
    """What is new is never the same, unless it leaves the same steps to people."""
    return planned.action is Action.CREATE and not planned.manual


class Folded:
    """The entries of a plan for a terminal, and how many were left out."""

    def __init__(self, view: PlanView, *, still_open: bool) -> None:
        self._view, self._still_open = view, still_open
        self.left_out: Counter[tuple[Action, str]] = Counter()

    def __iter__(self) -> Iterator[tuple[Entry, Sequence[str]]]:
        """Each entry that is shown, with the addresses of all that do the same."""
        same = self._same()
        listed: Counter[tuple[Action, str]] = Counter()
        chosen, beyond = self._choose_first()
        for planned in chosen:
            sort = planned.action, planned.address.kind
            over = self._is_mild(planned) and listed[sort] >= _LISTED
            # Before the entry is made: of ten thousand new courses only those that are shown are
            # worded.
            if over and _is_single(planned):
                self.left_out[sort] += 1
                continue
            entry = self._view.entry(planned)
            alike = same.get((build_likeness_key(entry), entry.meaning), [])
            # It was listed with the first of those that do the same.
            if alike and alike[0] != entry.address:
                continue
            listed[sort] += not alike
            if over and not alike:
                self.left_out[sort] += 1
            else:
                yield entry, alike
        self.left_out.update(beyond)

    def _is_mild(self, planned: PlannedChange) -> bool:
        """Whether it is counted in place of listed, after enough others of its sort."""
        is_mild = planned.action in _SORTS and planned.effect in _MILD and not planned.manual
        return is_mild and not self._view.full

    def _choose_first(self) -> tuple[list[PlannedChange], dict[tuple[Action, str], int]]:
        """The changes in the order of reading, without those that are new and certain to be
        counted, and how many these are: ordering a hundred thousand takes a text for each."""
        chosen: list[PlannedChange] = []
        new: dict[str, list[PlannedChange]] = defaultdict(list)
        for one in self._view.list_unordered(still_open=self._still_open):
            counts = _is_single(one) and not one.part_of and self._is_mild(one)
            (new[one.address.kind] if counts else chosen).append(one)
        beyond = {(Action.CREATE, kind): len(own) - _LISTED - 1 for kind, own in new.items()}
        for own in new.values():
            chosen += nsmallest(_LISTED + 1, own, key=_reading_order)
        return sorted(chosen, key=_reading_order), {s: n for s, n in beyond.items() if n > 0}

    def _same(self) -> dict[Hashable, list[str]]:
        """Addresses of changes that do the same, where there are enough of them."""
        if self._view.full or len(self._view.plan.changes) < SAME:
            return {}
        found: dict[Hashable, list[str]] = defaultdict(list)
        # Where only heads are shown, what is new is counted by itself, and no entry of it is made.
        heads = not self._view.detail
        several = self._view.listed(still_open=self._still_open, several=heads)
        for entry in map(self._view.entry, several):
            found[build_likeness_key(entry), entry.meaning].append(entry.address)
        return {key: names for key, names in found.items() if len(names) >= SAME}

    def rest(self) -> Iterator[str]:
        """`… 400 more courses to update`; complete once everything was shown."""
        for (action, kind), number in self.left_out.items():
            noun = KINDS[kind].noun if number == 1 else KINDS[kind].nouns
            yield f"  … {number:,} more {noun} {WORDS[action]}"
