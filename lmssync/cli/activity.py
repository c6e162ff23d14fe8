"""`lmssync activity`."""

import click

from .activity_assignment import record as record_assignment
from .activity_course import record as record_course
from .activity_learning_path import record as record_learning_path
from .commands import Commands


@click.group("activity", cls=Commands)
def command() -> None:
    """Record what learners did elsewhere: each row of a list once."""


@command.group("learning-path", cls=Commands)
def learning_path() -> None:
    """External activity on learning paths."""


@command.group("assignment", cls=Commands)
def assignment() -> None:
    """External activity on assignments."""


@command.group("course", cls=Commands)
def course() -> None:
    """External activity on courses: that they were completed."""


learning_path.add_command(record_learning_path)
assignment.add_command(record_assignment)
course.add_command(record_course)
