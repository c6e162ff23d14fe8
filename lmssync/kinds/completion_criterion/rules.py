"""What must hold in one completion criterion (spec 2.3)."""

from collections.abc import Iterator

from ...problems import Finding
from ..references import is_uuid
from .spec import NEEDS, CriterionSpec


def needs(criterion: CriterionSpec) -> Iterator[Finding]:
    """Each type takes its own fields and no others (spec 2.3)."""
    wanted = NEEDS[criterion.type]
    for field in ("percent", "seconds", "topic"):
        given = getattr(criterion, field) is not None
        if field in wanted and not given:
            yield Finding(
                "criterion-needs",
                (),
                f"a {criterion.type} criterion needs `{field}`",
                f"add `{field}`",
            )
        if given and field not in wanted:
            yield Finding(
                "criterion-field",
                (field,),
                f"`{field}` does not belong to a {criterion.type} criterion",
                f"it takes: {', '.join(sorted(wanted))}",
            )


def outside(criterion: CriterionSpec) -> Iterator[Finding]:
    """The parts of a course that is not in the catalog have no names here."""
    topic = criterion.topic
    if topic is not None and is_uuid(criterion.course) and not is_uuid(topic):
        yield Finding(
            "topic-outside",
            ("topic",),
            f"`{topic}` is a path, but only topics of a course in the catalog have paths",
            "name the topic by its uuid",
        )
