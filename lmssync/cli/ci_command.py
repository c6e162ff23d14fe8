"""`lmssync ci`."""

import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Unpack

import click
from click.core import ParameterSource

from ..errors import InvalidCatalog, LmssyncError, WrongUse
from ..problems import Severity, only_errors
from ..resource import PROJECT_FILE, Address, Place
from ..support.invisible_characters import escape_invisible
from . import options
from .chosen_workspace import (
    choose_online_workspace,
    choose_workspace,
    is_environment_named,
    read_plan_secret,
    read_readable_catalog,
    refuse_decisions,
    refuse_saving,
)
from .command_help import PLAN_MEANINGS, PLATFORM_EXITS, PROJECT_EXITS, documented_group
from .exits import Exit
from .options import Decided
from .safe_output import print_line
from .terminal_output import print_exactly, print_view, show_plan

if TYPE_CHECKING:
    from ..code_hosts import CiJob
    from ..planning.plan import Plan
    from ..planning.workspace import Workspace
    from ..sync.news_delivery import News
    from .code_host_jobs import Publisher


@documented_group(
    "ci",
    exits=PLATFORM_EXITS,
    exit_meanings=PLAN_MEANINGS,
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
@options.refresh_option("all", "changed", "none")
@options.offline
@click.option(
    "--plan", "saved", type=options.FILE, help="Show this saved plan instead of planning."
)
@click.option("--out", type=options.FILE, help="Save the plan to this file.")
@options.summary
@click.option(
    "--outputs",
    type=options.FILE,
    help="Write digest=… and changes=… to this file; default: GITHUB_OUTPUT.",
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

    On GitHub it marks problems and blocked changes beside their lines, and writes the report into
    the summary of the job. There the approvals that APPROVERS asks for release what the guard
    `published` stops. If the token may not write a comment, `ci` warns and goes on.
    """
    # click runs the group before its command: options of the group would be lost silently.
    if ctx.invoked_subcommand:
        _refuse_before(ctx)
        return Exit.DONE
    from .code_host_jobs import Publisher

    if saved and out:
        raise WrongUse("--plan shows a saved plan, and --out saves a new one", "use one of them")
    refuse_saving(out, **given)
    if saved:
        refuse_decisions(**given)
    return _review_change(Publisher(summary, outputs), saved, out, **given)


@command.command(
    "drift",
    exits=PLATFORM_EXITS | {Exit.CHANGES},
    exit_meanings={Exit.CHANGES: "something differs"},
    examples=(("lmssync ci drift", "look for drift, and keep one issue about it up to date"),),
)
@options.where
@options.budget
@options.summary
def drift(
    *, budget: int | None, summary: Path | None, **given: Unpack[options.WhereOptions]
) -> int:
    """Look for drift, and keep one issue about it up to date.

    Opens the issue when something differs. Closes it when everything was compared and nothing
    differs.
    """
    from .. import code_hosts
    from ..report.drift_report import drift_markdown, drift_text
    from ..support.git_repository import folder_in_repository
    from ..sync.drift import DriftScope
    from .code_host_jobs import Publisher
    from .drift_command import end_look, keep_look, look_for_drift_at
    from .run_news import collect_drift_news, list_targets, tell_targets

    publisher = Publisher(summary)
    place = choose_online_workspace(**given)
    look = look_for_drift_at(place, DriftScope(budget=budget), **given)
    keep_look(place, look)
    currency = place.project.currency or ""
    click.echo(drift_text(look, currency=currency), nl=False)
    mark = code_hosts.spell_marker("drift", place.label, folder_in_repository(place.root))
    if look.findings or look.is_whole:  # a look at a part that finds nothing shows nothing new
        text = drift_markdown(look, currency)
        publisher.keep_issue(mark, place.label, text, ends=not look.findings)
    news = collect_drift_news(place, look)
    # Of drift it keeps an issue already, with the values.
    rest: News = {about: message for about, message in news.items() if about != "drift"}
    issues = {name: one for name, one in list_targets(place).items() if one.issue}
    chats = {name: one for name, one in list_targets(place).items() if not one.issue}
    tell_targets(place, news, chats)
    tell_targets(place, rest, issues)
    return end_look(look)


@command.command(
    "hands",
    exits=PROJECT_EXITS,
    examples=(("lmssync ci hands", "keep one issue an owner about steps that only people can do"),),
)
@options.where
def hands(**given: Unpack[options.WhereOptions]) -> None:
    """Keep one issue for each owner of steps that only people can do, the oldest step first.

    APPROVERS says who owns what. An issue is changed while steps are open, and closed when none is
    left. Reads the state only: run `lmssync ci drift` before, which closes what it sees done.
    """
    from ..report.state_report import steps_markdown
    from ..support.git_repository import folder_in_repository
    from ..sync.recorded_status import AssignedStep, read_status
    from .code_host_jobs import Publisher, make_owner_finder

    place = choose_workspace(**given)
    with place.store(read_only=True) as store:
        now = read_status(store, place.platform.routes, make_owner_finder(place.root))
    owned: dict[str, list[AssignedStep]] = {}
    for step in now.steps:
        owned.setdefault(step.owner, []).append(step)
    texts = {
        owner or "nobody": (
            f"Steps for {owner or 'people'} on {place.label}",
            steps_markdown(owner, steps, now.titles),
        )
        for owner, steps in owned.items()
    }
    Publisher(None).keep_step_issues(place.label, folder_in_repository(place.root), texts)


@command.command(
    "require",
    exits=PLATFORM_EXITS,
    exit_meanings={Exit.INVALID: "the catalog is invalid, or an approval is missing"},
    examples=(
        ("lmssync ci require", "list the teams that must approve, and fail until they have"),
        (
            "lmssync ci require --plan release.plan.json --json",
            "list those for a saved plan, as JSON",
        ),
        ("lmssync ci require --approved-by @acme/finance", "count the approval of this team"),
        ("lmssync ci require --base main", "require what APPROVERS of main asks for as well"),
    ),
)
@options.where
@options.as_json
@click.option("--plan", "saved", type=options.FILE, help="Use this saved plan instead of planning.")
@click.option(
    "--approved-by",
    "named",
    multiple=True,
    metavar="TEAM",
    help="Team or person of APPROVERS that has approved.",
)
@click.option(
    "--base", metavar="REV", help="Require the approvals that APPROVERS of REV asks for as well."
)
@options.release
def require(
    *,
    json_: bool,
    saved: Path | None,
    named: tuple[str, ...],
    base: str | None,
    release: str | None,
    **given: Unpack[options.WhereOptions],
) -> int:
    """List the teams that must approve the plan, and exit with 3 while an approval is missing.

    The file APPROVERS has the rules: an effect, an address, and teams of which one must approve. In
    the job of a pull request, its approvals are read from the code host, as far as the token may
    read them.
    """
    from .. import code_hosts
    from ..planning import approvals
    from ..report.decisions_report import approvals_json, approvals_text
    from .code_host_jobs import list_given_approvals, read_approval_rules, refuse_unknown_teams

    if saved and release:
        raise WrongUse("a saved plan already says which release it is of", "leave out --release")
    place = choose_reviewed_workspace(saved, release=release, **given)
    rules = read_approval_rules(place.root, base)
    made = find_reviewed_plan(place, saved)
    refuse_unknown_teams(named, rules)
    needed = approvals.find_required_approvals(made, rules)
    teams = {team for one in needed for team in one.rule.teams}
    by = (
        list_given_approvals(code_hosts.find_ci_job(os.environ), named, teams)
        if needed
        else frozenset()
    )
    needed = [one.given_by(by) for one in needed]
    print_view(approvals_json(needed, place.name) if json_ else approvals_text(needed, place.name))
    return Exit.DONE if all(one.given for one in needed) else Exit.INVALID


def _review_change(
    publisher: "Publisher", saved: Path | None, out: Path | None, **given: Unpack[options.Decided]
) -> int:
    from .. import code_hosts
    from ..planning.plan import plan_digest, stopping_verdicts
    from ..report.changes import failure_markdown, plan_markdown
    from ..support.git_repository import folder_in_repository
    from .code_host_jobs import add_approval_finder

    place = add_approval_finder(
        choose_reviewed_workspace(saved, **given), publisher.job, merged=False
    )
    mark = code_hosts.spell_marker("plan", place.label, folder_in_repository(place.root))
    is_valid = False
    try:
        refuse_invalid(place.root, publisher.job)
        # An `InvalidCatalog` from here on is of the plan, and its problems were not printed.
        is_valid = True
        made = make_or_read_plan(place, saved, out)
        if saved and made.approved:
            raise WrongUse(
                f"{saved} names approvals, but a file does not prove them",
                "leave out --plan: `lmssync ci` plans again and asks who has approved",
            )
    except LmssyncError as error:
        publisher.keep_comment(mark, failure_markdown(error, place.name))
        if isinstance(error, InvalidCatalog) and not is_valid:
            return Exit.INVALID  # the problems have been shown
        raise
    if publisher.job.host == "github":
        mark_blocked(place.root, made)
    publisher.write_outputs(digest=plan_digest(made), changes=str(made.has_changes).lower())
    publisher.keep_comment(mark, plan_markdown(made), begin=made.has_changes or bool(made.lowered))
    return Exit.INVALID if stopping_verdicts(made.guards) else Exit.DONE


def _refuse_before(ctx: click.Context) -> None:
    """Raises `WrongUse` for an option of `ci` that a command of it would not heed."""
    sources = {name: ctx.get_parameter_source(name) for name in ctx.params}
    mine = {name for name, source in sources.items() if source is ParameterSource.COMMANDLINE}
    if mine - {"root", "environment"}:
        raise WrongUse(
            f"`ci {ctx.invoked_subcommand}` takes its options after its name",
            f"`lmssync ci {ctx.invoked_subcommand} --help` lists them",
        )


def refuse_invalid(root: Path, job: "CiJob") -> None:
    """Shows all problems of the catalog, on GitHub beside the lines; raises `InvalidCatalog`."""
    from ..catalog.catalog_validation import validate_catalog
    from .validate_command import ValidationOptions, validate_once

    if validate_once(
        root, None, ValidationOptions(form="github" if job.host == "github" else "text")
    ):
        raise InvalidCatalog(only_errors(validate_catalog(root, None, only_errors).problems))


def choose_reviewed_workspace(saved: Path | None, **given: Unpack[Decided]) -> "Workspace":
    """The workspace of a review; a saved plan is for its own environment where nobody names one."""
    from ..planning import plan

    if saved and not is_environment_named(given["environment"]):
        try:
            given["environment"] = plan.restore_plan(saved, read_plan_secret()).environment
        except WrongUse:
            with suppress(WrongUse):
                return choose_online_workspace(
                    **given
                )  # where a comment can say what is wrong with it
            raise
    return choose_online_workspace(**given)


def make_or_read_plan(place: "Workspace", saved: Path | None, out: Path | None) -> "Plan":
    """The plan of a file, or a new one, which is saved if `out` says where; prints it."""
    from ..planning import plan

    made = find_reviewed_plan(place, saved, to_save=out is not None)
    if out:
        plan.save_plan(made, out, read_plan_secret())
        print_line(f"saved to {out}", err=True)
    show_plan(made, full=False)
    return made


def find_reviewed_plan(place: "Workspace", saved: Path | None, *, to_save: bool = False) -> "Plan":
    """The plan of a file, or a new one; raises `WrongUse` for one of another environment."""
    from ..planning import plan, plan_loading as planning
    from .plan_command import make_new_plan

    if saved is None:
        return make_new_plan(place, planning.load_catalog(place), to_save=to_save)
    made = plan.restore_plan(saved, read_plan_secret())
    if made.environment != place.name:
        raise WrongUse(
            f"the plan is for {made.environment}, but this run is for {place.name}",
            f"choose it with -e {made.environment}",
        )
    return made


def mark_blocked(root: Path, made: "Plan") -> None:
    """Prints what guards say and what is blocked as commands of a GitHub workflow, with lines."""
    from ..report.problems import format_annotation
    from ..support.git_repository import folder_in_repository

    marks = list(_list_marks(made))
    if not marks:
        return
    catalog, folder = read_readable_catalog(root, made.environment), folder_in_repository(root)
    there = {address for one in marks for address in one.addresses if address in catalog.resources}
    places = catalog.find_places({str(one): catalog.resources[one].origin for one in there})
    for one in marks:
        # What has left the catalog, and what is said of a whole plan, has no line.
        for name in [*map(str, one.addresses)] or [""]:
            place = places.get(name, Place(PROJECT_FILE))
            whole = place._replace(file=f"{folder}{place.file}")
            line = format_annotation(one.severity, whole, one.title, escape_invisible(one.text))
            # An order to the build server, which escaping for terminals would spoil.
            print_exactly(f"{line}\n".encode())


class _Mark(NamedTuple):
    """A text beside the manifests of some resources."""

    severity: Severity
    title: str
    addresses: "Sequence[Address]"
    text: str


def _list_marks(made: "Plan") -> Iterator[_Mark]:
    """What waits for `--allow` or for a decision; not what only an apply asks."""
    from ..planning.plan import AT_APPLY

    for said in made.guards:
        if not said.permitted and said.guard not in AT_APPLY:
            hint = "" if said.allow in said.message else f": {said.allow} allows it"
            text = f"{said.message}{hint}"
            yield _Mark(said.severity, f"lmssync guard {said.guard}", said.addresses, text)
    for one in made.undecided_changes:
        if not one.guard:
            text = f"{one.address}: {one.block_reason}"
            yield _Mark(Severity.ERROR, "lmssync blocked", [one.address], text)
