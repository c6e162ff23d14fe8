"""Filling: learners of every client, which licenses they hold and how far they got, drawn.

The same wish on the same platform gives the same learners: what is drawn comes from the seed, ids
from the platform, and the last day is the one before today by the platform's clock unless the
wish names another. It is history: feeds show it, but it is not pushed.
"""

import math
from collections import Counter
from random import Random
from typing import Any, NamedTuple

from lmssync.vocabulary.enums import SessionStatus, TopicType

from ..clock import stamp_of
from ..data.blanks import blank
from ..data.courses import children
from ..data.ids import Level
from ..people.learners import Reason, Source
from ..people.reach import Reach
from ..platform import Platform
from .homes import Home, homes
from .journeys import DAY, Content, travel
from .people import Person, account, person
from .writing import Stay, Visit, Writer

Doc = dict[str, Any]

COURSES_MOST = 12
"""Courses of one learner: a license that leads to all of a large catalog stays bearable."""


class Wish(NamedTuple):
    """How many learners, drawn from which seed, active in the `days` before `until` (seconds)."""

    n: int
    seed: int
    days: int
    until: float

    @property
    def begin(self) -> float:
        return self.until - self.days * DAY


def midnight(now: float) -> float:
    """The beginning of the day of `now`, in UTC."""
    return math.floor(now / DAY) * DAY


def fill(platform: Platform, wish: Wish) -> Counter[str]:
    """Make the learners, inside a change of the store; how many documents of each kind."""
    return _Filling(platform, wish).run()


class _Filling:
    def __init__(self, platform: Platform, wish: Wish) -> None:
        self._platform, self._wish = platform, wish
        self._random = Random(wish.seed)  # noqa: S311 - it must repeat
        self._reach = Reach(platform)
        self._homes = homes(platform, moment=stamp_of(wish.until))
        self._access_days: dict[str, int | None] = {
            one["id"]: one.get("accessDays") for home in self._homes for one in home.licenses
        }
        self._contents: dict[str, Content | None] = {}
        self._writer = Writer(platform)
        self._open = [course["id"] for course in platform.courses.all() if _is_open(course)]

    def run(self) -> Counter[str]:
        first = len(self._platform.objects.all("users")) + 1
        for number in range(first, first + self._wish.n):
            self._learner(person(self._random, number))
        return self._writer.finish()

    def _learner(self, someone: Person) -> None:
        home = self._random.choice(self._homes) if self._homes else None
        licenses = home.take(self._random) if home else []
        joined = self._wish.begin + self._random.betavariate(1, 2) * self._wish.days * DAY
        visits = self._visits(someone, self._reasons(licenses), joined=joined)
        stays = self._stays(licenses, visits, joined=joined)
        user = self._account(someone, home, licenses, joined=joined, visits=visits)
        self._writer.write(user, visits, stays)

    def _account(
        self,
        someone: Person,
        home: Home | None,
        licenses: list[Doc],
        *,
        joined: float,
        visits: list[Visit],
    ) -> Doc:
        last = max((visit.journey.last for visit in visits), default=joined)
        return {
            **blank("users", stamp_of(joined)),
            **account(someone, home.client if home else None),
            "lastActiveAt": stamp_of(last),
            "allocatedLicenses": [{"licenseId": one["id"]} for one in licenses],
        }

    def _reasons(self, licenses: list[Doc]) -> dict[str, Reason]:
        """The courses of a learner: those of the licenses, or else a few that are open to all."""
        reasons: dict[str, Reason] = {}
        for license_ in licenses:
            for course_id, reason in self._reach.courses(license_["id"]).items():
                reasons.setdefault(course_id, reason)
        if not licenses:
            some = self._random.sample(self._open, min(len(self._open), self._random.randint(1, 3)))
            reasons = dict.fromkeys(some, Reason(Source.DIRECT))
        if len(reasons) <= COURSES_MOST:
            return reasons
        kept = set(self._random.sample(list(reasons), COURSES_MOST))
        return {course_id: reason for course_id, reason in reasons.items() if course_id in kept}

    def _visits(self, someone: Person, reasons: dict[str, Reason], *, joined: float) -> list[Visit]:
        visits = []
        for course_id, reason in reasons.items():
            content = self._content(course_id)
            if content is None:
                continue
            journey = travel(
                self._random,
                content,
                diligence=someone.diligence,
                enrolled=self._enrolled(joined, reason),
                end=self._wish.until,
            )
            visits.append(Visit(content, reason, journey))
        return visits

    def _enrolled(self, joined: float, reason: Reason) -> float:
        """Most are enrolled at once, some later; access for some days has not expired."""
        later = self._random.betavariate(1, 5) * (self._wish.until - joined)
        days = self._access_days.get(reason.license_id or "")
        return max(joined + later, self._wish.until - days * DAY) if days else joined + later

    def _content(self, course_id: str) -> Content | None:
        if course_id not in self._contents:
            course = self._platform.courses.by_id(course_id)
            self._contents[course_id] = content_of(course) if course else None
        return self._contents[course_id]

    def _stays(self, licenses: list[Doc], visits: list[Visit], *, joined: float) -> list[Stay]:
        """The learning paths of the licenses, and how far the learner is on each."""
        at = {visit.content.course["id"]: visit.journey for visit in visits}
        stays: dict[str, Stay] = {}
        for license_ in licenses:
            for path_id in self._reach.paths(license_["id"]):
                journeys = [at[one] for one in self._reach.path_courses(path_id) if one in at]
                stays.setdefault(path_id, Stay(path_id, license_["id"], joined, tuple(journeys)))
        return list(stays.values())


def _is_open(course: Doc) -> bool:
    return bool(course["status"] == SessionStatus.PUBLISHED)


def content_of(course: Doc) -> Content:
    topics = [topic for _, topic in children(course, Level.TOPIC)]

    def of(*types: TopicType) -> tuple[Doc, ...]:
        return tuple(topic for topic in topics if topic["type"] in types)

    assessments = of(TopicType.QUIZ, TopicType.TEST)
    return Content(
        course,
        open=_is_open(course),
        certified=bool(assessments or course["criteria"]),
        assessments=assessments,
        assignments=of(TopicType.ASSIGNMENT),
        packages=of(TopicType.SHAREABLE_CONTENT_OBJECT, TopicType.X_API_OBJECT),
    )
