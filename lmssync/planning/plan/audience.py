"""How many learners a change concerns, by the index of what they did."""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from ...kind import Ids, Subject, SubjectKind
from ...learners.events import Audience, LearnerIndex
from ...resource import Address

NOBODY = Audience()
WEEK = 7


class Learners(NamedTuple):
    """What is known of the learners on the platform."""

    ids_of: Callable[[Address], Ids | None]
    known: LearnerIndex | None = None
    """None where no events were pulled."""

    def audience(self, subjects: Iterable[Subject]) -> Audience | None:
        """Of the course or, of several licenses, of the one with the most learners."""
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
        """None if it is unknown; nobody is in something that is not made yet."""
        id_ = self._id_of(subject)
        if not id_:
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
        """Its id on the platform; empty for what is not made yet."""
        address = subject.address
        if address is None:
            return str(subject.node)
        ids = self.ids_of(address)
        if ids is None:
            return ""
        part = subject.node.get("part")
        return ids.own.get(subject.node["id"], "") if part is None else ids.parts.get(part, "")
