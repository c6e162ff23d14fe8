"""Whether a learner has completed a course, by the thirteen rules of completion (spec 2.3)."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ...resource import Form, Origin
from ...vocabulary.enums import CriterionType as C, TopicType
from .story_catalog import StoryCourse, StoryPage

ALL_PAGES = 100


@dataclass
class CourseProgress:
    """What a learner has done in one course; pages by their paths."""

    viewed: dict[str, int] = field(default_factory=dict)
    """The largest share of each page, in percent."""
    seconds: Counter[str] = field(default_factory=Counter)
    passed: set[str] = field(default_factory=set)
    completed: set[str] = field(default_factory=set)
    attended: set[str] = field(default_factory=set)

    def record_view(self, page: StoryPage, percent: int, seconds: int = 0) -> None:
        self.viewed[page.path] = max(percent, self.viewed.get(page.path, 0))
        self.seconds[page.path] += seconds


class StepRefusal(NamedTuple):
    """Why the platform does not let a learner do something, and what of a manifest decides it."""

    because: str
    origin: Origin


def find_unmet_rule(course: StoryCourse, progress: CourseProgress) -> StepRefusal | None:
    """The first rule of the course that is not met; a course is complete when all of them are.

    A course without rules is complete when every page was viewed.
    """
    if not course.criteria:
        lacks = _lacks_pages({"percent": ALL_PAGES}, "", course, progress)
        return StepRefusal(lacks, course.resource.origin) if lacks else None
    for criterion in course.criteria:
        form = criterion.form
        topic = form.get("topic")
        path = topic["part"] if isinstance(topic, dict) else str(topic or "")
        if lacks := _LACKS[C(form["type"])](form, path, course, progress):
            field_ = next(name for name in ("percent", "seconds", "topic") if name in form)
            return StepRefusal(f"{lacks} ({criterion.address})", criterion.origin.at((field_,)))
    return None


def _lacks_pages(form: Form, _topic: str, course: StoryCourse, progress: CourseProgress) -> str:
    seen, every, needed = len(progress.viewed), len(course.pages), form["percent"]
    # Whole numbers: a share of 66.7 percent must not pass for 67 by rounding.
    if seen * 100 >= needed * every:
        return ""
    return f"{seen} of {every} pages are viewed, and {needed} percent are needed"


def _lacks_reading(form: Form, _topic: str, course: StoryCourse, progress: CourseProgress) -> str:
    most = max((progress.viewed.get(page.path, 0) for page in course.articles), default=0)
    return _compare(most, form["percent"], "percent of the article are viewed")


# The platform counts minutes and shares of "an article" and does not say of which one, where a
# course has several: the one that was read most is the most generous reading.
def _lacks_time(form: Form, _topic: str, course: StoryCourse, progress: CourseProgress) -> str:
    most = max((progress.seconds[page.path] for page in course.articles), default=0)
    text = _compare(most, form["seconds"], "seconds were spent on the article")
    return f"{text}; `seconds` of a step says how many" if text else ""


def _lacks_watching(form: Form, topic: str, _course: StoryCourse, progress: CourseProgress) -> str:
    text = f"percent of the video `{topic}` are viewed"
    return _compare(progress.viewed.get(topic, 0), form["percent"], text)


def _compare(reached: int, needed: int, what: str) -> str:
    return "" if reached >= needed else f"{reached} {what}, and {needed} are needed"


def _lacks_topic(
    found: Callable[[CourseProgress], Any], what: str
) -> Callable[[Form, str, StoryCourse, CourseProgress], str]:
    """A rule that one topic meets by being among those of a kind."""

    def find_lack(_form: Form, topic: str, _course: StoryCourse, progress: CourseProgress) -> str:
        return "" if topic in found(progress) else f"`{topic}` is not {what}"

    return find_lack


_COMPLETED = _lacks_topic(lambda progress: progress.completed, "completed")
_LACKS: Mapping[C, Callable[[Form, str, StoryCourse, CourseProgress], str]] = {
    C.COURSE_PERCENT_VIEWED: _lacks_pages,
    C.ARTICLE_PERCENT_VIEWED: _lacks_reading,
    C.ARTICLE_TIME_VIEWED_IN_SECONDS: _lacks_time,
    C.VIDEO_PERCENT_VIEWED: _lacks_watching,
    C.COURSE_TOPIC_VIEWED: _lacks_topic(lambda progress: progress.viewed, "viewed"),
    C.COURSE_ASSESSMENT_PASSED: _lacks_topic(lambda progress: progress.passed, "passed"),
    C.COURSE_MEETING_ATTENDED: _lacks_topic(lambda progress: progress.attended, "attended"),
    C.PROCTORED_TOPIC_COMPLETE: _lacks_topic(
        lambda progress: progress.completed, "completed under supervision"
    ),
    C.COURSE_ASSIGNMENT_COMPLETE: _COMPLETED,
    C.SCORM_COMPLETE: _COMPLETED,
    C.X_API_COMPLETE: _COMPLETED,
    C.SURVEY_TOOL_COMPLETE: _COMPLETED,
    C.PARTNER_ASSIGNMENT_COMPLETED: _COMPLETED,
}

_TESTS = frozenset({TopicType.QUIZ, TopicType.TEST})
FITTING: Mapping[str, frozenset[TopicType]] = {
    "passes": _TESTS,
    "fails": _TESTS,
    "attends": frozenset({TopicType.MEETING_INFO, TopicType.IN_PERSON_EVENT}),
    "completes": _TESTS
    | {
        TopicType.ASSIGNMENT,
        TopicType.SHAREABLE_CONTENT_OBJECT,
        TopicType.X_API_OBJECT,
        TopicType.SURVEY_TOOL,
        TopicType.PARTNER,
    },
}
"""The types of topic with which a learner can do it; all can be viewed."""


def is_behind_learner(page: StoryPage, progress: CourseProgress) -> bool:
    """Whether the next page may be opened where pages are taken in order: what can be passed is
    passed, what can be completed or attended is that, and everything else is viewed."""
    if page.type in _TESTS:
        return page.path in progress.passed | progress.completed
    if page.type in FITTING["attends"]:
        return page.path in progress.attended
    if page.type in FITTING["completes"]:
        return page.path in progress.completed
    return page.path in progress.viewed
