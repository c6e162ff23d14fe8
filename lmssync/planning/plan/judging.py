"""Judges a plan by all guards and policies, and refuses what they stop until it is allowed."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ...errors import Forbidden
from ...kinds import KINDS
from ...problems import Severity
from ...resource import Address
from . import guard_checks
from .blockers import PROTECT, REPLACE
from .budget import plan_budget
from .contents import fields
from .plan import Action, Plan, PlannedChange
from .verdict import GuardContext, GuardVerdict

if TYPE_CHECKING:
    from ...catalog.manifests.policies import Policy


_SHOWN = 3
"""The most violations that a message tells."""


def judge_by_policies(
    plan: Plan, policies: "Sequence[Policy]", *, environment: str, protected: bool
) -> Iterator[GuardVerdict]:
    """What policies over plans find: one verdict for each policy, which no option lifts."""
    if not policies:
        return  # what they are asked of opens every new form
    from ...catalog.manifests.policies import PLAN

    changes = [one for one in plan.changes if one.action is not Action.UNCHANGED]
    document = {
        "environment": environment,
        "protected": protected,
        "changes": [_change_document(plan, one) for one in changes],
        "calls": plan_budget(plan).total,
    }
    for policy in policies:
        found: dict[Address | None, str] = {}
        for finding in policy.judge_document(PLAN, document):
            at = finding.path[1:2]
            address = changes[int(at[0])].address if at else None
            found.setdefault(address, finding.message.removeprefix(f"{policy.rule.means}: "))
        if found:
            yield _verdict_of(policy, found)


def _verdict_of(policy: "Policy", found: dict[Address | None, str]) -> GuardVerdict:
    told = [f"{address}: {text}" if address else text for address, text in found.items()]
    more = f" and {len(told) - _SHOWN:,} more" if len(told) > _SHOWN else ""
    hint = f" ({policy.rule.remedy})" if policy.rule.remedy else ""
    text = f"{policy.rule.means}: {'; '.join(told[:_SHOWN])}{more}{hint}"
    named = [address for address in found if address]
    return GuardVerdict(policy.rule.id, Severity(policy.rule.severity), named, text)


def _change_document(plan: Plan, planned: PlannedChange) -> dict[str, Any]:
    """What is unknown is left out, as a field of a manifest is."""
    meant = planned.consequence
    audience = meant.audience if meant else None
    known: dict[str, Any] = {
        "address": str(planned.address),
        "resource": KINDS[planned.address.kind].resource,
        "title": planned.title,
        "action": planned.action,
        "effect": planned.effect,
        "fields": [field.path for field in fields(plan, planned)],
        "byHand": len(planned.manual),
        "losses": list(planned.losses),
        "allowed": planned.address in plan.allowed,
    }
    if meant:
        known |= {"undo": meant.undo} | ({"version": meant.version} if meant.version else {})
    if audience:
        known["learners"] = {
            "enrolled": audience.enrolled,
            "inProgress": audience.in_progress,
            "finished": audience.finished,
        }
    return known


OF_PLAN = frozenset({guard_checks.MANY_CHANGES, guard_checks.LEARNERS, guard_checks.QUIET_HOURS})
"""Guards over a plan as a whole: `--allow` takes their names."""
AT_APPLY = frozenset({guard_checks.PROTECTED, guard_checks.QUIET_HOURS})
"""Guards that ask how and when a plan is applied: they cannot stop a plan from being made."""
HELD = frozenset({PROTECT, REPLACE})
"""Guards for which a single change is left out of the plan."""
_GUARDS = (
    guard_checks.permanent_loss,
    guard_checks.guard_published,
    guard_checks.many_changes,
    guard_checks.guard_learners,
    guard_checks.quiet_hours,
    guard_checks.guard_protected,
    guard_checks.guard_promotion,
)


def judge_plan(plan: Plan, by: GuardContext) -> list[GuardVerdict]:
    """What the guards say, the gravest first."""
    verdicts = [
        *(verdict for guard in _GUARDS for verdict in guard(plan, by)),
        *guard_checks.guard_held(plan),
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
