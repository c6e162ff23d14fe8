"""Who must approve a plan, by what it does to people and to which resources.

The file `APPROVERS` has a line for each effect and address, and who may approve it. A plan is
compared with these lines. Nobody is asked here: who has approved is given.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from fnmatch import fnmatchcase
from typing import NamedTuple

from ..errors import WrongUse
from ..kind import Effect
from ..kinds import KINDS
from ..problems import suggest_near
from ..resource import Address
from ..state import OpenStep
from .plan import GRAVE, Action, Plan, PlannedChange, collect_effects

FILE = "APPROVERS"
"""At the root of a catalog. It has no ending, so it is no manifest."""
_FORM = "write an effect, an address and at least one team: `commerce  path.*  @acme/finance`"
_TEAM = re.compile(r"@[\w./-]+")


class ApprovalRule(NamedTuple):
    """One line: each change that it fits needs the approval of one of its teams."""

    line: int
    effects: frozenset[Effect]
    pattern: str
    teams: tuple[str, ...]
    """`@ana` or `@acme/finance`, as they are written."""

    def fits_address(self, address: Address) -> bool:
        return fnmatchcase(str(address), self.pattern)

    def is_covered_by(self, other: "ApprovalRule") -> bool:
        """True if the other line asks for the same approvals, or for more of them."""
        wider = other.pattern in {self.pattern, "*"} and self.effects <= other.effects
        return wider and set(other.teams) <= set(self.teams)

    @property
    def line_text(self) -> str:
        """The line as it is usually written."""
        effects = ",".join(effect for effect in Effect if effect in self.effects)
        return " ".join(
            ("*" if self.effects == set(Effect) else effects, self.pattern, *self.teams)
        )


def parse_approval_rules(text: str) -> list[ApprovalRule]:
    """The rules of a file; raises `WrongUse` with the first line that is no rule."""
    rules: list[ApprovalRule] = []
    for number, line in enumerate(text.splitlines(), 1):
        words = line.partition("#")[0].split()
        if not words:
            continue
        where = f"{FILE}:{number}"
        if len(words) < 3:  # noqa: PLR2004 - an effect, an address, a team
            raise WrongUse(f"{where}: the line names no team", _FORM)
        effects, pattern, *teams = words
        for team in teams:
            if not _TEAM.fullmatch(team):
                raise WrongUse(f"{where}: `{team}` is neither a person nor a team", _FORM)
        _refuse_unknown_kind(pattern, where)
        known = frozenset(_effects(effects, where))
        rules.append(ApprovalRule(number, known, pattern, tuple(teams)))
    return rules


def _refuse_unknown_kind(pattern: str, where: str) -> None:
    """A pattern for a kind that there is not would never fit, and nobody would notice."""
    kind, dot, _ = pattern.partition(".")
    if re.search(r"[*?\[]", kind) or (dot and kind in KINDS):
        return
    hint = suggest_near(kind, KINDS) or f"there are: {', '.join(KINDS)}"
    raise WrongUse(f"{where}: no address matches `{pattern}`", hint)


def _effects(words: str, where: str) -> Iterator[Effect]:
    for word in words.split(","):
        if word == "*":
            yield from Effect
        elif word in list(Effect):
            yield Effect(word)
        else:
            there_are = f"there are: {', '.join(Effect)}, and * for each of them"
            hint = suggest_near(word, Effect) or there_are
            raise WrongUse(f"{where}: there is no effect `{word}`", hint)


class Required(NamedTuple):
    """One approval that a plan needs: one of the teams of the rule gives it."""

    rule: ApprovalRule
    changes: Sequence[tuple[Address, Sequence[Effect]]]
    """What it is needed for, and the effects of it that the rule names."""
    given: Sequence[str] = ()
    """The teams of the rule that have approved."""

    def given_by(self, approved: Set[str]) -> "Required":
        return self._replace(given=[team for team in self.rule.teams if team in approved])


def find_required_approvals(plan: Plan, rules: Iterable[ApprovalRule]) -> list[Required]:
    """The rules that fit a change of the plan, in their order. All of them apply: a later line
    does not replace an earlier one."""
    changes = [(one, collect_effects(plan, one)) for one in plan.changes if _acts(one)]
    needed = [Required(rule, list(_find_fitting(rule, changes))) for rule in rules]
    return [one for one in needed if one.changes]


class ChangeApproval(NamedTuple):
    """Whether a change has the approvals that release its guard."""

    approvers: Sequence[str] = ()
    lines: Sequence[str] = ()
    """The lines that ask for the approvals."""
    refusal: str = ""
    """Why they do not release it; empty where they do."""


def find_owner(rules: Iterable[ApprovalRule], step: OpenStep) -> str:
    """Who owns a step for a person: the first team of the first line about its address and effect,
    else of the first line about its address; empty where there is none."""
    fitting = [rule for rule in rules if rule.fits_address(step.address)]
    effect = KINDS[step.address.kind].impact.of(step.manual.field)
    exact = [rule for rule in fitting if effect in rule.effects]
    return next((rule.teams[0] for rule in exact or fitting), "")


def merge_rules(base: Iterable[ApprovalRule], head: Iterable[ApprovalRule]) -> list[ApprovalRule]:
    """The lines of both: those of the base that its head does not have come first."""
    now = list(head)
    known = {one.line_text for one in now}
    return [*(one for one in base if one.line_text not in known), *now]


def judge_approvals(
    plan: Plan,
    base: Sequence[ApprovalRule],
    head: Iterable[ApprovalRule],
    approvers: Mapping[str, str],
) -> dict[Address, ChangeApproval]:
    """For each change that acts, whether its approvals release it; `approvers` has who has approved
    for a team.

    Only a line of the base can name an effect that approvals release, for whoever opens a pull
    request writes those of its head. Those can only ask for more approvals.
    """
    needed = find_required_approvals(plan, merge_rules(base, head))
    fitting: dict[Address, list[ApprovalRule]] = {}
    for one in needed:
        for address, _ in one.changes:
            fitting.setdefault(address, []).append(one.rule)
    return {
        one.address: _judge_approval(plan, one, base, fitting.get(one.address, ()), approvers)
        for one in plan.changes
        if _acts(one)
    }


def _judge_approval(
    plan: Plan,
    planned: PlannedChange,
    base: Iterable[ApprovalRule],
    fitting: Sequence[ApprovalRule],
    approvers: Mapping[str, str],
) -> ChangeApproval:
    """Each grave effect needs a line of the base, and each line that fits needs an approval."""
    # Both addresses count: a new key brings no other people who may approve.
    addresses = [address for address in (planned.address, planned.was) if address]
    rules = (rule for rule in base if all(map(rule.fits_address, addresses)))
    named = {effect for rule in rules for effect in rule.effects}
    open_effects = GRAVE & collect_effects(plan, planned) - named
    if open_effects or not fitting:
        effects = ", ".join(effect for effect in Effect if effect in open_effects)
        text = f"no line of the merged {FILE} covers {effects} of {planned.address}"
        return ChangeApproval(refusal=text)
    given = [next(filter(None, map(approvers.get, rule.teams)), "") for rule in fitting]
    for rule, approver in zip(fitting, given, strict=True):
        if not approver:
            teams = " or ".join(rule.teams)
            text = f"{teams} has not approved it, as far as the code host shows"
            return ChangeApproval(refusal=text)
    lines = [rule.line_text for rule in fitting]
    return ChangeApproval(list(dict.fromkeys(given)), list(dict.fromkeys(lines)))


def _find_fitting(
    rule: ApprovalRule, changes: Iterable[tuple[PlannedChange, Set[Effect]]]
) -> Iterator[tuple[Address, Sequence[Effect]]]:
    """Each change that needs the approval, with the effects of it that the rule names."""
    for planned, all_effects in changes:
        if effects := _effects_for(rule, planned, all_effects):
            yield planned.address, [effect for effect in Effect if effect in effects]


def _effects_for(rule: ApprovalRule, planned: PlannedChange, effects: Set[Effect]) -> Set[Effect]:
    """The effects for which a rule asks an approval, by the address before and the one after."""
    had = planned.was is not None and rule.fits_address(planned.was)
    stays = rule.fits_address(planned.address)
    if had and not stays:
        # What leaves the addresses of a rule leaves it for good, so that needs the approval
        # whatever else it does.
        return rule.effects
    return rule.effects & effects if had or stays else frozenset()


def _acts(planned: PlannedChange) -> bool:
    """Whether a change does anything now."""
    # The rest is listed only because a person still has to do something from before.
    return planned.action is not Action.UNCHANGED and not planned.still_open
