"""`lmssync activity`."""

from pathlib import Path
from typing import Unpack

import click

from . import options, row_operations
from .command_help import PLATFORM_EXITS, DocumentedGroup
from .exits import Exit

_listed = options.combine_options(
    click.argument("file", required=False, type=options.FILE),
    options.where,
)


@click.group(
    "activity",
    cls=DocumentedGroup,
    examples=(
        ("lmssync activity learning-path record day.csv", "show what would be recorded"),
        (
            "lmssync activity assignment record marks.csv",
            "show which assignments would be recorded",
        ),
    ),
)
def command() -> None:
    """Record what learners did elsewhere: each row of a list once."""


@command.group(
    "learning-path",
    examples=(("lmssync activity learning-path record day.csv", "show what would be recorded"),),
)
def learning_path() -> None:
    """External activity on learning paths."""


@command.group(
    "assignment",
    examples=(("lmssync activity assignment record marks.csv", "show what would be recorded"),),
)
def assignment() -> None:
    """External activity on assignments."""


@command.group(
    "course", examples=(("lmssync activity course record done.csv", "show what would be recorded"),)
)
def course() -> None:
    """External activity on courses: that they were completed."""


@learning_path.command(
    "record",
    exits=PLATFORM_EXITS | {Exit.UNKNOWN, Exit.LOCKED, Exit.PARTIAL},
    examples=(
        ("lmssync activity learning-path record day.csv", "show what would be recorded, and ask"),
        (
            "lmssync activity learning-path record day.csv --yes --out receipt.csv",
            "record it without asking, and write what became of each row",
        ),
        (
            "lmssync activity learning-path record day.csv --yes --not-recorded 17,20-25",
            "after a look at the platform: these rows are not there",
        ),
    ),
)
@_listed
@click.option("--user-id", metavar="UUID", help="Whose activity it is.")
@click.option("--learning-path-id", metavar="UUID", help="On which path.")
@click.option("--status", metavar="STATUS", help="completed if it is left out.")
@click.option("--completion-date", metavar="DATE", help="Of `completed` only.")
@click.option("--time-stamp-date", metavar="DATE", help="Of the other statuses.")
@row_operations.recording
def record_learning_path(
    *, file: Path | None, **given: Unpack[row_operations.RecordingOptions]
) -> int:
    """Record activity on learning paths: the rows of the CSV file FILE, or one by its options.

    Checks every row first, shows what would be sent, and asks. What was recorded once is not
    recorded again, so a run that was stopped goes on when it is started again.
    """
    from ..learners.operations.operation_kinds import LEARNING_PATH

    return row_operations.record_rows(LEARNING_PATH, file, given)


@assignment.command(
    "record",
    exits=PLATFORM_EXITS | {Exit.UNKNOWN, Exit.LOCKED, Exit.PARTIAL},
    examples=(
        ("lmssync activity assignment record marks.csv", "show what would be recorded, and ask"),
        (
            "lmssync activity assignment record marks.csv --yes --out receipt.csv",
            "record it without asking, and write what became of each row",
        ),
    ),
)
@_listed
@click.option("--learner-id", metavar="UUID", help="Whose activity it is.")
@click.option("--assignment-id", metavar="UUID", help="The topic of the course.")
@click.option("--status", metavar="STATUS", help="completed or incomplete.")
@click.option("--grade", metavar="NUMBER", help="As the platform shows it.")
@click.option("--grade-feedback", metavar="TEXT", help="What the learner reads about it.")
@click.option("--return-url", metavar="PATH", help="Relative, such as /learn/courses.")
@click.option("--jwt", is_flag=True, help="Send the fields in a token that the API key signs.")
@row_operations.recording
def record_assignment(
    *, file: Path | None, jwt: bool, **given: Unpack[row_operations.RecordingOptions]
) -> int:
    """Record activity on assignments: the rows of the CSV file FILE, or one by its options.

    Checks every row first, shows what would be sent, and asks. What was recorded once is not
    recorded again, so a run that was stopped goes on when it is started again.
    """
    from ..learners.operations.operation_kinds import ASSIGNMENT

    return row_operations.record_rows(ASSIGNMENT, file, given, signed=jwt)


@course.command(
    "record",
    exits=PLATFORM_EXITS | {Exit.UNKNOWN, Exit.LOCKED, Exit.PARTIAL},
    examples=(
        ("lmssync activity course record done.csv", "show what would be recorded, and ask"),
        (
            "lmssync activity course record done.csv --yes --out receipt.csv",
            "record it, and write what became of each row",
        ),
    ),
)
@_listed
@click.option("--course-id", metavar="UUID", help="Which course.")
@click.option("--user-email", metavar="EMAIL", help="Who has completed it.")
@row_operations.recording
def record_course(*, file: Path | None, **given: Unpack[row_operations.RecordingOptions]) -> int:
    """Record that people have completed courses: the rows of the CSV file FILE, or one by options.

    The instance needs the further route `activity.course`. Checks every row first, shows what would
    be sent, and asks. What was recorded once is not recorded again, so a run that was stopped goes
    on when it is started again.
    """
    from ..learners.operations.operation_kinds import COURSE

    return row_operations.record_rows(COURSE, file, given)
