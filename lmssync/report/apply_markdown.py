"""What an apply did, in Markdown: for a comment on a pull request, or for a record of releases."""

from ..applying.apply import Report
from ..planning.plan import Plan, digest
from . import inert
from .apply_receipt import IdsOf, receipt_facts, receipt_notes, receipt_sections
from .apply_text import phrase_numbers, phrase_outcome
from .changes import ReportPart, compose_report, marker

_NOTE = 2_000
"""Characters of one note."""
_EVERYTHING = "the output of `lmssync apply`"


def receipt_markdown(report: Report, plan: Plan | None, ids: IdsOf, environment: str) -> str:
    """The receipt of an apply; `plan` is the one that was applied, if there was one."""
    changes = receipt_sections(report, plan, ids) if plan else []
    where = f"{phrase_outcome(report, plan)} to {inert.code(environment)}"
    title = f"### {': '.join([where, *phrase_numbers(report, plan)])}"
    heading = [marker(environment, "apply"), "", title, ""]
    notes = [f"{inert.shorten_text(line, _NOTE)}\n" for line in receipt_notes(report)]
    facts = receipt_facts(report, plan)
    costs = [f"<sub>{name}: {inert.shorten_text(text, _NOTE)}</sub><br>" for name, text in facts]
    by = [f"<sub>Digest of the plan {inert.code(digest(plan))}</sub>"] if plan else []
    before = [ReportPart(heading, 2_000), ReportPart(notes, 8_000, "note", _EVERYTHING)]
    return compose_report(before, changes, [ReportPart(costs, 6_000), ReportPart(by, 2_000)])
