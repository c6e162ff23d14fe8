"""`lmssync ci`."""

from pathlib import Path
from typing import TYPE_CHECKING, Unpack

import click
from click.core import ParameterSource

from ..errors import InvalidCatalog, LmssyncError, WrongUse
from . import chosen_workspace as meanings, options
from .ci_drift import drift
from .ci_require import require
from .command_help import PLATFORM_EXITS, DocumentedGroup
from .exits import Exit

if TYPE_CHECKING:
    from .publishing import Publisher


@click.group(
    "ci",
    cls=DocumentedGroup,
    exits=PLATFORM_EXITS,
    examples=(
        ("lmssync ci", "check, plan, and comment on the pull request of this job"),
        ("lmssync ci -e production --out release.plan.json", "save the plan as well"),
        ("lmssync ci --plan release.plan.json", "show a plan that another job has made"),
    ),
    invoke_without_command=True,
)
@options.where
@options.decisions
@options.limits
@options.base
@options.refresh("all", "changed", "none")
@options.offline
@click.option("--plan", "saved", type=options.FILE, help="Show this saved plan, and make none.")
@click.option("--out", type=options.FILE, help="Save the plan.")
@options.summary
@click.option(
    "--outputs",
    type=options.FILE,
    help="Write digest=… and changes=… there; default: GITHUB_OUTPUT.",
)
@click.pass_context
def command(
    ctx: click.Context,
    *,
    saved: Path | None,
    out: Path | None,
    summary: Path | None,
    outputs: Path | None,
    **given: Unpack[options.Decided],
) -> int:
    """Check and plan for a pull request, and keep one comment there up to date.

    On GitHub, problems and blocked changes are marked beside their lines, and what the guard
    `published` stops passes with the approvals that APPROVERS asks for. The report is also the
    summary of the job. Exits as `validate` and `plan` do, with 3 where a guard stops the plan; if
    the token may not write a comment, that is a warning.
    """
    if ctx.invoked_subcommand:
        _refuse_before(ctx)
        return Exit.DONE
    from .publishing import Publisher

    if saved and out:
        raise WrongUse("--plan shows a saved plan, and --out saves a new one", "use one of them")
    meanings.refuse_saving(out, **given)
    if saved:
        meanings.refuse_decisions(**given)
    return _review(Publisher(summary, outputs), saved, out, **given)


for inner in (drift, require):
    command.add_command(inner)


def _review(
    publisher: "Publisher", saved: Path | None, out: Path | None, **given: Unpack[options.Decided]
) -> int:
    from .. import code_hosts
    from ..planning.plan import digest, stopping_verdicts
    from ..report.changes import failure_markdown, plan_markdown
    from ..support.git import prefix
    from .approving import add_approval_finder
    from .reviewing import choose_workspace, make_or_read_plan, mark_blocked, refuse_invalid

    place = add_approval_finder(choose_workspace(saved, **given), publisher.job, merged=False)
    mark = code_hosts.marker("plan", place.name, prefix(place.root))
    is_valid = False
    try:
        refuse_invalid(place.root, publisher.job)
        is_valid = True
        made = make_or_read_plan(place, saved, out)
        if saved and made.approved:
            raise WrongUse(
                f"{saved} names approvals, and a file proves none",
                "leave out --plan: `lmssync ci` plans again and asks who has approved",
            )
    except LmssyncError as error:
        publisher.comment(mark, failure_markdown(error, place.name))
        if isinstance(error, InvalidCatalog) and not is_valid:
            return Exit.INVALID  # the problems have been shown
        raise
    if publisher.job.host == "github":
        mark_blocked(place.root, made)
    publisher.output(digest=digest(made), changes=str(made.has_changes).lower())
    publisher.comment(mark, plan_markdown(made), begin=made.has_changes or bool(made.lowered))
    return Exit.INVALID if stopping_verdicts(made.guards) else Exit.DONE


def _refuse_before(ctx: click.Context) -> None:
    """Raises `WrongUse` for an option of `ci` that a command of it would not heed."""
    sources = {name: ctx.get_parameter_source(name) for name in ctx.params}
    mine = {name for name, source in sources.items() if source is ParameterSource.COMMANDLINE}
    if mine - {"root", "environment"}:
        raise WrongUse(
            f"`ci {ctx.invoked_subcommand}` takes its options behind its name",
            f"`lmssync ci {ctx.invoked_subcommand} --help` lists them",
        )
