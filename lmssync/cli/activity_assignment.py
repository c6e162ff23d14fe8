"""`lmssync activity assignment record`."""

from pathlib import Path
from typing import Unpack

import click

from . import operating, options

_COLUMNS = {
    "learner_id": "learnerId",
    "assignment_id": "assignmentId",
    "status": "status",
    "grade": "grade",
    "grade_feedback": "gradeFeedback",
    "return_url": "returnUrl",
}


class _Options(operating.RecordingOptions):
    """The fields of one row besides."""

    learner_id: str | None
    assignment_id: str | None
    status: str | None
    grade: str | None
    grade_feedback: str | None
    return_url: str | None


@click.command("record")
@click.argument("file", required=False, type=click.Path(path_type=Path, dir_okay=False))
@options.where
@click.option("--learner-id", metavar="UUID", help="Whose activity it is.")
@click.option("--assignment-id", metavar="UUID", help="The topic of the course.")
@click.option("--status", metavar="STATUS", help="completed or incomplete.")
@click.option("--grade", metavar="NUMBER", help="As the platform shows it.")
@click.option("--grade-feedback", metavar="TEXT", help="What the learner reads about it.")
@click.option("--return-url", metavar="PATH", help="Relative, such as /learn/courses.")
@click.option("--jwt", is_flag=True, help="Send the fields in a token that the API key signs.")
@operating.recording
def record(*, file: Path | None, jwt: bool, **given: Unpack[_Options]) -> int:
    """Record activity on assignments: the rows of the CSV file FILE, or one by its options.

    Checks every row first, shows what would be sent, and asks. What was recorded once is not
    recorded again, so a run that was stopped goes on when it is started again.
    """
    from ..operations.recorded import ASSIGNMENT

    fields = {column: given.get(option) for option, column in _COLUMNS.items()}
    return operating.record(operating.listed(ASSIGNMENT, file, fields), given, signed=jwt)
