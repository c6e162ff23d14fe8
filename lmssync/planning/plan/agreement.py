"""Checks that the calls of a plan match its changes: a reviewer has seen every call."""

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any

from ...kind import as_meant
from ...kinds import KINDS
from ...resource import Address
from ..diff import ABSENT, FieldChange, value_at
from .contents import outcome
from .effects import GRAVE, effect_of_creation, effect_of_fields, is_milder
from .plan import Action, Plan, PlannedChange

_CALLS = frozenset({Action.CREATE, Action.UPDATE, Action.MOVE, Action.ADOPT})
_CHANGES = (Action.UPDATE, Action.MOVE, Action.ADOPT)
_TAKES_OVER = frozenset(
    {Action.ADOPT, Action.MOVE, Action.UPDATE, Action.MANUAL, Action.UNCHANGED, Action.BLOCKED}
)
"""Actions that may record what is on the platform already, or is not there any more: what is
blocked may name something that is made again."""
_RECORDS = frozenset({Action.ADOPT, Action.MOVE, Action.UNCHANGED})
"""Actions that may correct a record without a call."""


def find_contradiction(plan: Plan) -> str:
    """The first point where calls and changes do not agree; empty if they agree everywhere."""
    changes = {planned.address: planned for planned in plan.changes}
    if len(changes) < len(plan.changes):
        return "an address is listed twice"
    checks = (_find_altered, _find_misread, _find_belittled)
    found = chain(
        _find_uncovered(plan, changes), _find_unmade(plan), *(check(plan) for check in checks)
    )
    return next(found, "")


def _find_uncovered(plan: Plan, changes: Mapping[Address, PlannedChange]) -> Iterator[str]:
    """Calls and records without a matching change."""
    begun: set[Address] = set()
    for part in plan.parts:
        meant = changes.get(part.address)
        call = f"it calls {part.route} for {part.address}"
        if meant is None:
            yield f"{call}, which is not among its changes"
        elif meant.action not in _CALLS:
            yield f"{call}, but shows its action as {meant.action}"
        elif part.creates is not (meant.action is Action.CREATE and part.address not in begun):
            yield f"{call}, but that call does not {meant.action} it"
        begun.add(part.address)
    for address in plan.adoptions:
        if address not in changes or changes[address].action not in _TAKES_OVER:
            yield f"it takes over {address}, which is not among its changes"
    for address in plan.releases:
        if address not in changes or changes[address].action not in _RECORDS:
            yield f"it changes the record of {address}, which is not among its changes"


def _find_unmade(plan: Plan) -> Iterator[str]:
    """Changes that the plan shows without making a call for them."""
    called = {part.address for part in plan.parts}
    for planned in (*plan.with_action(Action.CREATE), *plan.with_action(Action.UPDATE)):
        if planned.address not in called:
            yield f"it shows {planned.action} {planned.address}, but no call does that"


def _find_altered(plan: Plan) -> Iterator[str]:
    """Creates that send something other than what they show."""
    for planned in plan.with_action(Action.CREATE):
        if planned.fields:
            yield f"it shows fields of {planned.address} that its calls do not set"
    for part in plan.parts:
        if part.creates and _is_shown(part.address):
            create = KINDS[part.address.kind].calls.create
            if not part.sends_as(create(part.address, part.after, part.marker)):
                yield f"what it sends for {part.address} is not what it shows"


def _find_misread(plan: Plan) -> Iterator[str]:
    """Fields that the calls do not leave as shown, and that are not manual steps."""
    for planned in (i for action in _CHANGES for i in plan.with_action(action)):
        form = outcome(plan, planned.address)
        if not form or planned.manual or not _is_shown(planned.address):
            continue
        for field in planned.fields:
            if not _holds_field(form, field):
                yield f"{field.path} of {planned.address} will not be as it is shown"


def _find_belittled(plan: Plan) -> Iterator[str]:
    """Changes that affect people more than they show, by what is created and by their fields.

    A kind may say itself which grave effect an update has: `refuse_underived` asks it.
    """
    for planned in plan.changes:
        kind = KINDS[planned.address.kind]
        new = planned.action is Action.CREATE
        form = outcome(plan, planned.address) if new else {}
        meant = effect_of_creation(kind, form) if new else effect_of_fields(kind, planned.fields)
        both_grave = not new and {planned.effect, meant} <= GRAVE
        if is_milder(planned.effect, meant) and not both_grave:
            yield f"it shows {planned.address} as {planned.effect}, but it is {meant}"


def _is_shown(address: Address) -> bool:
    """False if the answer decides the outcome of a call: then more is sent than the form."""
    return KINDS[address.kind].calls.result is as_meant


def _holds_field(form: Mapping[str, Any], field: FieldChange) -> bool:
    held = value_at(form, field.path)
    if field.path.endswith(".order") and isinstance(held, list) and isinstance(field.after, list):
        return [name for name in held if name in field.after] == field.after
    return bool((None if held is ABSENT else held) == field.after)
