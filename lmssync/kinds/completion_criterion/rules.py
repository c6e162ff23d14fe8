"""What must hold in one completion criterion (spec 2.3)."""

from collections.abc import Iterator

from ...problems import Finding, Rule
from ..references import is_uuid
from .combinations import BY_TYPE
from .spec import NEEDS, CriterionSpec

CRITERION_NEEDS = Rule(
    "criterion-needs",
    "The rule of completion needs a field that is missing.",
    "See the [rules of completion](manifests.md#rules-of-completion).",
    source="spec 2.3",
    within="a completion criterion",
    wrong="type: articleTimeViewedInSeconds",
    right="type: articleTimeViewedInSeconds\nseconds: 300",
)
CRITERION_FIELD = Rule(
    "criterion-field",
    "The rule of completion has a field that belongs to another rule.",
    "Delete it.",
    source="spec 2.3",
    within="a completion criterion",
    wrong="type: coursePercentViewed\npercent: 80\nseconds: 300",
    right="type: coursePercentViewed\npercent: 80",
)
TOPIC_OUTSIDE = Rule(
    "topic-outside",
    "A criterion names a topic by path in a course that is not in the catalog.",
    "Name the topic by its uuid.",
)


def check_needed_fields(criterion: CriterionSpec) -> Iterator[Finding]:
    """Each type takes its own fields and no others (spec 2.3)."""
    for field in BY_TYPE.missing_fields(criterion):
        message = f"a {criterion.type} criterion needs `{field}`"
        yield CRITERION_NEEDS.at((), message, f"add `{field}`")
    for field in BY_TYPE.stray_fields(criterion):
        message = f"`{field}` does not belong to a {criterion.type} criterion"
        hint = f"it takes: {', '.join(sorted(NEEDS[criterion.type]))}"
        yield CRITERION_FIELD.at((field,), message, hint)


def check_outside_topic(criterion: CriterionSpec) -> Iterator[Finding]:
    """The parts of a course that is not in the catalog have no names here."""
    topic = criterion.topic
    if topic is not None and is_uuid(criterion.course) and not is_uuid(topic):
        message = f"`{topic}` is a path, but only topics of a course in the catalog have paths"
        yield TOPIC_OUTSIDE.at(("topic",), message)
