"""Checks whether the rules of completion of one course can be told apart (spec 2.3)."""

from collections.abc import Iterator

from ...kind import Groups, Resources
from ...problems import Finding, Rule
from ...resource import Resource
from ...vocabulary.enums import TOPIC_CRITERIA, CriterionType
from ..siblings import find_lookalikes

CRITERION_TWICE = Rule(
    "criterion-twice",
    "A course has two rules of completion of one type about the same thing. It is not known "
    "which of them applies.",
    "Keep one of them.",
    fixed=False,
    source="spec 2.3",
)


def told_apart(groups: Groups, _catalog: Resources) -> Iterator[tuple[Resource, Finding]]:
    """One rule of each type for a course: the platform keeps both and does not say which holds."""
    for criterion, first in find_lookalikes(groups, _topic_of):
        message = (
            f"{first.address} is a {criterion.facts['type']} rule about the same thing: "
            "it is not known which of the two applies"
        )
        yield criterion, CRITERION_TWICE.at(("type",), message)


def _topic_of(criterion: Resource) -> tuple[str, str] | None:
    """The topic that it is about; None if it lacks the topic that its type needs."""
    kind, topic = criterion.facts["type"], criterion.facts.get("topic", "")
    needs_topic = kind in TOPIC_CRITERIA or kind == CriterionType.VIDEO_PERCENT_VIEWED
    return (kind, topic) if topic or not needs_topic else None


GROUP_RULES = (told_apart,)
