"""The hours of a day in which learners are quiet: those of the project file, or learned ones."""

from collections.abc import Sequence
from datetime import UTC, datetime, time, tzinfo
from typing import NamedTuple

from ...settings import QuietHours, quiet_zone

LEARNED = 8
"""Hours in a row that are quiet, where nobody says which."""
_DAY = 24


class Times(NamedTuple):
    """A part of each day; it goes on after midnight if `end` is not later than `begin`."""

    begin: time
    end: time
    zone: tzinfo
    name: str

    def contains(self, moment: datetime) -> bool:
        now = moment.astimezone(self.zone).time()
        # Else the hours go on after midnight, and two parts of the day belong to them.
        if self.begin < self.end:
            return self.begin <= now < self.end
        return now >= self.begin or now < self.end

    def __str__(self) -> str:
        return f"{self.begin:%H:%M} to {self.end:%H:%M} ({self.name})"


def find_quiet_times(wanted: QuietHours, hours: Sequence[int] | None) -> Times | None:
    """The quiet hours; None if they are to be learned and nothing is known.

    `hours` says what learners did in each hour of the day (UTC).
    """
    if wanted.begin and wanted.end:
        begin, end = time.fromisoformat(wanted.begin), time.fromisoformat(wanted.end)
        return Times(begin, end, quiet_zone(wanted) or UTC, wanted.timeZone)
    if hours is None:
        return None
    days = (*hours, *hours)  # the quietest hours in a row may go on after midnight
    first = min(range(_DAY), key=lambda hour: sum(days[hour : hour + LEARNED]))
    return Times(time(first), time((first + LEARNED) % _DAY), UTC, "UTC, by what learners do")
