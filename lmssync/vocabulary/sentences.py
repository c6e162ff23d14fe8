"""How the platform words what a learner must do (spec 2.3, O25)."""

from typing import Any

from .enums import CriterionType

_SENTENCES = {
    CriterionType.COURSE_PERCENT_VIEWED: "View {value}% of the course",
    CriterionType.ARTICLE_PERCENT_VIEWED: "View {value}% of the article",
    CriterionType.VIDEO_PERCENT_VIEWED: "View {value}% of the video",
    CriterionType.ARTICLE_TIME_VIEWED_IN_SECONDS: "View the article for {value} seconds",
    CriterionType.COURSE_TOPIC_VIEWED: "View a page",
    CriterionType.COURSE_ASSESSMENT_PASSED: "Pass an assessment",
    CriterionType.COURSE_ASSIGNMENT_COMPLETE: "Complete an assignment",
    CriterionType.COURSE_MEETING_ATTENDED: "Attend a meeting",
    CriterionType.SCORM_COMPLETE: "Complete a SCORM package",
    CriterionType.X_API_COMPLETE: "Complete an xAPI package",
    CriterionType.SURVEY_TOOL_COMPLETE: "Complete a survey",
    CriterionType.PARTNER_ASSIGNMENT_COMPLETED: "Complete a partner assignment",
    CriterionType.PROCTORED_TOPIC_COMPLETE: "Complete a proctored page",
}


def criterion_sentence(type_: str, value: Any) -> str:
    """What a criterion of a type asks for; `value` is its percentage or its seconds."""
    return _SENTENCES[CriterionType(type_)].format(value=value)
