"""A plan, or what came of one, as a page: who notices what, each change, what learners see."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ...applying.apply import Report
from ...kind import Effect
from ...planning.plan import Plan, PlannedChange, digest
from ...resource import Address
from ...state import now_utc, read_user_name
from ...support.visible import escape_invisible
from ..apply_receipt import IdsOf, receipt_facts, receipt_notes, receipt_sections
from ..apply_text import numbers, phrase_outcome
from ..changes import Section, changed_text, counts, facts, notes, sections
from ..guards_text import said
from ..truth import moment_text
from .learner import LearnerView, learner_view
from .template import pages


def plan_html(plan: Plan) -> Iterator[bytes]:
    """The whole page of a plan, a piece at a time."""
    parts = sections(plan)
    return _page(
        f"Plan for {plan.environment}",
        plan,
        parts,
        counts=counts(plan) if parts else ["no changes"],
        guards=said(plan.guards),
        notes=list(notes(plan)),
        facts=[*_signature(), *facts(plan)],
    )


def receipt_html(
    report: Report, plan: Plan | None, ids: IdsOf, environment: str
) -> Iterator[bytes]:
    """The page of what an apply did; `plan` is the one that was applied, if there was one."""
    commits = [("Commit", escape_invisible(plan.commit))] if plan and plan.commit else []
    digests = [("Digest of the plan", digest(plan))] if plan else []
    return _page(
        f"{phrase_outcome(report, plan)} to {environment}",
        plan,
        receipt_sections(report, plan, ids) if plan else [],
        counts=numbers(report, plan),
        guards=[],
        notes=list(receipt_notes(report)),
        facts=[*_signature(), *receipt_facts(report, plan), *commits, *digests],
        untold=report.has_failed,
    )


def _page(
    title: str,
    plan: Plan | None,
    parts: Sequence[Section],
    *,
    untold: Callable[[Address], bool] = lambda _: False,
    **shown: Sequence[Any],
) -> Iterator[bytes]:
    """A page; no call says what learners see of what is `untold`, since it was done in part."""

    def view_of(planned: PlannedChange) -> LearnerView | None:
        return None if plan is None or untold(planned.address) else learner_view(plan, planned)

    return pages(
        "plan.html",
        title=escape_invisible(title),
        where=escape_invisible(plan.base_url) if plan else "",
        sections=parts,
        actions=list(dict.fromkeys(row.entry.action for part in parts for row in part.rows)),
        effects=_effects(parts),
        changed=changed_text,
        seen=view_of,
        **shown,
    )


def _signature() -> Iterator[tuple[str, str]]:
    """When a page is written, and by whom: it may be read long after."""
    yield "Written", f"{moment_text(now_utc())}, by {escape_invisible(read_user_name())}"


def _effects(parts: Sequence[Section]) -> list[Effect]:
    """Those that there are, the mildest first."""
    present = {row.entry.effect for part in parts for row in part.rows}
    return [effect for effect in Effect if effect in present]
