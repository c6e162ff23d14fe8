"""Completion criteria as reads show them; `criteria.list` (O25)."""

from functools import partial

from lmssync.vocabulary.enums import CriterionType

from ..call import Call
from ..documents import Doc
from ..http import Answer
from ..platform import Platform
from .lookup import course_of_path
from .paging import by_page

VALUE_FIELDS = (*(kind.value for kind in CriterionType), "videoTopicId")
"""Every field that holds the value of some type."""

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


def view(criterion: Doc, *, course: str) -> Doc:
    """With `course` in the place of `courseId`, and null where a field is of another type."""
    kind = CriterionType(criterion["type"])
    return {
        "id": criterion["id"],
        "course": course,
        "type": kind,
        "description": _SENTENCES[kind].format(value=criterion.get(kind)),
        **{name: criterion.get(name) for name in VALUE_FIELDS},
    }


def of_course(platform: Platform, call: Call) -> Answer:
    """By page, oldest first; a group's id stands for its first session (O30)."""
    course = course_of_path(platform, call)
    items, show = course["criteria"], partial(view, course=course["id"])
    return by_page(platform, call, "completionCriteria", items=items, show=show)
