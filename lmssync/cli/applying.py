"""What `lmssync apply` needs around a run: the saved plan, and the exit code."""

from pathlib import Path
from typing import TYPE_CHECKING

from .. import plan
from ..apply import Report
from ..errors import WrongUse
from ..plan import Plan
from . import options
from .exits import Exit, code_of

if TYPE_CHECKING:
    from .progress import Lines
    from .progress_events import Events


def saved_plan(file: Path | None, digest: str | None) -> Plan | None:
    """The plan in a file, if it is the one that the digest names."""
    if file is None:
        if digest is not None:
            raise WrongUse("--digest needs a saved plan", "`lmssync apply FILE --digest D`")
        return None
    saved = plan.restore(file, options.plan_secret())
    if digest is not None and digest.strip().lower() != plan.digest(saved):
        raise WrongUse(
            f"{file} is another plan: its digest is {plan.digest(saved)}, not {digest}",
            "`lmssync show FILE` shows what is in it",
        )
    return saved


def shown_progress(how: str) -> "Lines | Events":
    """What tells of the progress, as `--progress` wants it."""
    from .progress import Lines
    from .progress_events import Events

    return Events() if how == "json" else Lines(plain=how == "plain")


def code(report: Report, *, waiting: bool) -> int:
    """The exit code: unknown outcomes first, then what stopped the run, then failures."""
    counts = report.summary
    if counts["unknown"] or waiting:
        return Exit.UNKNOWN
    if report.error:
        return code_of(report.error)
    if report.interrupted:
        return Exit.INTERRUPTED
    if report.forbidden_all:
        return Exit.INVALID
    failed_jobs = any(job.lost or job.status == "failed" for job in report.jobs)
    left = counts["failed"] or counts["skipped"] or report.partly or failed_jobs
    return Exit.PARTIAL if left else Exit.DONE
