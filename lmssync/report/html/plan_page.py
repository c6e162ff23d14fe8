"""A plan as a page: who will notice what, each change with its differences, what learners see."""

from collections.abc import Iterator, Sequence

from ...kind import Effect
from ...plan import Plan
from ...visible import visible
from ..changes import Section, changed_text, counts, facts, notes, sections
from ..guards_text import said
from .learner import seen
from .template import pages


def plan_html(plan: Plan) -> Iterator[bytes]:
    """The whole page, a piece at a time."""
    parts = sections(plan)
    return pages(
        "plan.html",
        title=visible(f"Plan for {plan.environment}"),
        where=visible(plan.base_url),
        counts=counts(plan) if parts else ["no changes"],
        sections=parts,
        actions=list(dict.fromkeys(row.entry.action for part in parts for row in part.rows)),
        effects=_effects(parts),
        guards=said(plan.guards),
        notes=list(notes(plan)),
        facts=list(facts(plan)),
        changed=changed_text,
        seen=lambda planned: seen(plan, planned),
    )


def _effects(parts: Sequence[Section]) -> list[Effect]:
    """Those that there are, the mildest first."""
    present = {row.entry.effect for part in parts for row in part.rows}
    return [effect for effect in Effect if effect in present]
