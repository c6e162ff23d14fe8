"""`lmssync pull`."""

from pathlib import Path
from typing import Unpack

import click

from . import options
from .chosen_workspace import choose_online_workspace, parse_typed_address
from .command_help import PLATFORM_EXITS, documented_command
from .exits import Exit
from .terminal_output import print_report, print_view, write_output_file


@documented_command(
    "pull",
    exits=PLATFORM_EXITS | {Exit.LOCKED, Exit.PARTIAL},
    exit_meanings={Exit.PARTIAL: "some values were not written"},
    examples=(
        ("lmssync pull course.safety-101", "write what people changed into its manifest"),
        ("lmssync pull course.safety-101:title", "write one field of it"),
        ("lmssync pull course.safety-101 --dry-run", "show what that would write"),
    ),
)
@click.argument("words", metavar="ADDRESS[:FIELD]...", nargs=-1, required=True)
@options.writes
@options.as_json
@click.option("--dry-run", is_flag=True, help="Show what would be written, and write nothing.")
@click.option(
    "--message",
    type=options.FILE,
    metavar="FILE",
    help="Write the message for a commit, with what was pulled, to this file.",
)
def command(
    *,
    words: tuple[str, ...],
    json_: bool,
    dry_run: bool,
    message: Path | None,
    **given: Unpack[options.WhereOptions],
) -> int:
    """Write what people changed on the platform into the manifests.

    Comments, order and everything else in a manifest stay as they are; bodies are written to their
    files. The values are recorded as well, so the next plan does not change them. Nothing is sent
    to the platform.
    """
    from ..report.pull_report import pull_json, pull_message, pull_text
    from ..sync.pull import PullSelection, pull_changes

    parted = (word.partition(":") for word in words)
    wanted = [PullSelection(parse_typed_address(name), field) for name, _, field in parted]
    place = choose_online_workspace(**given)
    with place.existing_store() as store, place.open_reader() as reader:
        pulled = pull_changes(place, store, reader, wanted, dry_run=dry_run)
    if json_:
        print_view(pull_json(pulled))
    else:
        print_report(pull_text(pulled, place.project.currency or ""))
    if message and (pulled.taken or pulled.parts):
        write_output_file(message, [pull_message(pulled).encode()], private=False)
    return Exit.PARTIAL if pulled.refused else Exit.DONE
