"""Which approvals a plan needs, and which of them are given."""

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from typing import NamedTuple

from ..address import Address
from ..kind import Effect
from ..kinds import KINDS
from ..plan import Action, Plan, PlannedChange
from .rules import ApprovalRule


class Required(NamedTuple):
    """One approval that a plan needs: one of the teams of the rule gives it."""

    rule: ApprovalRule
    changes: Sequence[tuple[Address, Sequence[Effect]]]
    """What it is needed for, and the effects of it that the rule names."""
    given: Sequence[str] = ()
    """The teams of the rule that have approved."""

    def given_by(self, approved: Set[str]) -> "Required":
        return self._replace(given=[team for team in self.rule.teams if team in approved])


def required(plan: Plan, rules: Iterable[ApprovalRule]) -> list[Required]:
    """The rules that fit a change of the plan, in their order. All of them apply: a later line
    does not replace an earlier one."""
    effects = {one.address: _effects(one) for one in plan.changes if _acts(one)}
    needed = [Required(rule, list(_fitting(rule, effects))) for rule in rules]
    return [one for one in needed if one.changes]


def _fitting(
    rule: ApprovalRule, effects: Mapping[Address, Set[Effect]]
) -> Iterator[tuple[Address, Sequence[Effect]]]:
    for address, those in effects.items():
        if rule.fits(address, those):
            yield address, [effect for effect in Effect if effect in those & rule.effects]


def _acts(planned: PlannedChange) -> bool:
    """False for what is listed only because a person still has to do something from before."""
    return planned.action is not Action.UNCHANGED and not planned.still_open


def _effects(planned: PlannedChange) -> frozenset[Effect]:
    """Those of the change, and of each field: the strictest one does not hide the others."""
    if planned.action is Action.CREATE:
        return frozenset({planned.effect})
    impact = KINDS[planned.address.kind].impact
    return frozenset({planned.effect, *(impact.of(field.path) for field in planned.fields)})
