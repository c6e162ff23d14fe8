"""A rule of completion as people say it: `View 80 % of the course`."""

from collections.abc import Mapping

from ...resource import Form
from ...vocabulary.enums import CriterionType as C

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
