"""Judges stories of documents that are read from no file."""

from collections.abc import Mapping
from typing import Any

from lmssync.catalog.manifests.story_documents import Story, StoryFile
from lmssync.learners.stories import StoryCatalog, find_name_problems, judge_story
from lmssync.resource import Origin
from lmssync.vocabulary.enums import CriterionType as C
from tests import making

PATH = "start/welcome/hello"
BY_TYPE: dict[C, tuple[str, dict[str, Any], dict[str, Any]]] = {
    C.COURSE_PERCENT_VIEWED: ("text", {"percent": 100}, {"views": "all"}),
    C.ARTICLE_PERCENT_VIEWED: ("article", {"percent": 80}, {"views": PATH, "percent": 80}),
    C.VIDEO_PERCENT_VIEWED: ("video", {"percent": 80}, {"views": PATH, "percent": 80}),
    C.ARTICLE_TIME_VIEWED_IN_SECONDS: ("article", {"seconds": 60}, {"views": PATH, "seconds": 60}),
    C.COURSE_TOPIC_VIEWED: ("text", {}, {"views": PATH}),
    C.COURSE_ASSESSMENT_PASSED: ("quiz", {}, {"passes": PATH}),
    C.COURSE_ASSIGNMENT_COMPLETE: ("assignment", {}, {"completes": PATH}),
    C.COURSE_MEETING_ATTENDED: ("meetingInfo", {}, {"attends": PATH}),
    C.SCORM_COMPLETE: ("shareableContentObject", {}, {"completes": PATH}),
    C.X_API_COMPLETE: ("xApiObject", {}, {"completes": PATH}),
    C.SURVEY_TOOL_COMPLETE: ("surveyTool", {}, {"completes": PATH}),
    C.PARTNER_ASSIGNMENT_COMPLETED: ("partner", {}, {"completes": PATH}),
    C.PROCTORED_TOPIC_COMPLETE: ("test", {}, {"completes": PATH}),
}
"""For each rule of completion: a type of topic, the fields of the rule, a step that meets it."""


def course_of(type_: C, **fields: Any) -> list[dict[str, Any]]:
    """A published course of two pages with one rule of completion, and a license for it."""
    topic, needs, _ = BY_TYPE[type_]
    about_topic = needs.keys() == set() or type_ is C.VIDEO_PERCENT_VIEWED
    rule = {"percent": None, "type": type_.value, **needs} | (
        {"topic": PATH} if about_topic else {}
    )
    filled = {"attested": {"by": "Ann", "on": "2027-01-31"}}
    if topic == "video":
        filled = {"videoUrl": "https://media.example.com/a.mp4"}
    pages = [making.topic("hello", topic, **filled), making.topic("rest")]
    lessons = making.lesson("welcome", *pages, openType="studentsOnly")
    parts = [making.section("start", lessons)]
    whole = {"status": "published", "sections": parts} | fields
    return [making.course(**whole), making.criterion(**rule), making.license_()]


def failures_of(
    story: Mapping[str, Any], *documents: Mapping[str, Any]
) -> list[tuple[str, str, tuple[Any, ...]]]:
    """Each failure: its place in the story, its words, and the path that decides it."""
    plain = {"story": "s", "course": "safety", "starts": "2029-03-01", "expect": []}
    told = Story(StoryFile.model_validate(plain | story), Origin("stories/s.yaml"))
    known = StoryCatalog(making.catalog(*documents))
    assert [] == find_name_problems(told, known)
    return [
        (".".join(map(str, failure.path)), failure.message, failure.decider.path)
        for failure in judge_story(told, known).failures
    ]


def steps(*listed: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Steps of a learner with the license, one for each day."""
    return [{"day": 0, "gets": "staff"}, *({"day": day, **one} for day, one in enumerate(listed))]
