"""What an apply did, in Markdown: for a comment on a pull request, or for a record of releases."""

from ..apply import Report
from ..plan import Plan, digest
from . import inert
from .apply_receipt import IdsOf, receipt_facts, receipt_notes, receipt_sections
from .apply_text import numbers
from .changes import MOST, body, marker


def receipt_markdown(report: Report, plan: Plan | None, ids: IdsOf, environment: str) -> str:
    """The receipt of an apply; `plan` is the one that was applied, if there was one."""
    parts = receipt_sections(report, plan, ids) if plan else []
    said = ", ".join(numbers(report, plan)) or "nothing"
    head = [marker(environment, "apply"), ""]
    head += [f"### Applied to {inert.code(environment)}: {said}", ""]
    head += [f"{inert.text(line)}\n" for line in receipt_notes(report)]
    facts = receipt_facts(report, plan)
    foot = ["", *(f"<sub>{name}: {inert.text(text)}</sub><br>" for name, text in facts)]
    foot += [f"<sub>Digest of the plan {inert.code(digest(plan))}</sub>"] if plan else []
    room = MOST - sum(len(line) + 1 for line in [*head, *foot])
    return "\n".join([*head, *body(parts, room), *foot]) + "\n"
