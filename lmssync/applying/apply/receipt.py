"""What became of each person in the lists of a catalog, line by line.

No route shows what a job did to single people (spec 4, sublicense rule 8), so a person is done once
the call that they were in was done, and the platform knew them.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Set
from contextlib import contextmanager
from types import MappingProxyType
from typing import NamedTuple

from ...kind import Roster, RosterEntry
from ...kinds import KINDS
from ...learners.operations.operation_kinds import Ended
from ...planning.plan import Plan
from ...resource import Address, Place, canonical_text
from ...support.persons import RUN, bare_code, codes_in, spell_person
from .result import ApplyOutcome, PersonLine, PersonOutcome
from .session import ApplySession

_STRANGER = "unknown to the platform"
_TAKEN = "every license that this list had given was taken away"
_NOT_REACHED = "not tried: a call before it was not done, or the run was stopped"

_NOTHING: frozenset[bytes] = frozenset()

Held = Mapping[str, frozenset[bytes]]
"""The licenses that somebody has by one list, by each of their codes."""


class Before(NamedTuple):
    """One list before a plan is carried out."""

    held: Held = MappingProxyType({})
    people: Collection[str] = ()
    """The first code of each."""


def _holdings_before(session: ApplySession) -> dict[Address, Before]:
    """The licenses that people have by each recorded list, before a plan is carried out."""
    if not session.receipt:
        return {}
    before = {}
    for address in filter(_roster_of, session.store.fingerprints()):
        people = [one.codes[0] for one in _roster_entries(session, address) if one.holds]
        before[address] = Before(_recorded_holdings(session, address), people)
    return before


@contextmanager
def report_people(session: ApplySession, plan: Plan) -> Iterator[None]:
    """Reports what became of everybody who is in a list or was in one, in the order of lines."""
    before = _holdings_before(session)
    yield
    for address in session.people.resources_naming_people if session.receipt else ():
        found = session.people.find_people(address)
        lines = [
            _name_person(session, one, found) for one in _of_list(session, plan, address, before)
        ]
        lines.sort(key=lambda line: (line.place is None, line.place, line.person))
        session.report.people += lines


def _name_person(
    session: ApplySession, one: PersonOutcome, found: Mapping[str, tuple[str, Place]]
) -> PersonLine:
    person, place = found.get(one.code) or (session.people.find_identifier(one.code), None)
    reason = session.people.with_places(one.reason, one.address)
    return PersonLine(one.address, place, person or spell_person(one.code), one.ended, reason)


def _of_list(
    session: ApplySession, plan: Plan, address: Address, before: Mapping[Address, Before]
) -> Iterator[PersonOutcome]:
    was, people = before.get(address, Before())
    now, wanted = _recorded_holdings(session, address), _wanted_holdings(session, address, people)
    unmet = {code for code, holds in wanted.items() if now.get(code, _NOTHING) != holds}
    ends = _Ends(session, plan, address, unmet)
    for code, holds in wanted.items():
        if code in unmet:
            yield PersonOutcome(address, code, *ends.of(code))
        elif was.get(code, _NOTHING) == holds:
            yield PersonOutcome(address, code, Ended.UNCHANGED)
        else:
            yield PersonOutcome(address, code, Ended.DONE, "" if holds else _TAKEN)


def _wanted_holdings(session: ApplySession, address: Address, before: Collection[str]) -> Held:
    """What everybody is to hold: those of the list in its order, then those who have left it."""
    resource, roster = session.people.find_desired(address), _roster_of(address)
    # A list that has left the catalog takes nothing away.
    if resource is None or roster is None:
        return {}
    entries = list(roster.entries(resource.form))
    listed = {code for one in entries for code in one.codes}
    left = {code: _NOTHING for code in before if code not in listed}
    return {one.codes[0]: _held_by(one) for one in entries} | left


class _Ends:
    """How it ended for those of one list who have not what it gives them."""

    def __init__(
        self, session: ApplySession, plan: Plan, address: Address, unmet: Set[str]
    ) -> None:
        self._done = session.report.done.get(address)
        self._unknown = self._done is ApplyOutcome.UNKNOWN or address in session.report.unsettled
        self._why = session.report.because.get(address) or session.report.partly.get(address, "")
        self._strangers = set(RUN.findall(session.left.get(address, "")))
        self._strangers = {code for run in self._strangers for code in _codes_of(run)}
        calls = (set(map(bare_code, codes_in(p.body))) for p in plan.parts if p.address == address)
        left = unmet - self._strangers
        # The calls of a list go out in their order until one is not done: that is the first one
        # with somebody who has not what the list gives. Whoever is in a later one was not reached.
        self._failed: Set[str] = next((call for call in calls if call & left), frozenset())

    def of(self, code: str) -> tuple[Ended, str]:
        if code in self._strangers:
            return Ended.REFUSED, _STRANGER
        if code not in self._failed or self._done in {
            None,
            ApplyOutcome.BLOCKED,
            ApplyOutcome.SKIPPED,
        }:
            return Ended.NOT_SENT, _NOT_REACHED
        return Ended.UNKNOWN if self._unknown else Ended.REFUSED, self._why


def _codes_of(run: str) -> list[str]:
    return [bare_code(one.removeprefix(spell_person(""))) for one in run.split(", ")]


def _recorded_holdings(session: ApplySession, address: Address) -> Held:
    """The licenses that people have by a recorded list, under each code of a person."""
    entries = _roster_entries(session, address)
    # Whoever is listed by another identifier later is still the same person.
    return {code: _held_by(one) for one in entries for code in one.codes}


def _roster_entries(session: ApplySession, address: Address) -> Iterable[RosterEntry]:
    record, roster = session.store.find_record(address), _roster_of(address)
    return roster.entries(record.form) if record and roster else ()


def _held_by(entry: RosterEntry) -> frozenset[bytes]:
    return frozenset(canonical_text({"": one}) for one in entry.holds)


def _roster_of(address: Address) -> Roster | None:
    kind = KINDS.get(address.kind)
    return kind.reads.roster if kind else None
