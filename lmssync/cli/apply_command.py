"""`lmssync apply`."""

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

import click

from . import options, printing, report_options
from .command_help import PLATFORM_EXITS, DocumentedCommand
from .exits import Exit, say

if TYPE_CHECKING:
    from ..planning.plan import Plan


@click.command(
    "apply",
    cls=DocumentedCommand,
    exits=PLATFORM_EXITS | {Exit.UNKNOWN, Exit.STALE, Exit.LOCKED, Exit.PARTIAL},
    examples=(
        ("lmssync apply", "show the plan, ask, and apply it"),
        ("lmssync apply --yes", "the same without asking"),
        ("lmssync apply release.plan.json", "apply the plan that was reviewed"),
        ("lmssync apply --yes --report receipt.html", "leave a page that says what was done"),
    ),
)
@click.argument("file", type=options.FILE, required=False)
@options.writes
@options.as_json
@options.decisions
@options.limits
@options.refresh("all", "changed")
@click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
@click.option("--digest", metavar="DIGEST", help="Refuse a saved plan with another digest.")
@click.option(
    "--finish-by",
    metavar="TIME",
    help="Send nothing if it cannot be done by then: a time of day (18:30) or a moment "
    "(2027-01-31T18:30).",
)
@options.progress
@report_options.reports
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
    """Make the platform match the catalog, or do what the saved plan FILE says.

    Shows the plan and asks for confirmation; with --yes or a saved plan, it does not ask.
    """
    from .. import code_hosts
    from ..applying import pipeline
    from ..planning import plan
    from ..report.apply_json import apply_json
    from ..report.apply_text import apply_text
    from . import applying
    from .approving import add_approval_finder
    from .terminal_output import ask_yes_or_no, ink, show_plan

    applying.refuse_unasked(file, yes=yes, **given)
    report_options.refuse_overwriting(file, reports)
    applied = saved = applying.saved_plan(file, digest)
    place = applying.place_of(saved, **given)._replace(receipt=bool(given["receipts"]))
    if saved and saved.approved:
        place = add_approval_finder(place, code_hosts.job(os.environ), merged=True)

    def approve(made: "Plan") -> bool:
        nonlocal applied
        applied = made
        if progress != "json" or not json_:
            show_plan(made, full=full, err=json_)
        plan.refuse_forbidden(made.guards)
        return yes or not made.does_anything or ask_yes_or_no("Apply this plan?")

    with place.store() as store, applying.shown_progress(progress) as told:
        if saved:
            report = pipeline.apply_saved(place, saved, store, told)
        else:
            report = pipeline.apply_catalog(place, store, told, approve)
        waiting = applying.waits_for_decision(report, store)
        ids = applying.ids_of(store, report)
    if json_:
        printing.echo(apply_json(report, applied, place.name, ids))
    else:
        printing.echo(apply_text(report, ink(sys.stdout), plan=applied, full=full))
    if report.error:
        say(report.error)
    ended = applying.code(report, waiting=waiting)
    wrote = applying.wrote_receipts((reports, given["receipts"]), report, applied, ids, place.name)
    return ended if wrote else ended or Exit.ERROR
