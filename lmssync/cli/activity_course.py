"""`lmssync activity course record`."""

from pathlib import Path
from typing import Unpack

import click

from . import operating, options

_COLUMNS = {"course_id": "courseId", "user_email": "userEmail"}


class _Options(operating.RecordingOptions):
    """The fields of one row besides."""

    course_id: str | None
    user_email: str | None


@click.command("record")
@click.argument("file", required=False, type=click.Path(path_type=Path, dir_okay=False))
@options.where
@click.option("--course-id", metavar="UUID", help="Which course.")
@click.option("--user-email", metavar="EMAIL", help="Who has completed it.")
@operating.recording
def record(*, file: Path | None, **given: Unpack[_Options]) -> int:
    """Record that people have completed courses: the rows of the CSV file FILE, or one by options.

    The instance needs the further route `activity.course`. Checks every row first, shows what would
    be sent, and asks. What was recorded once is not recorded again, so a run that was stopped goes
    on when it is started again.
    """
    from ..operations.recorded import COURSE

    fields = {column: given.get(option) for option, column in _COLUMNS.items()}
    return operating.record(operating.listed(COURSE, file, fields), given)
