"""`lmssync activity`."""

from pathlib import Path
from typing import Unpack

import click

from . import options, row_operations
from .command_help import PLATFORM_EXITS, documented_group
from .exits import Exit

_listed = options.combine_options(
    click.argument("file", required=False, type=options.FILE), options.where
)


@documented_group(
    "activity",
    examples=(
        ("lmssync activity learning-path record day.csv", "show what would be recorded"),
        ("lmssync activity assignment record marks.csv", "show what would be recorded, and ask"),
    ),
)
def command() -> None:
    """Record what learners did elsewhere: each row of a list once."""


@command.group(
    "learning-path",
    examples=(("lmssync activity learning-path record day.csv", "show what would be recorded"),),
)
def learning_path() -> None:
    """Record activity on learning paths."""


@command.group(
    "assignment",
    examples=(("lmssync activity assignment record marks.csv", "show what would be recorded"),),
)
def assignment() -> None:
    """Record activity on assignments."""


@command.group(
    "course", examples=(("lmssync activity course record done.csv", "show what would be recorded"),)
)
def course() -> None:
    """Record that people have completed courses."""


@learning_path.command(
    "record",
    exits=PLATFORM_EXITS | {Exit.UNKNOWN, Exit.LOCKED, Exit.PARTIAL},
    exit_meanings={Exit.PARTIAL: "some rows were sent, others were refused"},
    examples=(
        ("lmssync activity learning-path record day.csv", "show what would be recorded, and ask"),
        (
            "lmssync activity learning-path record day.csv --yes --out receipt.csv",
            "record it without asking, and write what became of each row",
        ),
        (
            "lmssync activity learning-path record day.csv --yes --not-recorded 17,20-25",
            "send rows again that are not on the platform",
        ),
    ),
)
@_listed
@click.option("--user-id", metavar="UUID", help="Learner whose activity it is.")
@click.option("--learning-path-id", metavar="UUID", help="Learning path of the activity.")
@click.option("--status", metavar="STATUS", help="Status; default: completed.")
@click.option("--completion-date", metavar="DATE", help="Date of the status `completed`.")
@click.option("--time-stamp-date", metavar="DATE", help="Date of any other status.")
@row_operations.recording
def record_learning_path(
    *, file: Path | None, **given: Unpack[row_operations.RecordingOptions]
) -> int:
    """Record activity on learning paths: the rows of the CSV file FILE, or one row given by
    options.

    Checks every row first, shows what would be sent, and asks. A row that was recorded is not
    recorded again, so a run that was stopped can be started again.
    """
    from ..learners.operations.operation_kinds import LEARNING_PATH

    return row_operations.record_rows(LEARNING_PATH, file, given)


@assignment.command(
    "record",
    exits=PLATFORM_EXITS | {Exit.UNKNOWN, Exit.LOCKED, Exit.PARTIAL},
    exit_meanings={Exit.PARTIAL: "some rows were sent, others were refused"},
    examples=(
        ("lmssync activity assignment record marks.csv", "show what would be recorded, and ask"),
        (
            "lmssync activity assignment record marks.csv --yes --out receipt.csv",
            "record it without asking, and write what became of each row",
        ),
    ),
)
@_listed
@click.option("--learner-id", metavar="UUID", help="Learner whose activity it is.")
@click.option("--assignment-id", metavar="UUID", help="Assignment, which is a topic of a course.")
@click.option("--status", metavar="STATUS", help="Status: completed or incomplete.")
@click.option("--grade", metavar="NUMBER", help="Grade, as the platform shows it.")
@click.option("--grade-feedback", metavar="TEXT", help="Feedback for the learner.")
@click.option(
    "--return-url",
    metavar="PATH",
    help="Page that the learner returns to, without the host: /learn/courses.",
)
@click.option(
    "--jwt", is_flag=True, help="Send the fields in a token that is signed with the API key."
)
@row_operations.recording
def record_assignment(
    *, file: Path | None, jwt: bool, **given: Unpack[row_operations.RecordingOptions]
) -> int:
    """Record activity on assignments: the rows of the CSV file FILE, or one row given by options.

    Checks every row first, shows what would be sent, and asks. A row that was recorded is not
    recorded again, so a run that was stopped can be started again.
    """
    from ..learners.operations.operation_kinds import ASSIGNMENT

    return row_operations.record_rows(ASSIGNMENT, file, given, signed=jwt)


@course.command(
    "record",
    exits=PLATFORM_EXITS | {Exit.UNKNOWN, Exit.LOCKED, Exit.PARTIAL},
    exit_meanings={Exit.PARTIAL: "some rows were sent, others were refused"},
    examples=(
        ("lmssync activity course record done.csv", "show what would be recorded, and ask"),
        (
            "lmssync activity course record done.csv --yes --out receipt.csv",
            "record it, and write what became of each row",
        ),
    ),
)
@_listed
@click.option("--course-id", metavar="UUID", help="Course that was completed.")
@click.option("--user-email", metavar="EMAIL", help="Person who has completed it.")
@row_operations.recording
def record_course(*, file: Path | None, **given: Unpack[row_operations.RecordingOptions]) -> int:
    """Record that people have completed courses: the rows of the CSV file FILE, or one row given by
    options.

    Needs the route `activity.course`, which not every instance has. Checks every row first, shows
    what would be sent, and asks. A row that was recorded is not recorded again, so a run that was
    stopped can be started again.
    """
    from ..learners.operations.operation_kinds import COURSE

    return row_operations.record_rows(COURSE, file, given)
