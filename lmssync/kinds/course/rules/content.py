"""Whether a course has content, and whether that is filled or attested."""

from collections.abc import Iterator

from ....problems import Finding, Severity
from ....vocabulary.enums import CourseKind, TopicType
from .. import tree
from ..facts import goes_live, made_empty
from ..spec import CourseSpec, Topic

_CONTENT = {
    CourseKind.COURSE_GROUP: "sections",
    CourseKind.MICRO_COURSE: "topics",
    CourseKind.ARTICLE: "articleVariant",
    CourseKind.SHAREABLE_CONTENT_OBJECT: "scormUrl",
}
_WRITTEN = ("body", "markdown", "bodyFile", "videoUrl", "videoAsset", "scormUrl", "pdfUrl")
_NAMED = 5
"""Topics that a message names; the rest is counted."""


def has_content(course: CourseSpec) -> Iterator[Finding]:
    """The platform accepts a course without content, but no learner can finish it."""
    field = _CONTENT.get(course.kind)
    if field and not getattr(course, field):
        yield Finding(
            "no-content",
            (),
            f"a course of kind {course.kind} has no `{field}`: learners would find it empty",
            f"add `{field}`",
            Severity.WARNING,
        )


def empty_parts(course: CourseSpec) -> Iterator[Finding]:
    """A section without lessons, a lesson without topics: a title with nothing behind it."""
    for path, _, siblings in tree.walk(course):
        if siblings or len(path) == 1:
            continue
        yield Finding(
            "empty-part",
            path,
            f"a {'section' if path[-1] == 'lessons' else 'lesson'} has no `{path[-1]}`: "
            "learners would find a title and nothing below it",
            f"add `{path[-1]}`, or leave it out until there are some",
            Severity.WARNING,
        )


def hollow_content(course: CourseSpec) -> Iterator[Finding]:
    """Learners of a published course open pages that nobody has filled (spec 2.2)."""
    if not goes_live(vars(course)):
        return
    hollow = [
        (path, topic)
        for path, (*_, topic) in tree.topics(course)
        if not topic.attested and made_empty(vars(topic))
    ]
    if hollow:
        named = ", ".join(f"“{topic.title}” ({topic.type})" for _, topic in hollow[:_NAMED])
        more = f" and {len(hollow) - _NAMED} more" if len(hollow) > _NAMED else ""
        yield Finding(
            "hollow-content",
            (*hollow[0][0], "type"),
            f"learners will open pages that are still empty: {named}{more}",
            "keep the course a draft until they are filled in the authoring interface, then say so "
            "with `attested: {by: NAME, on: DATE}`",
            Severity.WARNING,
        )


def attested_for_nothing(course: CourseSpec) -> Iterator[Finding]:
    """A page whose content is in the manifest needs no attestation."""
    for path, (*_, topic) in tree.topics(course):
        if topic.attested and _needs_no_word(topic):
            yield Finding(
                "attested-content",
                (*path, "attested"),
                f"nobody has to fill this {topic.type} by hand: it is complete when it is created",
                "delete `attested`",
                Severity.WARNING,
            )


def _needs_no_word(topic: Topic) -> bool:
    written = any(getattr(topic, field) is not None for field in _WRITTEN)
    return topic.type is TopicType.DISCUSSION_BOARD or written


RULES = (has_content, empty_parts, hollow_content, attested_for_nothing)
