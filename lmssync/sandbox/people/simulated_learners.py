"""Simulated learners of every client: which licenses they hold and how far they got, for demos.

The same parameters on the same platform give the same learners: what is drawn comes from the seed,
ids from the platform, and the last day is the one before today by the platform's clock unless the
parameters name another. It is history: feeds show it, but it is not pushed.
"""

import math
from collections import Counter
from collections.abc import Set
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import NamedTuple

from ...vocabulary.enums import SessionStatus, TopicType
from ...vocabulary.iso_dates import format_timestamp
from ..data.course_tables import list_children
from ..data.object_documents import Level
from ..data.object_kinds import make_blank
from ..sandbox_documents import Doc
from ..sandbox_platform import Platform
from .enrollments import Reason, Source
from .license_effects import Reach, seats_used
from .simulated_history import DAY, Content, Enrollment, PathEnrollment, Writer, simulate_history

FIRST = (
    "Ada", "Ahmed", "Aisha", "Alma", "Amir", "Anna", "Ayo", "Bela", "Bruno", "Camille", "Chen",
    "Clara", "David", "Deniz", "Elena", "Emeka", "Eva", "Farah", "Felix", "Grace", "Hana", "Henrik",
    "Imani", "Ivan", "Jana", "Jonas", "Julia", "Kofi", "Lara", "Leo", "Lin", "Luca", "Maja",
    "Marta", "Mateo", "Mia", "Milan", "Nina", "Noah", "Nora", "Olga", "Omar", "Pablo", "Priya",
    "Rafael", "Rana", "Rosa", "Samir", "Sara", "Sofia", "Tariq", "Tess", "Thomas", "Uma", "Viktor",
    "Wanda", "Yara", "Yuki", "Zeynep", "Zoltan",
)  # fmt: skip
LAST = (
    "Adeyemi", "Ali", "Andersen", "Baker", "Bauer", "Bianchi", "Carter", "Costa", "Diaz", "Dubois",
    "Eriksen", "Evans", "Fischer", "Fontaine", "Garcia", "Green", "Haas", "Hansen", "Hughes", "Ito",
    "Ivanov", "Jansen", "Jones", "Kaya", "Khan", "Kim", "Kowalski", "Kumar", "Larsen", "Lehmann",
    "Lopez", "Marino", "Mensah", "Meyer", "Moreau", "Nagy", "Ncube", "Nguyen", "Novak", "Okafor",
    "Olsen", "Patel", "Petrov", "Popescu", "Reid", "Rossi", "Santos", "Sato", "Schmidt", "Silva",
    "Singh", "Suzuki", "Tanaka", "Torres", "Varga", "Vogel", "Walker", "Weber", "Wright", "Yilmaz",
)  # fmt: skip
SITES = ("North", "South", "Head office", "Field")


class Person(NamedTuple):
    """Who learns, and how: `diligence` runs from 0 to 1."""

    number: int
    first: str
    last: str
    site: str
    diligence: float


def draw_person(random: Random, number: int) -> Person:
    first, last, site = (random.choice(names) for names in (FIRST, LAST, SITES))
    return Person(number, first, last, site, random.betavariate(4, 2))


def make_account(someone: Person, client: Doc | None) -> Doc:
    """The fields of the profile that are known of somebody before anything happens.

    The number makes the address unlike any other.
    """
    where = client["slug"] if client else "example"
    address = f"{someone.first}.{someone.last}.{someone.number}@{where}.example"
    return {
        "clientId": client["id"] if client else None,
        "roleKey": "student",
        "email": address.lower(),
        "firstName": someone.first,
        "lastName": someone.last,
        "externalCustomerId": f"L-{someone.number:06}",
        "language": (client or {}).get("defaultLanguage") or "en",
        "ref1": someone.site,
    }


_CHANCE_OF_MORE = 0.35
"""That a learner holds a license besides the client's default."""


@dataclass
class Client:
    """A client; `left` counts the seats of its licenses, infinite where they have no limit."""

    doc: Doc
    licenses: list[Doc]
    left: dict[str, float]

    @property
    def ids(self) -> set[str]:
        """Its own, and those of its licenses."""
        return {self.doc["id"], *self.left}

    def count_seats(self, ids: Set[str]) -> float:
        """How many more learners can have all licenses of those that are named."""
        return min((left for id_, left in self.left.items() if id_ in ids), default=float("inf"))

    def take_seats(self, random: Random, ids: Set[str]) -> list[Doc]:
        """The licenses that one more learner gets, with those that are named; their seats are
        taken."""
        taken = []
        for license_ in self.licenses:
            if not self.left[license_["id"]]:
                continue
            drawn = random.random()  # for each, so that one more does not change the others
            if license_.get("isDefault") or license_["id"] in ids or drawn < _CHANCE_OF_MORE:
                self.left[license_["id"]] -= 1
                taken.append(license_)
        return taken


def clients_of(platform: Platform, *, moment: str) -> list[Client]:
    """The clients that are not disabled, oldest first, with the licenses not over at `moment`."""
    docs = platform.objects.list_objects("clients")
    return [_make_client(platform, doc, moment) for doc in docs if not doc["disabled"]]


def choose_clients(clients: list[Client], ids: Set[str]) -> list[Client]:
    """The clients that are named themselves or by a license; all where none is."""
    return [one for one in clients if one.ids & ids] or clients


def _make_client(platform: Platform, doc: Doc, moment: str) -> Client:
    used = seats_used(platform, doc["id"])
    owned = platform.objects.list_owned("licenses", doc["id"])
    licenses = [one for one in owned if (one.get("expirationDate") or moment) >= moment]
    limits = {one["id"]: one.get("seatsLimit") or float("inf") for one in licenses}
    return Client(doc, licenses, {id_: max(limits[id_] - used[id_], 0) for id_ in limits})


COURSES_MOST = 12
"""Courses of one learner: a license that leads to all of a large catalog stays bearable."""


class Parameters(NamedTuple):
    """How many learners, drawn from which seed, active in the `days` before `until` (seconds)."""

    n: int
    seed: int
    days: int
    until: float
    ids: Set[str] = frozenset()
    """Courses in which each of them learns, licenses that each holds, clients they belong to."""

    @property
    def first_day(self) -> float:
        return self.until - self.days * DAY


def midnight_of(now: float) -> float:
    """The beginning of the day of `now`, in UTC."""
    return math.floor(now / DAY) * DAY


class Simulation:
    """Makes the learners, inside a change of the store."""

    def __init__(self, platform: Platform, parameters: Parameters) -> None:
        self._platform, self._parameters = platform, parameters
        self._random = Random(parameters.seed)  # noqa: S311 - it must repeat
        self._reach = Reach(platform)
        clients = clients_of(platform, moment=format_timestamp(parameters.until))
        self._clients = choose_clients(clients, parameters.ids)
        self._access_days: dict[str, int | None] = {
            one["id"]: one.get("accessDays") for client in clients for one in client.licenses
        }
        self._content_of = cache(lambda id_: _content_of(platform.courses.find_course_of(id_)))
        self._writer = Writer(platform)
        courses = platform.courses.list_documents()
        self._open = [course["id"] for course in courses if is_open(course)]
        self._chosen = sorted(id_ for id_ in parameters.ids if platform.courses.has_id(id_))

    def run_simulation(self) -> Counter[str]:
        """How many documents of each kind were made."""
        first = len(self._platform.objects.list_objects("users")) + 1
        for number in range(first, first + self._parameters.n):
            self._simulate_learner(draw_person(self._random, number))
        return self._writer.write_events()

    def _simulate_learner(self, learner: Person) -> None:
        parameters = self._parameters
        clients = [one for one in self._clients if one.count_seats(parameters.ids)]
        client = self._random.choice(clients) if clients else None
        licenses = client.take_seats(self._random, parameters.ids) if client else []
        joined = parameters.first_day + self._random.betavariate(1, 2) * parameters.days * DAY
        enrollments = self._draw_enrollments(learner, self._draw_reasons(licenses), joined=joined)
        user = {
            **make_blank("users", format_timestamp(joined)),
            **make_account(learner, client.doc if client else None),
            "lastActiveAt": format_timestamp(
                max([joined, *(one.history.last_moment for one in enrollments)])
            ),
            "allocatedLicenses": [{"licenseId": one["id"]} for one in licenses],
        }
        self._writer.write_learner(
            user, enrollments, self._draw_path_enrollments(licenses, enrollments, joined=joined)
        )

    def _draw_reasons(self, licenses: list[Doc]) -> dict[str, Reason]:
        """The courses of a learner: those that are named and those of the licenses, or else a few
        that are open to all."""
        reasons: dict[str, Reason] = {}
        for license_ in licenses:
            for course_id, reason in self._reach.courses(license_["id"]).items():
                reasons.setdefault(course_id, reason)
        for course_id in self._chosen:
            reasons.setdefault(course_id, Reason(Source.DIRECT))
        if not licenses and not self._chosen:
            some = self._random.sample(self._open, min(len(self._open), self._random.randint(1, 3)))
            reasons = dict.fromkeys(some, Reason(Source.DIRECT))
        if len(reasons) <= COURSES_MOST:
            return reasons
        kept = {*self._random.sample(list(reasons), COURSES_MOST), *self._chosen}
        return {course_id: reason for course_id, reason in reasons.items() if course_id in kept}

    def _draw_enrollments(
        self, learner: Person, reasons: dict[str, Reason], *, joined: float
    ) -> list[Enrollment]:
        enrollments = []
        for course_id, reason in reasons.items():
            if content := self._content_of(course_id):
                history = simulate_history(
                    self._random,
                    content,
                    diligence=learner.diligence,
                    enrolled=self._draw_enrollment_moment(joined, reason),
                    end=self._parameters.until,
                )
                enrollments.append(Enrollment(content, reason, history))
        return enrollments

    def _draw_enrollment_moment(self, joined: float, reason: Reason) -> float:
        """Most are enrolled at once, some later; access for some days has not expired."""
        later = self._random.betavariate(1, 5) * (self._parameters.until - joined)
        days = self._access_days.get(reason.license_id or "")
        return max(joined + later, self._parameters.until - days * DAY) if days else joined + later

    def _draw_path_enrollments(
        self, licenses: list[Doc], enrollments: list[Enrollment], *, joined: float
    ) -> list[PathEnrollment]:
        """The learning paths of the licenses, and how far the learner is on each."""
        histories = {one.content.course["id"]: one.history for one in enrollments}
        paths: dict[str, PathEnrollment] = {}
        for license_ in licenses:
            for path_id in self._reach.license_paths(license_["id"]):
                courses = self._reach.path_courses(path_id)
                of_path = tuple(histories[one] for one in courses if one in histories)
                paths.setdefault(path_id, PathEnrollment(path_id, license_["id"], joined, of_path))
        return list(paths.values())


def is_open(course: Doc) -> bool:
    return bool(course["status"] == SessionStatus.PUBLISHED)


def _content_of(course: Doc | None) -> Content | None:
    if course is None:
        return None
    topics = [topic for _, topic in list_children(course, Level.TOPIC)]

    def topics_of_types(*types: TopicType) -> tuple[Doc, ...]:
        return tuple(topic for topic in topics if topic["type"] in types)

    assessments = topics_of_types(TopicType.QUIZ, TopicType.TEST)
    return Content(
        course,
        open=is_open(course),
        certified=bool(assessments or course["criteria"]),
        assessments=assessments,
        assignments=topics_of_types(TopicType.ASSIGNMENT),
        packages=topics_of_types(TopicType.SHAREABLE_CONTENT_OBJECT, TopicType.X_API_OBJECT),
    )
