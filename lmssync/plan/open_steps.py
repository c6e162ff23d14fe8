"""Puts into a plan what people still have to do for things that were made before."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import groupby

from ..address import Address
from ..kinds import KINDS
from ..kinds.kind import ManualStep
from ..resource import Resource
from ..state import Step
from .plan import Action, Intention

_LEFT = "a manual step from its creation is not confirmed yet"
_ASLEEP = "a manual step is still open: lmssync asks for it again if this comes back"


def with_open(
    intentions: Iterable[Intention],
    steps: Iterable[Step],
    desired: Mapping[Address, Resource],
    recorded: Mapping[Address, str],
) -> list[Intention]:
    """The intentions with the steps that earlier creations have left, in the order of addresses."""
    lasting = (step for step in steps if step.lasting)
    left = {
        address: [step.manual for step in own]
        for address, own in groupby(lasting, key=lambda step: step.address)
    }
    found = [_joined(one, left.pop(one.was or one.address, ()), desired) for one in intentions]
    found += [
        _alone(desired[address], manual, recorded[address])
        for address, manual in left.items()
        if address in desired and address in recorded
    ]
    return sorted(found, key=lambda intention: intention.address)


def _joined(
    intention: Intention, left: Sequence[ManualStep], desired: Mapping[Address, Resource]
) -> Intention:
    """Adds open steps; the action stays, except `unchanged`, which would hide the steps."""
    if not left:
        return intention
    if intention.action is Action.FORGET:
        return replace(intention, reasons=[*intention.reasons, _ASLEEP])
    if intention.action is not Action.UNCHANGED:
        return replace(intention, manual=[*intention.manual, *left])
    alone = _alone(desired[intention.address], left, intention.basis)
    return replace(alone, reasons=[*intention.reasons, *alone.reasons])


def _alone(resource: Resource, left: Sequence[ManualStep], basis: str | None) -> Intention:
    address = resource.address
    return Intention(
        address,
        Action.MANUAL,
        KINDS[address.kind].impact.creation,
        [_LEFT],
        manual=left,
        basis=basis,
        title=KINDS[address.kind].authoring.title(resource.form),
        still_open=True,
    )
