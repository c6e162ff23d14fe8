"""Completion criteria as reads show them; `criteria.list` (O25)."""

from functools import partial

from lmssync.vocabulary.enums import CriterionType, criterion_sentence

from ..http_exchange import Answer
from ..sandbox_documents import Doc
from ..sandbox_platform import Call, Platform
from .lookup import course_of_path
from .paging import by_page

VALUE_FIELDS = (*(kind.value for kind in CriterionType), "videoTopicId")
"""Every field that holds the value of some type."""


def show_criterion(criterion: Doc, *, course: str) -> Doc:
    """With `course` in the place of `courseId`, and null where a field is of another type."""
    kind = CriterionType(criterion["type"])
    return {
        "id": criterion["id"],
        "course": course,
        "type": kind,
        "description": criterion_sentence(kind, criterion.get(kind)),
        **{name: criterion.get(name) for name in VALUE_FIELDS},
    }


def of_course(platform: Platform, call: Call) -> Answer:
    """By page, oldest first; a group's id stands for its first session (O30)."""
    course = course_of_path(platform, call)
    items, show = course["criteria"], partial(show_criterion, course=course["id"])
    return by_page(platform, call, "completionCriteria", items=items, show=show)
