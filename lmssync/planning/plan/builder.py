"""Collects the planned changes and the calls of a plan."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ...kind import CallPart, Effect, UpdatePlan
from ...resource import Address, Form, Reference, Resource
from ...settings import Platform
from ...support.spill import Spill
from ..diff import Change, Resolution
from .consequences import consequence
from .context import Blocker, PlanState
from .leaving import Leaving
from .plan import Action, Adoption, PlannedChange
from .schedule import Work

_NOTHING = frozenset[Address]()
"""One for all: each empty set of its own would take as much room as a call."""


@dataclass
class Builder:
    """A plan that is still being built."""

    platform: Platform
    state: PlanState
    left: Mapping[Address, int] = field(default_factory=dict)
    """How often something has moved away from an address, taking its mark along."""
    planned: list[PlannedChange] = field(default_factory=list)
    works: list[Work] = field(default_factory=list)
    releases: dict[Address, bytes] = field(default_factory=dict)
    adoptions: dict[Address, Adoption] = field(default_factory=dict)
    new: set[Address] = field(default_factory=set)
    moving: set[Address] = field(default_factory=set)
    """New addresses of resources that can move."""
    blockers: Mapping[Address, Blocker] = field(default_factory=dict)
    leaving: Leaving = field(default_factory=Leaving)
    spill: Spill = field(default_factory=Spill)

    def _will_exist(self, address: Address) -> bool:
        """True if it is on the platform, under the address that it has once the plan is applied."""
        return address in self.state.recorded or address in self.moving

    def add_change(
        self,
        change: Change,
        action: Action,
        effect: Effect,
        reasons: Sequence[str],
        *,
        described: UpdatePlan | None = None,
        after: Form | None = None,
        **more: Any,
    ) -> None:
        """Adds the planned change of a resource; `more` are fields of a `PlannedChange`.

        `described` is how an update is made, and `after` the form that it leads to, where that is
        unpacked already.
        """
        edited = len(change.came) + len(change.gone)
        own = [one for one in change.drift if one.decision is not Resolution.WAITING]
        known = {"drift": own or (), "evidence": change.evidence, "edited_parts": edited}
        more = {"basis": _basis_of(change), "was": change.was, **known, **more}
        asked = bool(more.get("manual"))
        more["consequence"] = consequence(
            self.state, change, action, effect, asked=asked, described=described, after=after
        )
        self.planned.append(PlannedChange(change.address, action, effect, reasons, **more))

    def add_calls(self, resource: Resource, calls: Sequence[CallPart]) -> None:
        """Adds the calls of a resource, after everything that it needs."""
        keep = self.spill.keep_bytes
        parts = [
            part._replace(kept_body=keep(part.spelled_body), kept_after=keep(part.packed_after))
            for part in calls
        ]
        self.works.append(Work(resource.address, parts, self._needs_of(resource)))

    def _needs_of(self, resource: Resource) -> frozenset[Address]:
        """What must be done before: things to be made, parts to be added to things that exist."""
        needed = [
            reference.address
            for reference in resource.references
            if reference.address != resource.address and self._waits_for(resource, reference)
        ]
        return frozenset(needed) if needed else _NOTHING

    def _waits_for(self, resource: Resource, reference: Reference) -> bool:
        if reference.address in self.new:
            return not (reference.deferrable and resource.address in self.new)
        if reference.part is None or not self._will_exist(reference.address):
            return False
        return reference.part not in self.state.parts_of(reference.address)


def to_the_end(calls: Sequence[CallPart], *, whole: bool = True) -> list[CallPart]:
    """The calls of a change; after the last one the resource is as desired, if `whole`."""
    return [call._replace(last=whole and n == len(calls)) for n, call in enumerate(calls, 1)]


def _basis_of(change: Change) -> str | None:
    """The fingerprint that a saved plan must still find; none for something forgotten."""
    if change.basis is None or change.returned:
        return None
    return change.basis.fingerprint
