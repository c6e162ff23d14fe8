"""`lmssync apply`."""

import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

import click

from ..errors import Forbidden, StateError, WrongUse
from ..report.plan_formats import AppliedPlan, receipt_in
from ..resource import Address
from . import options, report_output, terminal_output
from .chosen_workspace import (
    choose_online_workspace,
    is_environment_named,
    read_plan_secret,
    refuse_decisions,
)
from .command_help import PLAN_MEANINGS, PLATFORM_EXITS, documented_command
from .exits import Exit, exit_code_of, print_message
from .report_output import write_people_receipts, write_report
from .terminal_output import print_view

if TYPE_CHECKING:
    from ..applying.apply import Report
    from ..planning.plan import Plan
    from ..planning.workspace import Workspace
    from ..state import Store


@documented_command(
    "apply",
    exits=PLATFORM_EXITS | {Exit.UNKNOWN, Exit.STALE, Exit.LOCKED, Exit.PARTIAL},
    exit_meanings=PLAN_MEANINGS,
    examples=(
        ("lmssync apply", "show the plan, ask, and apply it"),
        ("lmssync apply --yes", "apply it without asking"),
        ("lmssync apply release.plan.json", "apply the plan that was reviewed"),
        ("lmssync apply --release autumn", "apply a release: all of it, or nothing"),
        ("lmssync apply --yes --report receipt.html", "write a web page that says what was done"),
    ),
)
@click.argument("file", type=options.FILE, required=False)
@options.writes
@options.as_json
@options.decisions
@options.limits
@options.refresh_option("all", "changed")
@click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
@click.option("--digest", metavar="DIGEST", help="Refuse the saved plan if it has another digest.")
@click.option(
    "--finish-by",
    metavar="TIME",
    help="Send nothing if the apply cannot be done by this time: 18:30 or 2027-01-31T18:30.",
)
@options.progress
@report_output.reports
@options.full
def command(
    *,
    file: Path | None,
    json_: bool,
    yes: bool,
    digest: str | None,
    progress: str,
    reports: tuple[Path, ...],
    full: bool,
    **given: Unpack[options.Decided],
) -> int:
    """Make the platform match the catalog, or carry out the saved plan FILE.

    Shows the plan and asks. With --yes or a saved plan it does not ask.
    """
    from .. import code_hosts
    from ..applying import pipeline
    from ..planning import plan
    from ..report.apply_receipt import apply_json
    from ..report.apply_text import apply_text
    from .code_host_jobs import add_approval_finder
    from .run_news import collect_apply_news, collect_plan_news, tell_targets

    refuse_unasked(file, yes=yes, **given)
    report_output.refuse_overwriting(file, reports)
    applied = saved = read_saved_plan(file, digest)
    place = choose_apply_workspace(saved, **given)._replace(receipt=bool(given["receipts"]))
    if saved and saved.approved:
        place = add_approval_finder(place, code_hosts.find_ci_job(os.environ), merged=True)

    def approve(made: "Plan") -> bool:
        nonlocal applied
        applied = made
        if progress != "json" or not json_:
            terminal_output.show_plan(made, full=full, err=json_)
        plan.refuse_forbidden(made.guards)
        return yes or not made.does_anything or terminal_output.ask_yes_or_no("Apply this plan?")

    with place.store() as store, choose_progress(progress) as progress_lines:
        try:
            if saved:
                report = pipeline.apply_saved(place, saved, store, progress_lines)
            else:
                report = pipeline.apply_catalog(place, store, progress_lines, approve)
        except Forbidden:
            tell_targets(place, collect_plan_news(place, applied, is_stopped=True))
            raise
        waiting = waits_for_decision(report, store)
        tells_ids = json_ or reports or given["receipts"]
        ids = report.list_recorded_ids(store) if tells_ids else {}
        news = collect_apply_news(place, report, applied, store)
    if json_:
        print_view(apply_json(report, applied, place.name, ids))
    else:
        terminal_output.print_report(
            apply_text(
                report, terminal_output.choose_text_style(sys.stdout), plan=applied, full=full
            )
        )
    if report.error:
        print_message(report.error)
    ended = find_exit_code(report, waiting=waiting)
    wrote = write_apply_receipts((reports, given["receipts"]), report, applied, ids, place.name)
    tell_targets(place, news)
    return ended if wrote else ended or Exit.ERROR


IdsOf = Mapping[Address, Mapping[str, str]]

if TYPE_CHECKING:
    from .progress import ProgressEvents, ProgressLines


def refuse_unasked(file: Path | None, *, yes: bool, **given: Unpack[options.Decided]) -> None:
    """Raises `WrongUse` where nobody can agree, or where the saved plan says what is given."""
    if not yes and not file and not terminal_output.can_ask():
        raise WrongUse(
            "apply needs a terminal to ask for confirmation, and there is none",
            "review `lmssync plan --out FILE`, then `lmssync apply FILE`; or pass --yes",
        )
    if file:
        refuse_decisions(**given)


def choose_apply_workspace(saved: "Plan | None", **given: Unpack[options.Decided]) -> "Workspace":
    """The workspace of a run; a saved plan is for its own environment where nobody names one.

    A named one that differs is refused before anything is sent.
    """
    if saved and not is_environment_named(given["environment"]):
        given["environment"] = saved.environment
    return choose_online_workspace(**given)


def read_saved_plan(file: Path | None, digest: str | None) -> "Plan | None":
    """The plan in a file, if it is the one that the digest names."""
    from ..planning import plan

    if file is None:
        if digest is not None:
            raise WrongUse("--digest needs a saved plan", "`lmssync apply FILE --digest D`")
        return None
    saved = plan.restore_plan(file, read_plan_secret())
    if digest is not None and digest.strip().lower() != plan.plan_digest(saved):
        raise WrongUse(
            f"{file} is another plan: its digest is {plan.plan_digest(saved)}, not {digest}",
            "`lmssync show FILE` shows what is in it",
        )
    return saved


def choose_progress(how: str) -> "ProgressLines | ProgressEvents":
    """What tells of the progress, as `--progress` wants it."""
    from .progress import ProgressEvents, ProgressLines

    return ProgressEvents() if how == "json" else ProgressLines(plain=how == "plain")


def write_apply_receipts(
    files: tuple[Sequence[Path], Sequence[Path]],
    report: "Report",
    made: "Plan | None",
    ids: IdsOf,
    environment: str,
) -> bool:
    """Writes what was done, and what became of each person; tells of files that cannot be written.

    The first files get the one, the second ones the other.
    """
    from ..report.row_receipts import people_bytes

    applied = AppliedPlan(report, made, ids, environment)
    reports, of_people = files
    wrote = write_people_receipts(
        of_people, lambda form: people_bytes(form, report.people, environment)
    )
    for file in reports:
        try:
            write_report(file, receipt_in(report_output.report_form_of(file), applied))
        except WrongUse as error:
            print_message(error)
            wrote = False
    return wrote


def waits_for_decision(report: "Report", store: "Store") -> bool:
    """True if a call is open; where the run was interrupted, only if its outcome is unknown, since
    the next run follows the jobs of the others without being told."""
    from ..state import CallStatus

    if not report.interrupted:
        return bool(store.unresolved_addresses())
    undecided = {CallStatus.INTENT, CallStatus.UNKNOWN}
    return any(call.parts and call.status in undecided for call in store.open_calls())


def find_exit_code(report: "Report", *, waiting: bool) -> int:
    """The exit code: a state that failed first, for what it says of calls may be out of date, then
    unknown outcomes, what stopped the run, failures."""
    counts = report.summary
    if isinstance(report.error, StateError):
        return exit_code_of(report.error)
    if waiting or (counts["unknown"] and not report.interrupted):
        return Exit.UNKNOWN
    if report.error:
        return exit_code_of(report.error)
    if report.interrupted:
        return Exit.INTERRUPTED
    if report.forbidden_all:
        return Exit.INVALID
    failed_jobs = any(job.is_lost or job.status == "failed" for job in report.jobs)
    return Exit.PARTIAL if report.fell_short or failed_jobs else Exit.DONE
