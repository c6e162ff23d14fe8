"""Compares recorded lists of people with what the accounts of the platform hold.

Only losses are told: what people hold without being in a list is nobody's business here.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import NamedTuple

from ...kind import Json, Roster, RosterEntry
from ...platform.client import Reader
from ...platform.live import (
    Binder,
    Holder,
    LiveState,
    TooLong,
    Unlisted,
    all_holders,
    is_declared,
    leaf_paths,
)
from ...resource import Address, Form
from .findings import LostHolding

PAGES_MOST = 200
"""A longer list of accounts is not read."""
Held = Mapping[str, Set[str]]
"""By code, the uuids of what somebody holds, in small letters; of all accounts together that share
an identifier."""


class ComparedPeople(NamedTuple):
    """What the accounts have shown of a list of people."""

    losses: Sequence[LostHolding]
    state: LiveState


@dataclass
class PeopleLook:
    """The lists of people of one look; the accounts are read when the first comes up."""

    reader: Reader
    code: Callable[[str], str]
    held: Held | None = None
    why: str = ""
    """Why the accounts could not be read."""
    over_budget: bool = False
    """With a larger budget they could be."""
    left: list[Address] = field(default_factory=list)
    """Lists for whose accounts there are not enough calls."""
    unlisted: list[Address] = field(default_factory=list)
    """Lists that could not be compared at all."""

    def compare(
        self, address: Address, form: Form, roster: Roster, binder: Binder
    ) -> ComparedPeople | None:
        """What the accounts show of a list; None if they cannot be read: then it is kept which."""
        if self.held is None and not self.why:
            self._read_accounts(roster)
        if self.held is None:
            (self.left if self.over_budget else self.unlisted).append(address)
            return None
        lost = _find_losses(form, roster, self.held, binder)
        return ComparedPeople(lost, _proven_state(form, roster, binder))

    def _read_accounts(self, roster: Roster) -> None:
        """In at most half of the calls of a budget: a list that is too long for them would else use
        them up every night."""
        budget = self.reader.most
        most = PAGES_MOST if budget is None else min(PAGES_MOST, budget // 2)
        try:
            held = _by_code(all_holders(self.reader, roster, self.code, most))
        except Unlisted as error:
            self.why = str(error)
            self.over_budget = isinstance(error, TooLong) and most < PAGES_MOST
        else:
            self.held = held or None
            self.why = "" if held else "the platform lists no accounts to this key"


def _by_code(holders: Iterable[Holder]) -> Held:
    held = defaultdict[str, set[str]](set)
    for holder in holders:
        for code in holder.codes:
            held[code] |= {id_.lower() for id_ in holder.holds}
    return held


def _find_losses(form: Form, roster: Roster, held: Held, binder: Binder) -> list[LostHolding]:
    """Who of a list has no longer what it gave them; what has no id any more is left out."""
    lost = defaultdict[str, list[str]](list)
    for entry in roster.entries(form):
        for what in _find_lost(entry, held, binder):
            lost[what].append(entry.codes[0])
    return [LostHolding(what, people) for what, people in sorted(lost.items())]


def _find_lost(entry: RosterEntry, held: Held, binder: Binder) -> Iterator[str]:
    code = next((one for one in entry.codes if one in held), None)
    if code is None:
        yield from [""] * bool(entry.holds)
        return
    for what in entry.holds:
        id_ = binder.bind_known(what)
        if isinstance(id_, str) and id_.lower() not in held[code]:
            yield _name_of(what)


def _name_of(what: Json) -> str:
    return str(what["$ref"] if isinstance(what, dict) else what)


def _proven_state(form: Form, roster: Roster, binder: Binder) -> LiveState:
    """What the accounts prove of a form: nothing if the id of something in it is unknown."""
    entries = roster.entries(form)
    known = all(isinstance(binder.bind_known(o), str) for one in entries for o in one.holds)
    paths = [path for path in leaf_paths(form) if is_declared(roster.proves, path)]
    proven = frozenset(paths if known else ())
    return LiveState(present=True, form=form, proven=proven, readings=(roster.route,))
