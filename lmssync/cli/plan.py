"""`lmssync plan`."""

from pathlib import Path
from typing import Unpack

import click

from ..visible import visible
from . import meanings, options, report_options
from .exits import Exit


@click.command("plan")
@options.where
@report_options.printed
@report_options.written
@options.full
@options.decisions
@options.limits
@options.refresh("all", "changed", "none")
@options.offline
@click.option(
    "--as-of",
    "as_of",
    metavar="TIME|SERIAL",
    help="Compare with what was recorded then (UTC); such a plan is for reading only.",
)
@click.option("--out", type=options.FILE, help="Save the plan.")
@click.option("--detailed-exitcode", is_flag=True, help="Exit with 2 if there are changes.")
def command(
    *,
    form: str,
    json_: bool,
    full: bool,
    as_of: str | None,
    out: Path | None,
    reports: tuple[Path, ...],
    detailed_exitcode: bool,
    **given: Unpack[options.Decided],
) -> int:
    """Show what would change on the platform, without changing anything there."""
    from .. import plan
    from .reviewing import new_plan
    from .showing import show_in_form, write_reports
    from .state_at import then

    report_options.refuse_overwriting(out, reports)
    meanings.refuse_saving(out, **given)
    place = meanings.asking(**given)
    if as_of is not None:
        place = then(place, as_of, out)
    made = new_plan(place, to_save=out is not None)
    stops = plan.stopping(made.guards)
    if out:
        plan.save(made, out, meanings.plan_secret())
        does = "does exactly this" if not stops else "refuses it, as guards stop it"
        click.echo(visible(f"saved to {out}: `lmssync apply {out}` {does}"), err=True)
        click.echo(f"its digest is {plan.digest(made)}", err=True)
    write_reports(made, reports)
    show_in_form(made, "json" if json_ else form, full=full)
    if stops:
        return Exit.INVALID
    return Exit.CHANGES if detailed_exitcode and made.has_changes else Exit.DONE
