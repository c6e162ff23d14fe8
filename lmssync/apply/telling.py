"""Names people by file and line where an apply only has their codes."""

from ..people import People
from .result import Progress, Report


class Telling:
    """Progress with people named by file and line."""

    def __init__(self, progress: Progress, people: People) -> None:
        self._progress, self._people = progress, people
        self.begin, self.step, self.reading = progress.begin, progress.step, progress.reading

    def note(self, text: str) -> None:
        self._progress.note(self._people.tell(text))


def told(report: Report, people: People) -> Report:
    """The report of an apply with people named by file and line."""
    report.because = {a: people.tell(why, a) for a, why in report.because.items()}
    report.jobs = [job._replace(message=people.tell(job.message)) for job in report.jobs]
    if report.error:
        report.error.message = people.tell(report.error.message)
    return report
