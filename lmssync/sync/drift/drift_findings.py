"""What a look for drift finds: fields and parts that differ, and who of a list has lost something.

Lists of people tell losses only: what people hold without being in a list is not compared.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from itertools import chain
from types import MappingProxyType
from typing import NamedTuple, Self

from ...errors import PlatformError
from ...kind import Ids, Json, LivePart, Roster, RosterEntry
from ...kinds import KINDS
from ...planning.diff import Drift, ProofBuffer, find_drift, top_field
from ...planning.plan import find_part_titles, list_part_titles
from ...planning.verification_coverage import VerificationCoverage
from ...platform.client import Reader
from ...platform.live import (
    WHOLE,
    AgedAttestation,
    Binder,
    Holder,
    LiveState,
    TooLong,
    Unchanged,
    Unlisted,
    all_holders,
    is_declared,
    leaf_paths,
)
from ...resource import Address, Form
from ...state import OpenStep, PairKey, Proof, Record
from ...support.persons import spell_person

Others = Mapping[Address, Set[str]]
"""By resource, the fields that its manifest leaves to others."""


class LostHolding(NamedTuple):
    """People of a recorded list who have no longer what it gave them."""

    what: str
    """The address or the uuid of what they had; empty for people who have no account any more."""
    people: Sequence[str]
    """Their bare codes."""
    where: str = ""
    """File and line of each person, as far as a list has them; else their codes."""

    def with_people_located(self, address: Address, tell: Callable[[str, Address], str]) -> Self:
        return self._replace(where=tell(", ".join(map(spell_person, self.people)), address))


class Drifted(NamedTuple):
    """A resource that is not on the platform as it is recorded."""

    address: Address
    title: str
    missing: bool = False
    """The platform does not have it any more."""
    gone: Sequence[str] = ()
    """Paths of its parts that the platform does not have any more."""
    drift: Sequence[Drift] = ()
    came: Sequence[LivePart] = ()
    """Parts that people have added, or moved to another parent."""
    losses: Sequence[LostHolding] = ()
    part_titles: Mapping[str, str] = MappingProxyType({})
    """The titles of the parts that the fields are in, by the paths of the parts."""
    beyond: Sequence[str] = ()
    """Parts on the platform that no manifest can describe: they are named, and no difference."""
    aged: Sequence[AgedAttestation] = ()
    """Parts that were changed after somebody attested that they are filled."""

    @property
    def paths(self) -> Sequence[str]:
        """The fields and parts that differ, without their values."""
        losses = [one.what or "people" for one in self.losses]
        aged = [f"{one.path}.attested" for one in self.aged]
        came = [part.name for part in self.came]
        return [*(d.path for d in self.drift), *self.gone, *came, *losses, *aged]


class DriftResult(NamedTuple):
    """The result of a look."""

    findings: Sequence[Drifted]
    looked: int
    """How many resources were read."""
    unseen: Sequence[Address]
    """The resources that no route of this instance shows."""
    left: Sequence[Address]
    """The resources that were not read, because the budget was used up or the look was stopped: the
    next look begins with them."""
    calls: int
    unlisted: Sequence[Address]
    """Lists of people of which nothing could be compared, since the accounts could not be read."""
    why_unlisted: str
    """Why, in words for people."""
    proofs: ProofBuffer
    truth: VerificationCoverage
    error: PlatformError | None = None
    """The error or the limit that stopped the look before its end."""
    settled: Set[Address] = frozenset()
    """The resources that were read: of these, the look has found all that there is."""
    unmoved: Sequence[Address] = ()
    """The resources that were not read, because lists show that they were not changed since they
    were."""
    unmoved_fields: int = 0
    """How many of the proven fields are of these."""
    belied: Sequence[Address] = ()
    """Resources that have changed while a list showed an old time: the times of this instance say
    too little."""
    pairs: Mapping[PairKey, Ids] = MappingProxyType({})
    """Ids that the look has read of what was made in a batch, by batch and mark."""
    unclear: Sequence[Address] = ()
    """The resources that were made together and show no mark: nobody can tell whose id is whose."""
    unread: int = 0
    """How many resources no read has shown since they were made, nor has this look."""
    found_parts: Mapping[Address, tuple[Ids, Ids]] = MappingProxyType({})
    """The recorded ids of resources, and those with parts that no read had shown before."""
    beyond: Mapping[Address, Sequence[str]] = MappingProxyType({})
    """Parts that no manifest can describe, of the resources that were read."""
    closed: Sequence[OpenStep] = ()
    """The steps for people that a read before this look has shown as done."""

    @property
    def is_whole(self) -> bool:
        """True if everything was read that a route shows."""
        return not self.left and self.error is None

    def proofs_to_keep(self) -> Iterator[Proof]:
        """The proofs, without the times of lists once those were seen to say too little."""
        for proof in self.proofs:
            # A time that has lied once is no reason to skip a read tomorrow.
            marks = {path: mark for path, mark in proof.marks.items() if path != WHOLE}
            yield proof._replace(marks=marks) if self.belied else proof

    def with_people_located(self, tell: Callable[[str, Address], str]) -> Self:
        """The result with people named as `tell` words it, as in `People.with_places`."""
        findings = [
            one._replace(
                losses=[loss.with_people_located(one.address, tell) for loss in one.losses]
            )
            for one in self.findings
        ]
        return self._replace(findings=findings)


def find_drifted(
    record: Record,
    form: Form,
    seen: LiveState | Unchanged,
    others: Set[str],
    aged: Sequence[AgedAttestation] = (),
) -> Drifted | None:
    """How a resource differs from its record with this form, or what of it nobody compares; None
    if there is neither."""
    kind = KINDS[record.address.kind]
    aged_titles = dict(chain.from_iterable(find_part_titles(one.path, form) for one in aged))
    title = kind.authoring.title(form)
    differing = Drifted(record.address, title, part_titles=aged_titles, aged=aged)
    if isinstance(seen, LiveState):
        if not seen.present:
            return differing._replace(missing=True)
        drift = [one for one in find_drift(form, seen) if top_field(one.path) not in others]
        titles = dict(chain.from_iterable(find_part_titles(one.path, form) for one in drift))
        differing = differing._replace(drift=drift, part_titles=aged_titles | titles)
    if seen.answer is not None:
        parts = kind.reads.reconcile(form, form, record.ids, seen.answer)
        shown = kind.reads.part_drift(form, form, record.ids, seen.answer)
        differing = differing._replace(beyond=shown.beyond)
        own = [one for one in shown.came if top_field(one.path) not in others]
        gone = parts.gone if parts else ()
        if gone or own:
            titles = {**dict(list_part_titles(form)), **{part.path: part.title for part in own}}
            differing = differing._replace(gone=gone, came=own, part_titles=titles)
    return differing if differing.paths or differing.beyond else None


PAGES_MOST = 200
"""A longer list of accounts is not read."""
HoldingsByCode = Mapping[str, Set[str]]
"""By code, the uuids of what somebody holds, in small letters; of all accounts together that share
an identifier."""


class ComparedPeople(NamedTuple):
    """The accounts' side of a list of people."""

    losses: Sequence[LostHolding]
    state: LiveState


@dataclass
class PeopleComparison:
    """The lists of people of one look; the accounts are read when the first comes up."""

    reader: Reader
    code: Callable[[str], str]
    held: HoldingsByCode | None = None
    why: str = ""
    """Why the accounts could not be read."""
    over_budget: bool = False
    """Whether a larger budget would have been enough to read the accounts."""
    left: list[Address] = field(default_factory=list)
    """Lists for whose accounts there are not enough calls."""
    unlisted: list[Address] = field(default_factory=list)
    """Lists that could not be compared at all."""

    def compare_list(
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
        """Reads who holds what, in at most half of the calls of a budget."""
        budget = self.reader.most
        # The other half is left for everything that is not a list of people: a list that is too
        # long would otherwise use up the budget every night.
        most = PAGES_MOST if budget is None else min(PAGES_MOST, budget // 2)
        try:
            held = _index_by_code(all_holders(self.reader, roster, self.code, most))
        except Unlisted as error:
            self.why = str(error)
            # A larger budget helps only if it was the budget, and not the limit, that ended it.
            self.over_budget = isinstance(error, TooLong) and most < PAGES_MOST
        else:
            self.held = held or None
            self.why = "" if held else "the platform lists no accounts to this key"


def _index_by_code(holders: Iterable[Holder]) -> HoldingsByCode:
    held = defaultdict[str, set[str]](set)
    for holder in holders:
        for code in holder.codes:
            # Two accounts may share an identifier: whoever holds it by either has not lost it.
            held[code] |= {id_.lower() for id_ in holder.holds}
    return held


def _find_losses(
    form: Form, roster: Roster, held: HoldingsByCode, binder: Binder
) -> list[LostHolding]:
    """Who of a list has no longer what it gave them; what has no id any more is left out."""
    lost = defaultdict[str, list[str]](list)
    for entry in roster.entries(form):
        for what in _find_lost(entry, held, binder):
            lost[what].append(entry.codes[0])
    return [LostHolding(what, people) for what, people in sorted(lost.items())]


def _find_lost(entry: RosterEntry, held: HoldingsByCode, binder: Binder) -> Iterator[str]:
    code = next((one for one in entry.codes if one in held), None)
    if code is None:
        yield from [""] * bool(entry.holds)
        return
    for what in entry.holds:
        id_ = binder.bind_known(what)
        if isinstance(id_, str) and id_.lower() not in held[code]:
            yield _name_holding(what)


def _name_holding(what: Json) -> str:
    return str(what["$ref"] if isinstance(what, dict) else what)


def _proven_state(form: Form, roster: Roster, binder: Binder) -> LiveState:
    """What the accounts prove of a form: nothing if the id of something in it is unknown."""
    entries = roster.entries(form)
    known = all(isinstance(binder.bind_known(o), str) for one in entries for o in one.holds)
    paths = [path for path in leaf_paths(form) if is_declared(roster.proves, path)]
    proven = frozenset(paths if known else ())
    return LiveState(present=True, form=form, proven=proven, readings=(roster.route,))
