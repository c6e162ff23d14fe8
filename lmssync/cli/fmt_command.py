"""`lmssync fmt`."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..errors import InvalidCatalog, LmssyncError, WrongUse
from ..report.problems import SourceLines, file_shown, problems_text
from . import options
from .command_help import PROJECT_EXITS, documented_command
from .exits import Exit, print_error, print_message
from .terminal_output import choose_display, print_exactly

if TYPE_CHECKING:
    from ..catalog.manifests.file_choice import ChosenFile
    from ..catalog.manifests.format_files import FormatResult


@documented_command(
    "fmt",
    exits=PROJECT_EXITS | {Exit.CHANGES},
    exit_meanings={Exit.CHANGES: "with --check: a file is not in order"},
    examples=(
        ("lmssync fmt", "put all manifests in order"),
        ("lmssync fmt --diff courses", "show what would change in a folder"),
        ("lmssync fmt --check", "exit with 2 if a file is not in order"),
    ),
)
@click.argument("files", nargs=-1, metavar="[FILE]...")
@options.catalog
@click.option("--check", is_flag=True, help="Write nothing; exit with 2 if a file is not in order.")
@click.option("--diff", is_flag=True, help="Write nothing; show what would change.")
@options.ids
def command(*, files: tuple[str, ...], root: Path, check: bool, diff: bool, longest_id: int) -> int:
    """Put the fields of manifests into their usual order: of all manifests, or of each FILE.

    Comments stay. With `-` as FILE, it reads standard input and writes standard output.
    """
    from ..catalog.manifests.file_choice import choose_catalog_files, choose_named_files
    from ..catalog.manifests.format_files import look_at_files

    if "-" in files:
        return _format_stream(files, check=check, diff=diff, longest_id=longest_id)
    targets = choose_named_files(root, files) if files else choose_catalog_files(root.absolute())
    changed = unwritten = 0
    problems = []
    looks = look_at_files(targets, longest_id=longest_id)
    for target, look in zip(targets, looks, strict=True):
        changed += look.changes
        problems += [look.problem] if look.problem else []
        if look.changes and not (check or diff or _write_formatted(target, look, longest_id)):
            unwritten += 1
        else:
            _print_look(target.name, look, diff=diff)
    files_ = "file" if len(targets) == 1 else "files"
    verb = "would change" if check or diff else "formatted"
    click.echo(f"{changed - unwritten:,} of {len(targets):,} {files_} {verb}", err=True)
    if problems:
        homes = {target.name: (target.root, target.path) for target in targets}
        display = choose_display(sys.stderr, SourceLines(root, homes))
        click.echo(problems_text(problems, display), err=True, nl=False)
    if unwritten:
        return Exit.ERROR
    return Exit.INVALID if problems else _find_exit_code(changes=changed > 0, check=check)


def _format_stream(files: Sequence[str], *, check: bool, diff: bool, longest_id: int) -> int:
    """From stdin to stdout, for editors; writes nothing if the input is not YAML."""
    from ..catalog.manifests.format_files import look_at

    if len(files) > 1:
        raise WrongUse("`-` (stdin) cannot be combined with other files")
    look = look_at(sys.stdin.buffer.read(), "<stdin>", longest_id=longest_id)
    writes = not (check or diff or look.problem)
    _print_look("<stdin>", look._replace(before=look.after) if writes else look, diff=diff)
    print_exactly(look.after if writes else b"")
    if look.problem:
        print_error(InvalidCatalog([look.problem]))
        return Exit.INVALID
    return _find_exit_code(changes=look.changes, check=check)


def _write_formatted(target: "ChosenFile", look: "FormatResult", longest_id: int) -> bool:
    """Writes a file, and renames files of questions with their topics; reports an error and returns
    False if that fails."""
    from ..catalog.manifests.catalog_files import replace_file
    from ..catalog.manifests.formatter import list_renamed_parts
    from ..catalog.manifests.question_files import rename_question_files

    try:
        replace_file(target.root, target.path, look.before, look.after)
        if longest_id:
            renamed = list_renamed_parts(look.before, look.after)
            for old, new in rename_question_files(target.root, target.path, renamed):
                click.echo(f"{file_shown(old)} is {file_shown(new)} now", err=True)
    except OSError as error:
        print_message(LmssyncError(f"{target.name} cannot be written: {error.strerror or error}"))
        return False
    return True


def _print_look(name: str, look: "FormatResult", *, diff: bool) -> None:
    """A name or a difference on stdout, a warning on stderr."""
    name = file_shown(name)
    if not look.proven:
        click.echo(f"warning: {name} is left unchanged: {look.why}", err=True)
    if look.changes:
        click.echo(look.unified_diff_of(name) if diff else f"{name}\n", nl=False)


def _find_exit_code(*, changes: bool, check: bool) -> Exit:
    return Exit.CHANGES if check and changes else Exit.DONE
