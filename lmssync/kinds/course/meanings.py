"""What the words of a course mean (spec 2.2)."""

from ...kind import Meanings
from ...vocabulary.enums import (
    FILLED_TOPICS,
    SHELL_TOPICS,
    CourseKind,
    CreateStatus,
    OpenType,
    TopicType,
    VideoSource,
)
from .combinations import TOPIC_FIELDS


def _topic_meaning(word: TopicType) -> str:
    if word in SHELL_TOPICS:
        return "An empty shell: a person fills it."
    if word not in FILLED_TOPICS:
        return "A placeholder page: a person fills it."
    fields = sorted(TOPIC_FIELDS.get(word, ()))
    return f"Filled from the manifest: {', '.join(fields)}." if fields else "Works as it is."


MEANINGS: Meanings = {
    CourseKind: {
        CourseKind.ARTICLE: "An article, in one language or several.",
        CourseKind.VIDEO: "One video.",
        CourseKind.COURSE_GROUP: "A standard course: sections, lessons, topics.",
        CourseKind.MICRO_COURSE: "A small course: topics without sections or lessons.",
        CourseKind.SHAREABLE_CONTENT_OBJECT: "One SCORM package.",
    },
    CreateStatus: {
        CreateStatus.DRAFT: "Learners do not see it yet.",
        CreateStatus.PUBLISHED: "Learners see it as soon as it is made.",
    },
    OpenType: {
        OpenType.STUDENTS_ONLY: "For enrolled learners.",
        OpenType.OPEN: "For everybody.",
        OpenType.EMAIL_CAPTURE_OPEN: "For everybody who leaves an e-mail address.",
    },
    VideoSource: {
        VideoSource.HOSTED: "A video of the library.",
        VideoSource.GENERATED: "A generated video; this word must be written for one.",
    },
    TopicType: {word: _topic_meaning(word) for word in TopicType},
}
