"""Which approvals a plan needs, and which of them are given."""

from collections.abc import Iterable, Iterator, Sequence, Set
from typing import NamedTuple

from ..address import Address
from ..kind import Effect
from ..plan import Action, Plan, PlannedChange, collect_effects
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
    changes = [(one, collect_effects(plan, one)) for one in plan.changes if _acts(one)]
    needed = [Required(rule, list(_find_fitting(rule, changes))) for rule in rules]
    return [one for one in needed if one.changes]


def _find_fitting(
    rule: ApprovalRule, changes: Iterable[tuple[PlannedChange, Set[Effect]]]
) -> Iterator[tuple[Address, Sequence[Effect]]]:
    """Each change that needs the approval, with the effects of it that the rule names."""
    for planned, all_effects in changes:
        if effects := _effects_for(rule, planned, all_effects):
            yield planned.address, [effect for effect in Effect if effect in effects]


def _effects_for(rule: ApprovalRule, planned: PlannedChange, effects: Set[Effect]) -> Set[Effect]:
    """A rule fits the address that a resource had as well as the one that it gets. What leaves the
    addresses of a rule leaves it for good, so that needs the approval whatever else it does."""
    had = planned.was is not None and rule.fits_address(planned.was)
    stays = rule.fits_address(planned.address)
    if had and not stays:
        return rule.effects
    return rule.effects & effects if had or stays else frozenset()


def _acts(planned: PlannedChange) -> bool:
    """False for what is listed only because a person still has to do something from before."""
    return planned.action is not Action.UNCHANGED and not planned.still_open
