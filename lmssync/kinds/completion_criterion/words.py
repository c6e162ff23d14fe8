"""Rules of completion as people say them: `View 80 % of the course`."""

from collections.abc import Mapping

from ...resource import Form
from ...vocabulary.enums import CriterionType as C
from ...vocabulary.enums import TopicType
from ..kind import Meanings
from .spec import FITS, NEEDS

_SAID: Mapping[C, str] = {
    C.COURSE_PERCENT_VIEWED: "View {percent} % of the course",
    C.ARTICLE_PERCENT_VIEWED: "View {percent} % of the article",
    C.VIDEO_PERCENT_VIEWED: "View {percent} % of the video {topic}",
    C.ARTICLE_TIME_VIEWED_IN_SECONDS: "View the article for {seconds} seconds",
    C.COURSE_TOPIC_VIEWED: "View {topic}",
    C.COURSE_ASSESSMENT_PASSED: "Pass {topic}",
    C.COURSE_ASSIGNMENT_COMPLETE: "Complete the assignment {topic}",
    C.COURSE_MEETING_ATTENDED: "Attend {topic}",
    C.SCORM_COMPLETE: "Complete the SCORM package {topic}",
    C.X_API_COMPLETE: "Complete the xAPI package {topic}",
    C.SURVEY_TOOL_COMPLETE: "Complete the survey {topic}",
    C.PARTNER_ASSIGNMENT_COMPLETED: "Complete the partner assignment {topic}",
    C.PROCTORED_TOPIC_COMPLETE: "Complete {topic} under supervision",
}


def title(form: Form) -> str:
    """The rule in words, its topic by its path; its type where the form lacks what that needs."""
    topic = form.get("topic")
    part = topic.get("part") if isinstance(topic, dict) else topic
    try:
        return _SAID[C(form["type"])].format_map({**form, **({"topic": part} if part else {})})
    except (KeyError, ValueError):  # a record of another version
        return str(form.get("type", ""))


def _meaning(word: C) -> str:
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
MEANINGS: Meanings = {C: {word: _meaning(word) for word in C}}
