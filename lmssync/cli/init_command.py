"""`lmssync init`."""

import os
import shlex
from contextlib import suppress
from pathlib import Path

import click

from ..errors import LmssyncError, WrongUse
from ..support.invisible_characters import escape_invisible
from . import options
from .command_help import EXITS, documented_command

PROJECT = "lmssync.yaml"
_OF_HOST = {"github": ".github/", "gitlab": ".gitlab-ci.yml"}
"""How the files of the pipelines of a code host begin."""

_SHARED = "# state: git:", "state: git:"
"""The line of the project file that needs a repository with a remote: without one, and with one."""


@documented_command(
    "init",
    exits=EXITS,
    examples=(
        ("lmssync init content", "lay out a new catalog in the folder content"),
        ("lmssync init --git content", "make it a git repository as well"),
        ("lmssync init --ci gitlab content", "write pipelines for GitLab only"),
    ),
)
@click.argument("folder", type=options.FOLDER, metavar="DIR", default=".")
@click.option("--git", "git_", is_flag=True, help="Make FOLDER a git repository as well.")
@click.option(
    "--ci",
    type=click.Choice([*_OF_HOST, "both", "none"]),
    default="both",
    show_default=True,
    help="Code host to write pipelines for.",
)
def command(*, folder: Path, git_: bool, ci: str) -> None:
    """Lay out a new content repository in FOLDER, or in this folder.

    Writes a project file, a first course, schemas, settings for editors, a git hook and pipelines.
    Existing files stay as they are. In a git repository with a remote, the state of `production` is
    kept on a branch of that remote.
    """
    from ..catalog.manifests.schemas.json_schema import all_schemas, spell_schema
    from ..catalog.starter import lay_out, list_starter_files
    from ..support.git_repository import init_repository, read_remote

    if os.path.lexists(folder / PROJECT):
        raise WrongUse(
            f"{folder / PROJECT} exists already: this folder is a catalog",
            "`lmssync validate` checks it, `lmssync new course KEY` starts a course",
        )
    others = tuple(start for host, start in _OF_HOST.items() if ci not in {host, "both"})
    every = list_starter_files().items()
    texts = {name: text for name, text in every if not name.startswith(others)}
    with suppress(LmssyncError):  # without git there is no remote to keep a state at
        if read_remote(folder, "origin"):
            texts[PROJECT] = texts[PROJECT].replace(*_SHARED)
    texts |= {f"schemas/{name}": spell_schema(made) for name, made in all_schemas().items()}
    laid = lay_out(folder, texts)
    for name in laid.written:
        click.echo(f"wrote {name}")
    for name in laid.kept:
        click.echo(f"kept  {name}, which existed already")
    if git_:
        there = init_repository(folder)
        kept = there and f"kept  the git repository in {escape_invisible(str(there))}"
        click.echo(kept or "made a git repository, with the branch main")
    where = "" if folder == Path() else f" -C {escape_invisible(shlex.quote(str(folder)))}"
    click.echo(f"\nNext: lmssync validate{where}", err=True)
