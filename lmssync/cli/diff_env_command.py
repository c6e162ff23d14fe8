"""`lmssync diff-env`."""

import sys
from pathlib import Path

import click

from . import options
from .chosen_workspace import choose_workspace
from .command_help import PROJECT_EXITS, documented_command
from .exits import Exit
from .terminal_output import choose_text_style, print_report, print_view


@documented_command(
    "diff-env",
    exits=PROJECT_EXITS | {Exit.CHANGES},
    exit_meanings={Exit.CHANGES: "something differs"},
    examples=(
        ("lmssync diff-env staging production", "list what production does not have yet"),
        ("lmssync diff-env staging production 'course.*'", "compare courses only"),
    ),
)
@click.argument("first")
@click.argument("second")
@click.argument("patterns", nargs=-1, metavar="[ADDRESS]...")
@options.catalog
@options.as_json
def command(*, root: Path, first: str, second: str, patterns: tuple[str, ...], json_: bool) -> int:
    """Compare what is recorded for two environments.

    Shows the value of FIRST before that of SECOND. ADDRESS may be a pattern (`course.*`). Needs no
    network.
    """
    from ..report.comparison_report import environments_json, environments_text
    from ..sync.environment_comparison import compare_environments

    ours = choose_workspace(root=root, environment=first)
    theirs = choose_workspace(root=root, environment=second)
    with ours.store(read_only=True) as one, theirs.store(read_only=True) as other:
        comparison = compare_environments(one, other, patterns)
    names = ours.name, theirs.name
    if json_:
        print_view(environments_json(comparison, names))
    else:
        currency = ours.project.currency or ""
        print_report(environments_text(comparison, names, choose_text_style(sys.stdout), currency))
    return Exit.CHANGES if comparison.differences else Exit.DONE
