"""Journeys: what one learner does in one course, drawn and not written; it knows no platform."""

from random import Random
from typing import Any, NamedTuple

Doc = dict[str, Any]

DAY = 86_400.0
HOUR = 3_600.0
PASS_MARK = 70
TRIES = 3
NEARLY = 95
"""Percent of a course that was seen to its end and is not completed."""


class Content(NamedTuple):
    """What matters of a course: its topics that are tested, handed in or packaged."""

    course: Doc
    open: bool
    """Whether it can be started: a draft cannot."""
    certified: bool
    assessments: tuple[Doc, ...] = ()
    assignments: tuple[Doc, ...] = ()
    packages: tuple[Doc, ...] = ()


class Sitting(NamedTuple):
    """A visit to the course: when it ended, and how much was seen by then."""

    at: float
    percent: int


class Try(NamedTuple):
    """An attempt at an assessment, or the handing in of an assignment."""

    at: float
    topic: Doc
    grade: int

    @property
    def passed(self) -> bool:
        return self.grade >= PASS_MARK


class Journey(NamedTuple):
    """Everything in the order of time; seconds since 1970."""

    enrolled: float
    started: float | None = None
    sittings: tuple[Sitting, ...] = ()
    tries: tuple[Try, ...] = ()
    handed_in: tuple[Try, ...] = ()
    completed: float | None = None

    @property
    def percent(self) -> int:
        if self.completed is not None:
            return 100
        return min(self.sittings[-1].percent, NEARLY) if self.sittings else 0

    @property
    def last(self) -> float:
        """When anything happened last."""
        tests = (one.at for one in (*self.tries, *self.handed_in))
        return max(self.enrolled, self.started or 0.0, *tests, *(one.at for one in self.sittings))


def travel(
    random: Random, content: Content, *, diligence: float, enrolled: float, end: float
) -> Journey:
    """How far somebody gets in a course before `end`."""
    started = enrolled + random.expovariate(1 / (6 * DAY * (1.3 - diligence)))
    willing = random.random() < 0.5 + diligence / 2
    if not content.open or not willing or started >= end:
        return Journey(enrolled)
    sittings = _sittings(random, started, diligence=diligence, end=end)
    at_end = sittings and sittings[-1].percent == 100  # noqa: PLR2004 - percent
    if not at_end:
        return Journey(enrolled, started, sittings)
    tries = _tries(random, content.assessments, sittings[-1].at, diligence=diligence, end=end)
    after = max([sittings[-1].at, *(one.at for one in tries)])
    handed_in = _handed_in(random, content.assignments, after, end=end)
    passed = {one.topic["id"] for one in tries if one.passed}
    whole = len(passed) == len(content.assessments) and len(handed_in) == len(content.assignments)
    made = Journey(enrolled, started, sittings, tries, handed_in)
    return made._replace(completed=made.last) if whole else made


def _sittings(
    random: Random, started: float, *, diligence: float, end: float
) -> tuple[Sitting, ...]:
    """The visits until the course is seen to its end, interest is lost or time is up."""
    planned, at = random.randint(2, 5), started
    found = []
    for number in range(1, planned + 1):
        at += random.expovariate(1 / (0.2 * DAY if number == 1 else 2.5 * DAY))
        bored = random.random() < 0.14 * (1.4 - diligence)
        if at >= end or bored:
            break
        found.append(Sitting(at, round(100 * number / planned)))
    return tuple(found)


def _tries(
    random: Random, topics: tuple[Doc, ...], at: float, *, diligence: float, end: float
) -> tuple[Try, ...]:
    """Every assessment until it is passed, at most `TRIES` times."""
    found: list[Try] = []
    for topic in topics:
        for number in range(TRIES):
            at += random.expovariate(1 / (0.3 * HOUR if number == 0 else 9 * HOUR))
            grade = round(random.gauss(56 + 32 * diligence + 7 * number, 13))
            if at >= end:
                return tuple(found)
            found.append(Try(at, topic, min(max(grade, 0), 100)))
            if found[-1].passed:
                break
    return tuple(found)


def _handed_in(
    random: Random, topics: tuple[Doc, ...], at: float, *, end: float
) -> tuple[Try, ...]:
    found = []
    for topic in topics:
        at += random.expovariate(1 / (20 * HOUR))
        grade = random.randint(55, 100)
        if at < end:
            found.append(Try(at, topic, grade))
    return tuple(found)
