"""What of a long plan is read as one: changes that do the same, and the end of a long list."""

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator, Sequence
from itertools import filterfalse

from ...kind import Effect
from ...kinds import KINDS
from ...planning.plan import Action, PlannedChange
from .sums import WORDS
from .view import Entry, PlanView

SAME = 10
"""Changes that do the same are one from this number on."""
_LISTED = 100
"""Changes of one sort that are listed; the others are counted."""
_MILD = frozenset({Effect.COSMETIC, Effect.EDITORIAL, Effect.STRUCTURAL})
"""Only changes of these effects are counted in place of listed."""
_SORTS = frozenset({Action.CREATE, Action.UPDATE, Action.FORGET})


def likeness(entry: Entry) -> Hashable:
    """The same for changes that do the same."""
    if _is_single(entry.planned):
        return entry.address
    what = entry.items, entry.reasons, entry.steps, entry.drift, entry.blocked_fields
    return entry.planned.address.kind, entry.action, entry.effect, *what


def _is_single(planned: PlannedChange) -> bool:
    """What is new is never the same, unless it leaves the same steps to people."""
    return planned.action is Action.CREATE and not planned.manual


def _is_mild(planned: PlannedChange) -> bool:
    """Whether it may be counted in place of listed."""
    return planned.action in _SORTS and planned.effect in _MILD and not planned.manual


class Folded:
    """The entries of a plan for a terminal, and how many were left out."""

    def __init__(self, view: PlanView, *, still_open: bool) -> None:
        self._view, self._still_open = view, still_open
        self.left_out: Counter[tuple[Action, str]] = Counter()

    def __iter__(self) -> Iterator[tuple[Entry, Sequence[str]]]:
        """Each entry that is shown, with the addresses of all that do the same."""
        same = self._same()
        listed: Counter[tuple[Action, str]] = Counter()
        for planned in self._view.listed(still_open=self._still_open):
            sort = planned.action, planned.address.kind
            over = _is_mild(planned) and not self._view.full and listed[sort] >= _LISTED
            if over and _is_single(planned):
                self.left_out[sort] += 1
                continue
            entry = self._view.entry(planned)
            alike = same.get((likeness(entry), entry.meaning), [])
            if alike and alike[0] != entry.address:
                continue
            listed[sort] += not alike
            if over and not alike:
                self.left_out[sort] += 1
            else:
                yield entry, alike

    def _same(self) -> dict[Hashable, list[str]]:
        """Addresses of changes that do the same, where there are enough of them."""
        if self._view.full or len(self._view.plan.changes) < SAME:
            return {}
        found: dict[Hashable, list[str]] = defaultdict(list)
        several = filterfalse(_is_single, self._view.listed(still_open=self._still_open))
        for entry in map(self._view.entry, several):
            found[likeness(entry), entry.meaning].append(entry.address)
        return {key: names for key, names in found.items() if len(names) >= SAME}

    def rest(self) -> Iterator[str]:
        """`… 400 more courses to update`; complete once everything was shown."""
        for (action, kind), number in self.left_out.items():
            noun = KINDS[kind].noun if number == 1 else KINDS[kind].nouns
            yield f"  … {number:,} more {noun} {WORDS[action]}"
