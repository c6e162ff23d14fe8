"""What an apply did, as JSON."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from ..applying.apply import UNDONE, Report
from ..planning.plan import ApprovedChange, Plan, plan_budget
from ..resource import Address
from .apply_receipt import ReceiptLine, make_receipt_lines
from .apply_text import list_due_steps
from .release_report import release_json

NONE: Mapping[Address, Mapping[str, str]] = MappingProxyType({})


def apply_json(
    report: Report,
    plan: Plan | None = None,
    environment: str = "",
    ids: Mapping[Address, Mapping[str, str]] = NONE,
) -> dict[str, Any]:
    """The document of `apply --json`; `plan` is the one that was applied."""
    troubles = [
        *report.with_outcome(*UNDONE),
        *sorted(report.partly.items()),
        *sorted(report.undecided_fields.items()),
    ]
    steps = list_due_steps(report, plan)
    return {
        "format": "lmssync.apply/1",
        "summary": report.summary,
        "verified": len(report.shown),
        "unread": len(report.unread),
        "manualSteps": len(steps),
        "calls": {
            "total": sum(report.calls.values()),
            "byRoute": dict(sorted(report.calls.items())),
            **_forecast(report, plan),
        },
        "results": {str(address): done for address, done in sorted(report.done.items())},
        **({"ids": {str(address): dict(of) for address, of in sorted(ids.items())}} if ids else {}),
        **(
            {"approved": [_approval_json(one) for one in report.approved]}
            if report.approved
            else {}
        ),
        **({"release": release_json(report.release)} if report.release else {}),
        "failures": [
            {"address": str(address), "outcome": report.done[address], "message": because}
            for address, because in troubles
        ],
        "manual": [
            {"address": str(address), "field": step.field, "text": step.text}
            for address, step in steps
        ],
        "lines": [_line_json(line) for line in make_receipt_lines(report, plan)] if plan else [],
        "jobs": [job._asdict() for job in report.jobs],
        "recovered": report.recovered._asdict(),
        "complete": _is_complete(report),
        "error": report.error.message if report.error else None,
        "environment": environment or (plan.environment if plan else None),
    }


def _approval_json(one: ApprovedChange) -> dict[str, Any]:
    return {
        "address": str(one.address),
        "approvers": list(one.approvers),
        "pullRequest": one.pull_request,
        "commit": one.reviewed,
        "lines": list(one.lines),
    }


def _line_json(line: ReceiptLine) -> dict[str, Any]:
    """Some fields of a resource, and what came of them; no fields stand for all of it."""
    return {
        "address": str(line.planned.address),
        "status": line.status,
        "outcome": line.outcome,
        "fields": [field.path for field in line.planned.fields],
        "why": line.why or None,
        "waitsFor": line.waits_for or None,
    }


def _forecast(report: Report, plan: Plan | None) -> dict[str, Any]:
    """What the plan forecast and what it took, without what was read to make it."""
    if plan is None or report.spent is None or not plan.steps:
        return {}
    cost, spent = plan_budget(plan), report.spent
    return {
        "forecast": {
            "byRoute": {name: list(cost.range(name)) for name in cost.by_route},
            "total": [cost.fewest, cost.total],
            "minutes": list(cost.minutes),
        },
        "spent": {
            "byRoute": dict(spent.calls),
            "total": sum(spent.calls.values()),
            "minutes": round(spent.seconds / 60, 2),
        },
    }


def _is_complete(report: Report) -> bool:
    """True if everything in the plan has been done, apart from manual steps."""
    failed_jobs = any(job.is_lost or job.status == "failed" for job in report.jobs)
    undone = report.declined or report.fell_short or failed_jobs
    return report.complete and not undone
