"""Judges a plan by all guards and policies, and refuses what they stop until it is allowed."""

from collections.abc import Iterable, Sequence

from ...errors import Forbidden
from ...problems import Severity
from . import guards
from .blockers import PROTECT, REPLACE
from .plan import Plan
from .policed import judge_by_policies
from .verdict import GuardContext, GuardVerdict

OF_PLAN = frozenset({guards.MANY_CHANGES, guards.LEARNERS, guards.QUIET_HOURS})
"""Guards over a plan as a whole: `--allow` takes their names."""
AT_APPLY = frozenset({guards.PROTECTED, guards.QUIET_HOURS})
"""Guards that ask how and when a plan is applied: they cannot stop a plan from being made."""
HELD = frozenset({PROTECT, REPLACE})
"""Guards for which a single change is left out of the plan."""
_GUARDS = (
    guards.permanent_loss,
    guards.guard_published,
    guards.many_changes,
    guards.guard_learners,
    guards.quiet_hours,
    guards.guard_protected,
    guards.guard_promotion,
)


def judge_plan(plan: Plan, by: GuardContext) -> list[GuardVerdict]:
    """What the guards say, the gravest first."""
    verdicts = [
        *(verdict for guard in _GUARDS for verdict in guard(plan, by)),
        *guards.guard_held(plan),
        *judge_by_policies(plan, by.policies, environment=by.environment, protected=by.protected),
    ]
    return sorted(verdicts, key=lambda one: (one.permitted, one.severity is not Severity.ERROR))


def stopping_verdicts(verdicts: Iterable[GuardVerdict]) -> list[GuardVerdict]:
    """Those for which nothing of the plan is applied."""
    errors = (one for one in verdicts if one.severity is Severity.ERROR and not one.permitted)
    return [one for one in errors if one.guard not in HELD]


def refuse_forbidden(verdicts: Sequence[GuardVerdict]) -> None:
    """Raises `Forbidden` if guards or policies stop the plan, with the options that allow it."""
    stops = stopping_verdicts(verdicts)
    if not stops:
        return
    why = "; ".join(f"{one.message} [{one.guard}]" for one in stops)
    options = " ".join(dict.fromkeys(one.allow for one in stops if one.allow))
    final = [one.guard for one in stops if not one.allow]
    raise Forbidden(
        f"nothing was sent: {why}",
        f"no option lifts {' and '.join(final)}: change the catalog, or do what the policy says"
        if final
        else f"if that is meant, plan or apply with {options}",
    )
