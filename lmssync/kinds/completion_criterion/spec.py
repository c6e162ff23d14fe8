"""What an author may write of a completion criterion (spec 2.3)."""

from collections.abc import Mapping
from typing import Annotated

from pydantic import Field

from ...vocabulary import limits
from ...vocabulary.enums import TOPIC_CRITERIA, TopicType
from ...vocabulary.enums import CriterionType as C
from ..managed import Managed
from ..types import Choice, PartId, Positive, Shown, Title

NEEDS: Mapping[C, frozenset[str]] = {
    C.COURSE_PERCENT_VIEWED: frozenset({"percent"}),
    C.ARTICLE_PERCENT_VIEWED: frozenset({"percent"}),
    C.VIDEO_PERCENT_VIEWED: frozenset({"percent", "topic"}),
    C.ARTICLE_TIME_VIEWED_IN_SECONDS: frozenset({"seconds"}),
} | {topic_type: frozenset({"topic"}) for topic_type in TOPIC_CRITERIA}
FITS: Mapping[C, frozenset[str]] = {
    C.VIDEO_PERCENT_VIEWED: frozenset({TopicType.VIDEO}),
    C.COURSE_TOPIC_VIEWED: frozenset(TopicType),
    C.COURSE_ASSESSMENT_PASSED: frozenset({TopicType.QUIZ, TopicType.TEST}),
    C.COURSE_ASSIGNMENT_COMPLETE: frozenset({TopicType.ASSIGNMENT}),
    C.COURSE_MEETING_ATTENDED: frozenset({TopicType.MEETING_INFO, TopicType.IN_PERSON_EVENT}),
    C.SCORM_COMPLETE: frozenset({TopicType.SHAREABLE_CONTENT_OBJECT}),
    C.X_API_COMPLETE: frozenset({TopicType.X_API_OBJECT}),
    C.SURVEY_TOOL_COMPLETE: frozenset({TopicType.SURVEY_TOOL}),
    C.PARTNER_ASSIGNMENT_COMPLETED: frozenset({TopicType.PARTNER}),
    C.PROCTORED_TOPIC_COMPLETE: frozenset({TopicType.QUIZ, TopicType.TEST}),
}
"""Types of topic by which each rule can be met."""


class CriterionSpec(Managed):
    """A completion criterion; `percent`, `seconds` and `topic` as its type needs them."""

    course: Annotated[Title, Shown(("safety-101",), wire="courseId")]
    """Key of the course, or its uuid."""
    id: Annotated[PartId | None, Shown(("pass",))] = None
    """Name within the course, in the short form."""
    type: Choice[C]
    """The rule of completion; it decides which of `percent`, `seconds` and `topic` are needed."""
    percent: Annotated[
        Annotated[int, Field(ge=limits.PERCENT_LEAST, le=limits.PERCENT_MOST)] | None, Shown((80,))
    ] = None
    """Share of the course, article or video that must be viewed."""
    seconds: Annotated[Positive | None, Shown((300,))] = None
    """Time that the article must be viewed."""
    topic: Annotated[Title | None, Shown(("check/final/quiz",))] = None
    """Path of a topic, `section/lesson/topic` (`main` where the platform made it), or its uuid."""
