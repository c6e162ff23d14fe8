"""The context of a plan: its environment, the decisions, and the data that it is based on."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence, Set
from types import MappingProxyType
from typing import NamedTuple

from ...kind import FormChange, Ids, Subject, SubjectKind
from ...learners.events import Audience, LearnerIndex
from ...platform.live import Holder
from ...resource import Address, Form
from ...settings import Platform
from ...state import Proof
from ...support.decisions import NONE, Decisions, Limits
from ...vocabulary.routes import CORE_ROUTES

NOBODY = Audience()
WEEK = 7


class Learners(NamedTuple):
    """The learners on the platform, as far as they are known."""

    ids_of: Callable[[Address], Ids | None]
    known: LearnerIndex | None = None
    """None where no events were pulled."""

    def audience(self, subjects: Iterable[Subject]) -> Audience | None:
        """The audience of the course or, of several licenses, of the one with most learners."""
        wanted = [one for one in subjects if one.kind is not SubjectKind.TOPIC]
        known = [audience for one in wanted if (audience := self._audience_of(one)) is not None]
        return max(known, key=lambda audience: audience.enrolled, default=None)

    def may_have_met(self, subjects: Iterable[Subject]) -> bool:
        """True if learners may have met what a change is about: it is on the platform."""
        return any(map(self._id_of, subjects))

    def count_past(self, subjects: Iterable[Subject]) -> Sequence[int]:
        """For each topic, how many learners are past it: they have passed it or handed it in."""
        topics = (self._audience_of(one) for one in subjects if one.kind is SubjectKind.TOPIC)
        return [topic.finished for topic in topics if topic is not None]

    def count_buyers(self, subjects: Iterable[Subject]) -> int:
        """How many learners have bought the course in the last week."""
        if self.known is None:
            return 0
        courses = (self._id_of(one) for one in subjects if one.kind is SubjectKind.COURSE)
        return sum(self.known.count_purchases(id_, days=WEEK) for id_ in courses if id_)

    def _audience_of(self, subject: Subject) -> Audience | None:
        """The audience of one subject; None if it is unknown."""
        id_ = self._id_of(subject)
        if not id_:
            # Nobody is in something that is not made yet.
            return NOBODY
        if self.known is None:
            return None
        ask = {
            SubjectKind.COURSE: self.known.course_audience,
            SubjectKind.TOPIC: self.known.topic_audience,
            SubjectKind.LICENSE: self.known.license_audience,
        }
        return ask[subject.kind](id_)

    def _id_of(self, subject: Subject) -> str:
        """The id of the subject on the platform; empty for one that is not made yet."""
        address = subject.address
        if address is None:
            return str(subject.node)
        ids = self.ids_of(address)
        if ids is None:
            return ""
        part = subject.node.get("part")
        return ids.own.get(subject.node["id"], "") if part is None else ids.parts.get(part, "")


class Extent(NamedTuple):
    """How much of the catalog and the state a plan is about."""

    limits: Limits = Limits()
    covers: Callable[[Address], bool] = lambda _address: True
    left_out: Set[Address] = frozenset()
    """The addresses that differ and are not in the plan."""
    excluded: Set[Address] = frozenset()


class PlanContext(NamedTuple):
    """Where a plan is made for, and what somebody has allowed it to do."""

    environment: str
    base_url: str
    platform: Platform
    decided: Decisions = NONE
    knows: Callable[[str], bool] = lambda _code: True
    """Whether the person behind a code can be named to the platform."""
    commit: str = ""
    planning: Mapping[str, int] = MappingProxyType({})
    """Reads that were made for it, by route."""

    proofs: Iterable[Proof] = ()
    """The proofs that those reads have given."""
    extent: Extent = Extent()

    learners: LearnerIndex | None = None
    """The index of learners; None where no events were pulled."""
    accounts: Sequence[Holder] | None = None
    """The accounts with the licenses they have, where these were read."""
    currency: str = ""
    """The currency of prices."""
    confirming: bool = False
    """The plan is made to see which manual steps are open: `--allow` makes no call of them."""
    recovered: bool = False
    """The run has just looked for what open calls have done: only people can say more."""


class PlanState(NamedTuple):
    """The state that a plan begins with."""

    recorded: Mapping[Address, str]
    """Fingerprints of everything that exists."""
    waiting: Set[Address]
    """Addresses of open calls."""
    findable: Set[Address]
    """Of these, those that the next apply may settle by itself."""
    parts_of: Callable[[Address], Mapping[str, str]]
    """Recorded parts by address: a callable, so that few records are opened."""
    protected: Set[Address] = frozenset()
    """The addresses that the last apply recorded as protected."""
    allowed: Set[Address] = frozenset()
    """Named by `--allow`: it may be changed though it is protected, or replaced, or created though
    a look cannot tell whether it exists."""
    recreate: Set[Address] = frozenset()
    """The addresses that are made again where somebody has deleted them by hand."""
    knows: Callable[[str], bool] = lambda _code: True
    """Whether the person behind a code can be named to the platform."""
    routes: Set[str] = CORE_ROUTES
    """The routes that the instance has."""
    permitted: Set[Address] = frozenset()
    """Of `allowed`, what a kind may do to it what it does only on demand."""
    left_out: Set[Address] = frozenset()
    """The resources that are not recorded under their address yet, and will not be by this plan."""
    learners: Learners = Learners(lambda _address: None)

    def change(
        self, address: Address, before: Form, after: Form, others: Collection[str] = ()
    ) -> FormChange:
        """The question to a kind about a change; `others` are the fields left to others."""
        return FormChange(address, before, after, self.routes, address in self.permitted, others)


class Blocker(NamedTuple):
    """Why something is blocked, and the guard that the author can lift."""

    reason: str
    guard: str = ""
