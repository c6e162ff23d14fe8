"""What the words mean that a field may be one of (spec 2.2, 2.3)."""

from collections.abc import Mapping
from enum import StrEnum

from ...kinds.completion_criterion.spec import FITS, NEEDS
from ...kinds.course.rules import TOPIC_FIELDS
from ...vocabulary.enums import (
    FILLED_TOPICS,
    SHELL_TOPICS,
    CourseKind,
    CreateStatus,
    CriterionType,
    OpenType,
    TopicType,
    VideoSource,
)


def meanings(enum: type[StrEnum]) -> Mapping[str, str]:
    """A sentence for each word of an enum, or nothing for an enum that has none."""
    return _MEANINGS.get(enum, {})


def _topic(word: TopicType) -> str:
    if word in SHELL_TOPICS:
        return "An empty shell: a person fills it."
    if word not in FILLED_TOPICS:
        return "A placeholder page: a person fills it."
    fields = sorted(TOPIC_FIELDS.get(word, ()))
    return f"Filled from the manifest: {', '.join(fields)}." if fields else "Works as it is."


def _criterion(word: CriterionType) -> str:
    needs = " and ".join(sorted(NEEDS[word]))
    fits = FITS.get(word, frozenset())
    if not fits or fits == frozenset(TopicType):
        return f"{_MET[word]} Needs {needs}."
    return f"{_MET[word]} Needs {needs}, of type {' or '.join(sorted(fits))}."


C = CriterionType
_MET: Mapping[CriterionType, str] = {
    C.COURSE_PERCENT_VIEWED: "Met when a share of the pages was viewed.",
    C.ARTICLE_PERCENT_VIEWED: "Met when a share of the article was viewed.",
    C.VIDEO_PERCENT_VIEWED: "Met when a share of a video was viewed.",
    C.ARTICLE_TIME_VIEWED_IN_SECONDS: "Met when the article was open for a time.",
    C.COURSE_TOPIC_VIEWED: "Met when a topic was viewed.",
    C.COURSE_ASSESSMENT_PASSED: "Met when an assessment was passed.",
    C.COURSE_ASSIGNMENT_COMPLETE: "Met when an assignment is complete.",
    C.COURSE_MEETING_ATTENDED: "Met when a meeting was attended.",
    C.SCORM_COMPLETE: "Met when a SCORM package is complete.",
    C.X_API_COMPLETE: "Met when an xAPI activity is complete.",
    C.SURVEY_TOOL_COMPLETE: "Met when a survey of the survey tool is complete.",
    C.PARTNER_ASSIGNMENT_COMPLETED: "Met when an assignment of the partner is complete.",
    C.PROCTORED_TOPIC_COMPLETE: "Met when a proctored topic is complete.",
}
_MEANINGS: Mapping[type[StrEnum], Mapping[str, str]] = {
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
    TopicType: {word: _topic(word) for word in TopicType},
    CriterionType: {word: _criterion(word) for word in CriterionType},
}
