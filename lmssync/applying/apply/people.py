"""Checks before the first call that everybody in the plan can be named to the platform."""

from collections.abc import Iterator

from ...errors import StalePlan
from ...kind import CallPart
from ...kinds import KINDS
from ...planning.diff import wanted_form
from ...planning.plan import Plan
from ...resource import Address, unpack_form
from ...support.persons import code_in, codes_in, spell_person
from .session import ApplySession

_AGAIN = "plan again"


def names_people(plan: Plan) -> bool:
    """True if a call of the plan, or a record that it corrects, names somebody."""
    return bool(list(_call_parts(plan)) or any(KINDS[a.kind].concealed for a in plan.releases))


def introduce_people(session: ApplySession, plan: Plan) -> None:
    """Registers the people behind the codes of a plan, so that a later run can undo it.

    Raises `StalePlan` if somebody has left the list since, or cannot be named.
    """
    was = {planned.address: planned.was for planned in plan.changes}
    for part in _call_parts(plan):
        _require_concealed(part.address, part.packed_after)
        if part.last:
            _still_wanted(session, part, was.get(part.address) or part.address)
    for address, packed in plan.releases.items():
        _require_concealed(address, packed)
    needed = {code for part in _call_parts(plan) for code in codes_in(part.body)}
    strangers = sorted(code for code in needed if not session.people.knows_code(code))
    if strangers:
        raise StalePlan(
            "the plan names people who are in no list of the catalog and whom this machine "
            "does not know: "
            f"{', '.join(map(spell_person, strangers))}",
            _AGAIN,
        )
    session.people.register_people(needed)


def _call_parts(plan: Plan) -> Iterator[CallPart]:
    return (part for part in plan.parts if KINDS[part.address.kind].concealed)


def _require_concealed(address: Address, packed: bytes) -> None:
    """Refuses a plan of an older lmssync: its identifiers would be recorded without codes."""
    concealed = KINDS[address.kind].concealed
    people = concealed.listed(unpack_form(packed), {}) if concealed else ()
    if any(code_in(one.text) is None for one in people):
        raise StalePlan(f"the plan names people of {address}: an older lmssync saved it", _AGAIN)


def _still_wanted(session: ApplySession, part: CallPart, known_as: Address) -> None:
    """Refuses a call about somebody who has left the list, unless the manifest ignores the list
    and keeps everybody who is recorded."""
    desired, record = session.people.find_desired(part.address), session.store.find_record(known_as)
    form = desired.form if desired else {}
    if desired and record and desired.lifecycle.ignore:
        form = wanted_form(desired, record.form)
    gone = sorted(set(codes_in(part.after)) - set(codes_in(form)))
    if gone:
        raise StalePlan(
            f"{part.address} no longer lists everybody whom the plan is about: "
            f"{', '.join(map(spell_person, gone))}",
            _AGAIN,
        )
