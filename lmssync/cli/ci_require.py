"""`lmssync ci require`."""

import os
from pathlib import Path
from typing import Unpack

import click

from . import options, printing
from .command_help import PLATFORM_EXITS, DocumentedCommand
from .exits import Exit


@click.command(
    "require",
    cls=DocumentedCommand,
    exits=PLATFORM_EXITS,
    examples=(
        ("lmssync ci require", "say which teams must approve, and fail while they have not"),
        (
            "lmssync ci require --plan release.plan.json --json",
            "the same for a saved plan, as JSON",
        ),
        ("lmssync ci require --approved-by @acme/finance", "this team has approved"),
        ("lmssync ci require --base main", "with the lines of main as well"),
    ),
)
@options.where
@options.as_json
@click.option("--plan", "saved", type=options.FILE, help="Ask for this saved plan, and make none.")
@click.option(
    "--approved-by",
    "named",
    multiple=True,
    metavar="TEAM",
    help="A team or a person of APPROVERS that has approved.",
)
@click.option(
    "--base",
    metavar="REV",
    help="Ask for the approvals of APPROVERS at REV, where it was merged, as well.",
)
def require(
    *,
    json_: bool,
    saved: Path | None,
    named: tuple[str, ...],
    base: str | None,
    **given: Unpack[options.WhereOptions],
) -> int:
    """Say which teams must approve the plan, and exit with 3 if an approval is missing.

    APPROVERS has the rules: an effect, an address, and teams of which one is enough. In a job for
    a pull request, its approvals are read from the code host, as far as the token may read them.
    """
    from .. import code_hosts
    from ..planning import approvals
    from ..report.decisions_report import approvals_json, approvals_text
    from .approving import list_approved, rules_of
    from .reviewing import choose_workspace, the_plan

    place = choose_workspace(saved, **given)
    rules = rules_of(place.root, base)
    made = the_plan(place, saved)
    needed = approvals.required(made, rules)
    teams = {team for one in needed for team in one.rule.teams}
    by = list_approved(code_hosts.job(os.environ), named, teams) if needed else frozenset()
    needed = [one.given_by(by) for one in needed]
    printing.echo(
        approvals_json(needed, place.name) if json_ else approvals_text(needed, place.name)
    )
    return Exit.DONE if all(one.given for one in needed) else Exit.INVALID
