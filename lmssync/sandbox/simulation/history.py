"""What one learner does in one course, drawn and not written; it knows no platform."""

from random import Random
from typing import NamedTuple

from ..documents import Doc

DAY = 86_400.0
HOUR = 3_600.0
PASS_MARK = 70
ATTEMPTS_MOST = 3
NEARLY, WHOLE = 95, 100
"""Percent of a course that was seen to its end: not completed, and completed."""


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


class Graded(NamedTuple):
    """An attempt at an assessment, or the submission of an assignment."""

    at: float
    topic: Doc
    grade: int

    @property
    def has_passed(self) -> bool:
        return self.grade >= PASS_MARK


class History(NamedTuple):
    """Everything in the order of time; seconds since 1970."""

    enrolled: float
    started: float | None = None
    sittings: tuple[Sitting, ...] = ()
    attempts: tuple[Graded, ...] = ()
    submissions: tuple[Graded, ...] = ()
    completed: float | None = None

    @property
    def percent_viewed(self) -> int:
        if self.completed is not None:
            return WHOLE
        return min(self.sittings[-1].percent, NEARLY) if self.sittings else 0

    @property
    def last_moment(self) -> float:
        """When anything happened last."""
        graded = (one.at for one in (*self.attempts, *self.submissions))
        return max(self.enrolled, self.started or 0, *graded, *(one.at for one in self.sittings))


def simulate_history(
    random: Random, content: Content, *, diligence: float, enrolled: float, end: float
) -> History:
    """How far somebody gets in a course before `end`."""
    started = enrolled + random.expovariate(1 / (6 * DAY * (1.3 - diligence)))
    is_willing = random.random() < 0.5 + diligence / 2
    if not content.open or not is_willing or started >= end:
        return History(enrolled)
    history = History(
        enrolled, started, _draw_sittings(random, started, diligence=diligence, end=end)
    )
    if not history.sittings or history.sittings[-1].percent < WHOLE:
        return history
    attempts = _draw_attempts(
        random, content.assessments, history.last_moment, diligence=diligence, end=end
    )
    history = history._replace(attempts=attempts)
    submissions = _draw_submissions(random, content.assignments, history.last_moment, end=end)
    history = history._replace(submissions=submissions)
    passed = {attempt.topic["id"] for attempt in attempts if attempt.has_passed}
    done = (len(passed), len(submissions)) == (len(content.assessments), len(content.assignments))
    return history._replace(completed=history.last_moment) if done else history


def _draw_sittings(
    random: Random, at: float, *, diligence: float, end: float
) -> tuple[Sitting, ...]:
    """The visits until the course is seen to its end, interest is lost or time is up."""
    planned = random.randint(2, 5)
    sittings = []
    for number in range(1, planned + 1):
        at += random.expovariate(1 / (0.2 * DAY if number == 1 else 2.5 * DAY))
        gives_up = random.random() < 0.14 * (1.4 - diligence)
        if at >= end or gives_up:
            break
        sittings.append(Sitting(at, round(100 * number / planned)))
    return tuple(sittings)


def _draw_attempts(
    random: Random, topics: tuple[Doc, ...], at: float, *, diligence: float, end: float
) -> tuple[Graded, ...]:
    """Every assessment until it is passed, at most `ATTEMPTS_MOST` times."""
    attempts: list[Graded] = []
    for topic in topics:
        for number in range(ATTEMPTS_MOST):
            at += random.expovariate(1 / (0.3 * HOUR if number == 0 else 9 * HOUR))
            grade = round(random.gauss(56 + 32 * diligence + 7 * number, 13))
            if at >= end:
                return tuple(attempts)
            attempts.append(Graded(at, topic, min(max(grade, 0), 100)))
            if attempts[-1].has_passed:
                break
    return tuple(attempts)


def _draw_submissions(
    random: Random, topics: tuple[Doc, ...], at: float, *, end: float
) -> tuple[Graded, ...]:
    submissions = []
    for topic in topics:
        at += random.expovariate(1 / (20 * HOUR))
        grade = random.randint(55, 100)
        if at < end:
            submissions.append(Graded(at, topic, grade))
    return tuple(submissions)
