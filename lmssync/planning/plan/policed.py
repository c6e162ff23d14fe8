"""A plan judged by the policies of a catalog."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ...kinds import KINDS
from ...problems import Severity
from ...resource import Address
from .budget import plan_budget
from .contents import fields
from .plan import Action, Plan, PlannedChange
from .verdict import GuardVerdict

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
