"""`lmssync sandbox`."""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from ..errors import LmssyncError, WrongUse
from . import learners, options
from .command_help import EXITS, DocumentedGroup

if TYPE_CHECKING:
    from ..sandbox import Ready


@click.group(
    "sandbox",
    cls=DocumentedGroup,
    examples=(("lmssync sandbox serve", "a platform at http://127.0.0.1:8800 until Ctrl-C"),),
)
def command() -> None:
    """Run the whole platform on your own machine, for trials and rehearsals."""


command.add_command(learners.command)


@command.command(
    "serve",
    exits=EXITS,
    examples=(
        ("lmssync sandbox serve", "a platform at http://127.0.0.1:8800 until Ctrl-C"),
        ("lmssync sandbox serve --data .sandbox", "the same, keeping its data in a folder"),
    ),
)
@click.option("--host", default="127.0.0.1", show_default=True)
@click.option("--port", default=8800, show_default=True, type=click.IntRange(0, 65535))
@click.option(
    "--data",
    type=options.FOLDER,
    help="Folder to keep the data in; without it, the data is lost when the sandbox stops.",
)
@click.option(
    "--profile", type=click.Choice(["core", "extended"]), default="core", show_default=True
)
@click.option(
    "--seed",
    type=options.EXISTING_FILE,
    help="JSON file of objects to load instead of the demo company.",
)
def serve(
    *,
    host: str,
    port: int,
    data: Path | None,
    profile: Literal["core", "extended"],
    seed: Path | None,
) -> None:
    """Serve the whole platform; prints one JSON line when it is ready."""
    try:
        from .. import sandbox
    except ImportError as error:
        raise WrongUse(
            f"the sandbox needs packages that are not installed ({error.name})",
            "`make install` in a checkout of lmssync installs them",
        ) from None
    try:
        sandbox.serve_sandbox(host, port, data, profile, seed, _ready, warn=_warn)
    except sandbox.SandboxError as error:
        raise LmssyncError(str(error)) from None


def _ready(where: "Ready") -> None:
    """One JSON line for programs, and at a terminal a few lines on how to use it."""
    click.echo(json.dumps(where))
    if sys.stderr.isatty():
        click.echo(f"Its catalog, in a browser: {where['baseUrl']}", err=True)
        click.echo(f"In another terminal: export LMSSYNC_API_KEY={where['apiKey']}", err=True)
        click.echo("Ctrl-C ends it.", err=True)


def _warn(text: str) -> None:
    click.echo(f"warning: {text}", err=True)
