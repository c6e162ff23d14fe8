"""`lmssync release`."""

from typing import Unpack

import click

from . import options
from .chosen_workspace import choose_workspace
from .command_help import PROJECT_EXITS, documented_group
from .exits import Exit
from .terminal_output import print_report, print_view


@documented_group(
    "release",
    exits=PROJECT_EXITS,
    examples=(
        ("lmssync release list", "show which releases wait, are due or are open"),
        ("lmssync release revert autumn", "write the opposite of a release, on a branch"),
    ),
)
def command() -> None:
    """Show releases, and take one back.

    A release is a file in releases/ that names changes which are applied as one:
    `lmssync plan --release NAME` shows them, and `lmssync apply --release NAME` applies them.
    """


@command.command(
    "list",
    exits=PROJECT_EXITS,
    examples=(
        ("lmssync release list", "show the releases that are not complete"),
        ("lmssync release list --all --json", "list all of them, as JSON"),
    ),
)
@click.option("--all", "every", is_flag=True, help="List complete releases too.")
@options.as_json
@options.where
def list_(*, every: bool, json_: bool, **given: Unpack[options.WhereOptions]) -> None:
    """List releases with their moments, and where each has come to; needs no network."""
    from ..planning.releases import read_release_progress
    from ..report.release_report import list_releases_json, release_list_text

    place = choose_workspace(**given)
    with place.store(read_only=True) as store:
        found = read_release_progress(place, store, also_complete=every)
    if json_:
        head = {"format": "lmssync.releases/1", "environment": place.name}
        print_view({**head, "releases": list_releases_json(found)})
    else:
        print_report(release_list_text(found))


@command.command(
    "revert",
    exits=PROJECT_EXITS | {Exit.ERROR},
    examples=(
        ("lmssync release revert autumn", "commit the opposite on the branch revert-autumn"),
        ("lmssync release revert autumn --branch undo", "use another name for the branch"),
    ),
)
@click.argument("name")
@click.option("--branch", help="Name of the new branch; default: revert-NAME.")
@options.as_json
@options.where
def revert(
    *, name: str, branch: str | None, json_: bool, **given: Unpack[options.WhereOptions]
) -> None:
    """Commit the opposite manifests of a release on a new branch; needs no network.

    The branch begins at HEAD. Your files, your branch and your index stay as they are, and nothing
    that the repository names is run. What no plan can take back is listed for people.
    """
    from ..report.release_report import revert_json, revert_text
    from ..sync.release_revert import revert_release

    place = choose_workspace(**given)
    with place.store(read_only=True) as store:
        done = revert_release(place, store, name, branch or f"revert-{name}")
    if json_:
        print_view(revert_json(done, place.name))
    else:
        print_report(revert_text(done))
