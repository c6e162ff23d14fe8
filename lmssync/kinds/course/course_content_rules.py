"""Checks whether a course has content that is filled or attested, and whether its parts can be
told apart."""

from collections.abc import Iterator, Sequence
from typing import Any

from ...problems import Finding, Rule, warning_rule
from ...vocabulary.enums import CourseKind, TopicType
from ..sibling_names import find_repeated, part_names
from .course_manifest import CourseSpec, Topic
from .course_relations import goes_live, made_empty

NO_CONTENT = warning_rule(
    "no-content",
    "The course has no content. The platform accepts that, but learners would find nothing.",
    "Add the field that the message names.",
    wrong="sections: []",
    right="sections:\n  - {title: Start, lessons: []}",
)
EMPTY_PART = warning_rule(
    "empty-part",
    "A section has no lessons, or a lesson no topics.",
    "Add some, or take the part out until there are some.",
    within="a lesson",
    wrong="topics: []",
    right="topics:\n  - {title: One, type: quiz}",
)
HOLLOW_CONTENT = warning_rule(
    "hollow-content",
    "A published course has pages that are created empty and are not attested as filled.",
    "Keep the course a draft until they are filled, then add `attested` to each.",
    source="spec 2.2",
)
ATTESTED_CONTENT = warning_rule(
    "attested-content",
    "A topic is attested although its content is in the manifest, or it needs none.",
    "Delete `attested`.",
    source="spec 2.2",
    within="a topic",
    wrong="type: text\nmarkdown: Hi.\nattested: {by: Ann, on: 2027-01-31}",
    right="type: quiz\nattested: {by: Ann, on: 2027-01-31}",
)
ID_TWICE = Rule(
    "id-twice",
    "Two siblings have the same `id`.",
    "Change one of them.",
    within="a lesson",
    wrong="topics:\n  - {id: a, title: One, type: quiz}\n  - {id: a, title: Two, type: quiz}",
    right="topics:\n  - {id: a, title: One, type: quiz}\n  - {id: b, title: Two, type: quiz}",
)
PART_ID = warning_rule(
    "part-id",
    "A section, lesson or topic of a course that goes live has no `id`, so its title is its "
    "name. With another title it would become a new part, and what learners did in the old "
    "one would be lost.",
    "Run `lmssync fmt --ids`: it writes the ids that the parts have already; `--short-ids` writes "
    "shorter ones. After that a title may change.",
    source="O11",
    wrong="status: published\nsections:\n  - {title: Start, lessons: []}",
    right="status: published\nsections:\n  - {id: start, title: Start, lessons: []}",
)
TITLE_TWICE = warning_rule(
    "title-twice",
    "Two siblings have the same title; only their order tells them apart on the platform.",
    "Change one of the two titles.",
    source="O18",
    within="a lesson",
    wrong="topics:\n  - {id: a, title: One, type: quiz}\n  - {id: b, title: One, type: quiz}",
    right="topics:\n  - {id: a, title: One, type: quiz}\n  - {id: b, title: Two, type: quiz}",
)


_CONTENT = {
    CourseKind.COURSE_GROUP: "sections",
    CourseKind.MICRO_COURSE: "topics",
    CourseKind.ARTICLE: "articleVariant",
    CourseKind.SHAREABLE_CONTENT_OBJECT: "scormUrl",
}
_WRITTEN = ("body", "markdown", "bodyFile", "videoUrl", "videoAsset", "scormUrl", "pdfUrl")
_NAMED = 5
"""The most topics that a message names; the rest are counted."""


def has_content(course: CourseSpec) -> Iterator[Finding]:
    """The platform accepts a course without content, but no learner can finish it."""
    field = _CONTENT.get(course.kind)
    if field and not getattr(course, field):
        message = f"a course of kind {course.kind} has no `{field}`: learners would find it empty"
        yield NO_CONTENT.at((), message, f"add `{field}`")


def empty_parts(course: CourseSpec) -> Iterator[Finding]:
    """A section without lessons or a lesson without topics: a title with nothing in it."""
    for path, _, siblings in course.lists:
        if siblings or len(path) == 1:
            continue
        yield EMPTY_PART.at(
            path,
            f"a {'section' if path[-1] == 'lessons' else 'lesson'} has no `{path[-1]}`: "
            "learners would find a title and nothing below it",
            f"add `{path[-1]}`, or leave it out until there are some",
        )


def hollow_content(course: CourseSpec) -> Iterator[Finding]:
    """Learners of a published course open pages that nobody has filled (spec 2.2)."""
    if not goes_live(vars(course)):
        return
    hollow = [
        (path, topic)
        for path, topic in course.pages
        if not topic.attested and made_empty(vars(topic))
    ]
    if hollow:
        named = ", ".join(f"“{topic.title}” ({topic.type})" for _, topic in hollow[:_NAMED])
        more = f" and {len(hollow) - _NAMED} more" if len(hollow) > _NAMED else ""
        yield HOLLOW_CONTENT.at(
            (*hollow[0][0], "type"),
            f"learners will open pages that are still empty: {named}{more}",
            "keep the course a draft until they are filled in the authoring interface, then say so "
            "with `attested: {by: NAME, on: DATE}`",
        )


def attested_for_nothing(course: CourseSpec) -> Iterator[Finding]:
    """A page whose content is in the manifest needs no attestation."""
    if not any("attested" in written for _, written in course.shapes):
        return
    for path, topic in course.pages:
        if topic.attested and _needs_no_word(topic):
            yield ATTESTED_CONTENT.at(
                (*path, "attested"),
                f"nobody has to fill this {topic.type} by hand: it is complete when it is created",
            )


def _needs_no_word(topic: Topic) -> bool:
    written = any(getattr(topic, field) is not None for field in _WRITTEN)
    return topic.type is TopicType.DISCUSSION_BOARD or written


PART_CONTENT_RULES = (empty_parts, hollow_content, attested_for_nothing)
CONTENT_RULES = (has_content, *PART_CONTENT_RULES)


def check_part_ids(course: CourseSpec) -> Iterator[Finding]:
    """Yields a finding for each id that two siblings share."""
    for path, _, siblings in course.lists:
        given = [item.id for item in siblings if item.id]
        if len(set(given)) == len(given):  # as nearly always, which is quick to see
            continue
        for position, first in find_repeated(siblings, lambda item: item.id or None):
            message = f"the id `{first.id}` is used twice in `{path[-1]}`"
            hint = "ids must differ among siblings; they are how criteria name topics"
            yield ID_TWICE.at((*path, position, "id"), message, hint)


def check_part_titles(course: CourseSpec) -> Iterator[Finding]:
    """Siblings are found again by their titles, topics by title and type (O15, O18)."""
    for path, _, siblings in course.lists:
        if len({item.title for item in siblings}) == len(siblings):
            continue
        for position, first in find_repeated(siblings, _title_and_type):
            yield TITLE_TWICE.at(
                (*path, position, "title"),
                f"the title “{first.title}” is used twice in `{path[-1]}`; the platform gives no "
                "ids, so only their order tells the two apart",
            )


def _title_and_type(item: Any) -> tuple[str, str]:
    return item.title, item.type if isinstance(item, Topic) else ""


def check_named_parts(course: CourseSpec) -> Iterator[Finding]:
    """Learners lose a part whose title changes, if its id is made from the title."""
    if not goes_live(vars(course)):
        return
    nameless = [
        ((*path, position), item, name)
        for path, _, siblings in course.lists
        if not all(item.id for item in siblings)
        for position, (item, name) in enumerate(
            zip(siblings, _sibling_names(siblings), strict=True)
        )
        if not item.id
    ]
    if nameless:
        path, first, name = nameless[0]
        others = len(nameless) - 1
        plural = "s" if others > 1 else ""
        more = f" and {others} other part{plural} have" if others else " has"
        yield PART_ID.at(
            path,
            f"“{first.title}”{more} no `id`: with another title it would become a new part, "
            "and what learners did in the old one would be lost",
            "`lmssync fmt --ids` writes the id that each part gets from its title, such as "
            f"`id: {name}`",
        )


def _sibling_names(siblings: Sequence[Any]) -> Sequence[str]:
    return part_names([{"id": item.id, "title": item.title} for item in siblings])


OUTLINE_RULES = (check_part_ids, check_part_titles, check_named_parts)
