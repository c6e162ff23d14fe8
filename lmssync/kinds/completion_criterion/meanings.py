"""What the rules of completion mean (spec 2.3)."""

from collections.abc import Mapping

from ...kind import Meanings
from ...vocabulary.enums import CriterionType as C, TopicType
from .spec import FITS, NEEDS


def _meaning_of(word: C) -> str:
    needs = " and ".join(sorted(NEEDS[word]))
    fits = FITS.get(word, frozenset())
    if not fits or fits == frozenset(TopicType):
        return f"{_MET[word]} Needs {needs}."
    return f"{_MET[word]} Needs {needs}, of type {' or '.join(sorted(fits))}."


_MET: Mapping[C, str] = {
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
MEANINGS: Meanings = {C: {word: _meaning_of(word) for word in C}}
