"""Adds to a plan what people still have to do for things that were created earlier."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby

from ...kind import ManualStep
from ...kinds import KINDS
from ...resource import Address, Resource
from ...state import OpenStep
from .plan import Action, PlannedChange

_LEFT = "a manual step from its creation is not confirmed yet"
_ASLEEP = "a manual step is still open: lmssync asks for it again if this comes back"


def with_open(
    changes: Iterable[PlannedChange],
    steps: Iterable[OpenStep],
    desired: Mapping[Address, Resource],
    recorded: Mapping[Address, str],
) -> list[PlannedChange]:
    """The changes with the steps that earlier creations have left, sorted by address."""
    lasting = (step for step in steps if step.lasting)
    left = {
        address: [step.manual for step in own]
        for address, own in groupby(lasting, key=lambda step: step.address)
    }
    joined = [_join_steps(one, left.pop(one.was or one.address, ()), desired) for one in changes]
    joined += [
        _steps_alone(desired[address], manual, recorded[address])
        for address, manual in left.items()
        if address in desired and address in recorded
    ]
    return sorted(joined, key=lambda planned: planned.address)


def _join_steps(
    planned: PlannedChange, left: Sequence[ManualStep], desired: Mapping[Address, Resource]
) -> PlannedChange:
    """Adds open steps; the action stays, except `unchanged`, which would hide the steps."""
    if not left:
        return planned
    if planned.action is Action.FORGET:
        return planned._replace(reasons=[*planned.reasons, _ASLEEP])
    if planned.action is not Action.UNCHANGED:
        return planned._replace(manual=[*planned.manual, *left])
    alone = _steps_alone(desired[planned.address], left, planned.basis)
    return alone._replace(
        reasons=[*planned.reasons, *alone.reasons],
        drift=planned.drift,
        evidence=planned.evidence,
    )


def _steps_alone(
    resource: Resource, left: Sequence[ManualStep], basis: str | None
) -> PlannedChange:
    address = resource.address
    return PlannedChange(
        address,
        Action.MANUAL,
        KINDS[address.kind].impact.creation,
        [_LEFT],
        manual=left,
        basis=basis,
        title=KINDS[address.kind].authoring.title(resource.form),
        still_open=True,
    )
