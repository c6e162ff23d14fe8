"""`lmssync events`."""

import click

from .commands import Commands
from .events_pull import pull


@click.group("events", cls=Commands)
def command() -> None:
    """Pull what learners do, and count it without their names."""


command.add_command(pull)
