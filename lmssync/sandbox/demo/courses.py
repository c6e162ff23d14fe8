"""The courses of the school, as the lists of a seed: one section and one lesson each."""

from collections.abc import Iterable
from typing import Any, NamedTuple

from lmssync.vocabulary.enums import CriterionType, SessionStatus, TopicType

from ..data.ids import stable_id
from ..people.reach import RESTARTS
from ..seeds import TREE
from .ids import tag_id

Doc = dict[str, Any]
TEXT, QUIZ = TopicType.TEXT, TopicType.QUIZ
ASSIGNMENT, PACKAGE = TopicType.ASSIGNMENT, TopicType.SHAREABLE_CONTENT_OBJECT


class School(NamedTuple):
    """A course of the school; `key` names it among the demo ids."""

    key: str
    title: str
    topics: tuple[TopicType, ...]
    tags: tuple[str, ...] = ()
    restarts: bool = False


COURSES = (
    School("welcome", "Welcome on site", (TEXT,)),
    School("safety", "Safety basics", (TEXT, QUIZ, ASSIGNMENT), ("Safety",)),
    School("waste", "Waste and recycling", (TEXT, QUIZ), ("Sustainability",)),
    School("shift", "Leading a shift", (TEXT, ASSIGNMENT), ("Leadership",)),
    School("first-aid", "First aid refresher", (PACKAGE, QUIZ), ("First aid",), restarts=True),
    School("data", "Patients' data", (TEXT, QUIZ), ("Data protection",)),
)
PATHS = {101: ("welcome", "safety"), 102: ("shift",)}
"""The courses of the demo learning paths, by the number of the path."""
BUNDLES = {201: ("waste",)}
"""The courses of the demo collection."""


def course_id(key: str) -> str:
    return stable_id("courses", key)


def topic_id(key: str, type_: str) -> str:
    """The id of the only topic of that type in a course."""
    return stable_id("topics", f"{key}/{type_}")


def tree() -> Doc:
    """All courses as a seed."""
    lists: Doc = {name: [] for name in TREE}
    for school in COURSES:
        _add(lists, school)
    return lists


def _add(lists: Doc, school: School) -> None:
    group, section, lesson = (
        stable_id(kind, school.key) for kind in ("courseGroups", "sections", "lessons")
    )
    tags = [tag_id(label) for label in school.tags]
    lists["courseGroups"].append(
        {"id": group, "title": school.title, "slug": f"school-{school.key}", "tagIds": tags}
    )
    lists["courses"].append(
        {
            "id": course_id(school.key),
            "courseGroupId": group,
            "title": school.title,
            "sku": f"SCHOOL-{school.key.upper()}",
            "status": SessionStatus.PUBLISHED,
            RESTARTS: school.restarts,
        }
    )
    lists["sections"].append(
        {"id": section, "courseId": course_id(school.key), "title": school.title}
    )
    lists["lessons"].append({"id": lesson, "sectionId": section, "title": "All of it"})
    lists["topics"] += _topics(school, lesson)
    lists["completionCriteria"] += _criteria(school)


def _topics(school: School, lesson: str) -> Iterable[Doc]:
    words = {TEXT: "Read this", QUIZ: "Check", ASSIGNMENT: "Hand in a report", PACKAGE: "Practise"}
    for type_ in school.topics:
        yield {
            "id": topic_id(school.key, type_),
            "lessonId": lesson,
            "title": f"{words[type_]}: {school.title}",
            "type": type_,
            **({"body": f"<p>{school.title}.</p>"} if type_ is TEXT else {}),
        }


def _criteria(school: School) -> Iterable[Doc]:
    """Who passes the check has completed the course."""
    if QUIZ in school.topics:
        rule = CriterionType.COURSE_ASSESSMENT_PASSED.value
        yield {
            "id": stable_id("completionCriteria", school.key),
            "courseId": course_id(school.key),
            "type": rule,
            rule: topic_id(school.key, QUIZ),
        }
