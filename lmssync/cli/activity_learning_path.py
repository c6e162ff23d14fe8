"""`lmssync activity learning-path record`."""

from pathlib import Path
from typing import Unpack

import click

from . import operating, options

_COLUMNS = {
    "user_id": "userId",
    "learning_path_id": "learningPathId",
    "status": "status",
    "completion_date": "completionDate",
    "time_stamp_date": "timeStampDate",
}


class _Options(operating.RecordingOptions):
    """The fields of one row besides."""

    user_id: str | None
    learning_path_id: str | None
    status: str | None
    completion_date: str | None
    time_stamp_date: str | None


@click.command("record")
@click.argument("file", required=False, type=click.Path(path_type=Path, dir_okay=False))
@options.where
@click.option("--user-id", metavar="UUID", help="Whose activity it is.")
@click.option("--learning-path-id", metavar="UUID", help="On which path.")
@click.option("--status", metavar="STATUS", help="completed if it is left out.")
@click.option("--completion-date", metavar="DATE", help="Of `completed` only.")
@click.option("--time-stamp-date", metavar="DATE", help="Of the other statuses.")
@operating.recording
def record(*, file: Path | None, **given: Unpack[_Options]) -> int:
    """Record activity on learning paths: the rows of the CSV file FILE, or one by its options.

    Checks every row first, shows what would be sent, and asks. What was recorded once is not
    recorded again, so a run that was stopped goes on when it is started again.
    """
    from ..operations.recorded import LEARNING_PATH

    fields = {column: given.get(option) for option, column in _COLUMNS.items()}
    return operating.record(operating.listed(LEARNING_PATH, file, fields), given)
