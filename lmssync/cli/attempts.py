"""`lmssync attempts`."""

import click

from .attempts_forgive import forgive
from .commands import Commands


@click.group("attempts", cls=Commands)
def command() -> None:
    """Do something about attempts at quizzes and tests."""


command.add_command(forgive)
