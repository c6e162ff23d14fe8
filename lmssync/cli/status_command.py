"""`lmssync status`: the smallest command, and the one to copy for a new one.

The decorator has the exit codes and the lines to copy, which `--help` shows. `options.where` brings
the catalog and the environment. What a command needs of the rooms below is imported inside the
function, since `--help` and the completion of words load the module without running it. A command
returns its exit code; one that returns none is done.

`print_report` prints a text as wide as the terminal, and `print_view` any other value as JSON.
"""

from typing import Unpack

from . import options
from .chosen_workspace import choose_workspace
from .command_help import PROJECT_EXITS, documented_command
from .terminal_output import print_report, print_view


@documented_command(
    "status",
    exits=PROJECT_EXITS,
    examples=(("lmssync status", "show what is recorded, pending and open; needs no network"),),
)
@options.where
@options.as_json
def command(*, json_: bool, **given: Unpack[options.WhereOptions]) -> None:
    """Show what is managed, what waits for a person, and how old the comparisons are.

    Reads the state only and needs no network. It shows what the last `lmssync drift` found as well.
    """
    from ..catalog.manifests.catalog_files import RELEASES
    from ..report import state_report
    from ..sync.recorded_status import FindOwner, read_status

    place = choose_workspace(**given)
    find_owner: FindOwner = lambda _step: ""  # noqa: E731 - most catalogs have no APPROVERS
    if (place.root / "APPROVERS").exists():
        from .code_host_jobs import make_owner_finder  # and with it git and all kinds

        find_owner = make_owner_finder(place.root)
    with place.store(read_only=True) as store:
        now = read_status(store, place.platform.routes, find_owner)
        if (place.root / RELEASES).is_dir():
            from ..planning.releases import read_release_progress  # and with it all that plans

            now = now._replace(releases=read_release_progress(place, store))
    if json_:
        print_view(state_report.status_json(now, place.name))
    else:
        print_report(state_report.status_text(now, place.name))
