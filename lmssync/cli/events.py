"""`lmssync events`."""

import click

from .commands import Commands
from .events_export import export
from .events_listen import listen
from .events_pull import pull
from .events_tail import tail


@click.group("events", cls=Commands)
def command() -> None:
    """Pull what learners do, and count it without their names."""


for inner in (pull, tail, listen, export):
    command.add_command(inner)
