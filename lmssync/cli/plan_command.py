"""`lmssync plan`."""

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

import click

from ..report.terminal_style import wrap_text
from ..support.decisions import NONE, Refresh
from . import options, report_output
from .chosen_workspace import (
    choose_online_workspace,
    read_plan_secret,
    refuse_saving,
    workspace_then,
)
from .command_help import PLAN_MEANINGS, PLATFORM_EXITS, documented_command
from .exits import Exit
from .report_output import show_in_form, write_reports
from .safe_output import print_line
from .terminal_output import terminal_width

if TYPE_CHECKING:
    from ..catalog.manifests.catalog import Catalog
    from ..catalog.manifests.catalog_files import Listing
    from ..planning.plan import Plan
    from ..planning.workspace import Workspace
    from .remembered_answers import Question


@documented_command(
    "plan",
    exits=PLATFORM_EXITS | {Exit.CHANGES, Exit.UNKNOWN, Exit.PARTIAL},
    exit_meanings=PLAN_MEANINGS
    | {
        Exit.CHANGES: "with --detailed-exitcode: there are changes",
        Exit.UNKNOWN: "with --detailed-exitcode: a call whose outcome is unknown blocks a change",
        Exit.PARTIAL: "with --detailed-exitcode: a change or a field is blocked",
    },
    examples=(
        ("lmssync plan", "show what would change on the platform"),
        ("lmssync plan -e production --out release.plan.json", "save the plan of one environment"),
        ("lmssync plan --detailed-exitcode", "exit with 2 if there are changes"),
        (
            "lmssync plan --report plan.html --report plan.md",
            "write a web page and a Markdown comment as well",
        ),
        (
            "lmssync plan --refresh all",
            "compare everything with the platform, not only what git has changed",
        ),
        ("lmssync plan --offline", "compare with what is recorded, without a key"),
        ("lmssync plan --target 'course.fire-*'", "plan some courses, with what they need"),
        ("lmssync plan --changed-since main", "plan only what this branch has changed"),
        ("lmssync plan --release autumn", "plan what releases/autumn.yaml changes, as one"),
    ),
)
@options.where
@report_output.printed
@report_output.written
@options.full
@options.decisions
@options.limits
@options.base
@options.refresh_option("all", "changed", "none")
@options.offline
@click.option(
    "--as-of",
    "as_of",
    metavar="TIME|SERIAL",
    help="Compare with what was recorded at that time (UTC) or serial; such a plan cannot "
    "be applied.",
)
@click.option("--out", type=options.FILE, help="Save the plan to this file.")
@click.option(
    "--detailed-exitcode",
    is_flag=True,
    help="Exit with 2 if there are changes, and with 3, 4 or 7 if something is blocked.",
)
def command(
    *,
    form: str,
    full: bool,
    as_of: str | None,
    out: Path | None,
    reports: tuple[Path, ...],
    detailed_exitcode: bool,
    **given: Unpack[options.Decided],
) -> int:
    """Show what `apply` would change on the platform, without changing anything there.

    Compares the manifests with what is recorded, and with what it reads from the platform.
    """
    report_output.refuse_overwriting(out, reports)
    refuse_saving(out, **given)
    place = choose_online_workspace(**given)
    from ..catalog.manifests.catalog_files import walk_catalog
    from .remembered_answers import ask_of_state

    question, listing = None, walk_catalog(place.root)
    if form == "text" and not (full or as_of or out or reports) and _decides_nothing(place):
        question = ask_of_state("plan", place, listing)
        if _print_without_plan(place, listing, question):
            return Exit.DONE
    from ..planning import plan, plan_loading as planning

    if as_of is not None:
        place = workspace_then(place, as_of, out)
    catalog = planning.load_catalog(place, listing)
    del listing  # the stamps of all files, and a plan needs memory as well
    made = make_new_plan(place, catalog, to_save=out is not None)
    stops = plan.stopping_verdicts(made.guards)
    if out:
        plan.save_plan(made, out, read_plan_secret())
        does = "does exactly this" if not stops else "refuses it, as guards stop it"
        then_apply = _then_apply(out, **given)
        print_line(f"saved to {out}: {then_apply} {does}", err=True)
        click.echo(f"its digest is {plan.plan_digest(made)}", err=True)
    write_reports(made, reports)
    shown = show_in_form(
        made, form, full=full, next_step="" if as_of else _then_apply(out, **given)
    )
    if question and _wants_nothing(made):
        question.remember_answer(shown)
    if stops:
        return Exit.INVALID
    return _detailed_exit(made) if detailed_exitcode else Exit.DONE


def _decides_nothing(place: "Workspace") -> bool:
    """Whether no option decides anything, and nobody says what to compare with."""
    is_plain = place.decided._replace(refresh=NONE.refresh) == NONE and not place.base
    return is_plain and place.decided.refresh is not Refresh.ALL


def _print_without_plan(
    place: "Workspace", listing: "Listing", question: "Question | None"
) -> bool:
    """Prints that nothing is to be done, where that is known; returns whether it is."""
    known = question.recall_answer() if question else None
    if known is not None:
        place.require_credential()
    else:
        from ..planning.applied_catalog import count_as_applied
        from ..report.evidence_text import unasked_line

        number = count_as_applied(place, listing)
        if number is None:
            return False
        known = wrap_text(f"{unasked_line(number)}\n", terminal_width(sys.stdout))
        if question:
            question.remember_answer(known)
    click.echo(known, nl=False)
    return True


def _wants_nothing(made: "Plan") -> bool:
    """Whether nothing is to be done or decided, and nobody was asked."""
    judged = made.guards or made.lowered or made.undecided_changes
    return not (made.has_changes or made.does_anything or made.planning or judged)


def _then_apply(out: Path | None, **given: Unpack[options.Decided]) -> str:
    """The command that applies the plan, in words."""
    if out:
        return f"`lmssync apply {shlex.quote(str(out))}`"
    decisions = ("allow", "keep", "recreate", "new_state", "base")
    limits = ("target", "exclude", "since", "release")
    is_decided = any(given.get(name) for name in (*decisions, *limits))
    same = " with the same options" if is_decided else ""
    return f"`lmssync apply`{same}"


def _detailed_exit(made: "Plan") -> Exit:
    """How an apply of the plan would end if it has changes to leave undone."""
    from ..planning.plan import is_left_open

    if not made.undecided_changes:
        return Exit.CHANGES if made.has_changes else Exit.DONE
    if made.forbidden_all:
        return Exit.INVALID
    return Exit.UNKNOWN if any(map(is_left_open, made.undecided_changes)) else Exit.PARTIAL


def make_new_plan(place: "Workspace", catalog: "Catalog", *, to_save: bool) -> "Plan":
    """A plan as the options want it; one that is saved is of a state, which is made if need be."""
    from ..planning import plan_loading as planning
    from .progress import ProgressLines

    if to_save:
        place.make_store()  # its codes for people are made there
    with place.store(read_only=True) as store:
        if place.decided.refresh is Refresh.OFFLINE:
            return planning.make_plan(place, catalog, store, None)
        with place.open_reader(plans=True) as reader:
            reader.pace.tell = ProgressLines().note
            return planning.make_plan(place, catalog, store, reader)
