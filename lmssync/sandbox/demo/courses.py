"""The courses of the school, as the lists of a seed: one section and one lesson each."""

from typing import NamedTuple

from lmssync.vocabulary.enums import CriterionType, SessionStatus, TopicType

from ..data.ids import stable_id
from ..documents import Doc
from ..people.reach import RESTARTS
from ..seeds import TREE

TEXT, QUIZ = TopicType.TEXT, TopicType.QUIZ
ASSIGNMENT, PACKAGE = TopicType.ASSIGNMENT, TopicType.SHAREABLE_CONTENT_OBJECT
_TITLES = {TEXT: "Read this", QUIZ: "Check", ASSIGNMENT: "Hand in a report", PACKAGE: "Practise"}


class SchoolCourse(NamedTuple):
    """A course of the school; its ids are made of `key`."""

    key: str
    title: str
    topics: tuple[TopicType, ...]
    tags: tuple[str, ...] = ()
    restarts: bool = False


COURSES = (
    SchoolCourse("welcome", "Welcome on site", (TEXT,)),
    SchoolCourse("safety", "Safety basics", (TEXT, QUIZ, ASSIGNMENT), ("Safety",)),
    SchoolCourse("waste", "Waste and recycling", (TEXT, QUIZ), ("Sustainability",)),
    SchoolCourse("shift", "Leading a shift", (TEXT, ASSIGNMENT), ("Leadership",)),
    SchoolCourse(
        "first-aid", "First aid refresher", (PACKAGE, QUIZ), ("First aid",), restarts=True
    ),
    SchoolCourse("data", "Patients' data", (TEXT, QUIZ), ("Data protection",)),
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


def school_tree() -> Doc:
    """All courses as a seed."""
    seeds = [_seed_course(course) for course in COURSES]
    return {name: [item for seed in seeds for item in seed[name]] for name in TREE}


def _seed_course(course: SchoolCourse) -> Doc:
    key, title = course.key, course.title
    group, section, lesson = (
        stable_id(kind, key) for kind in ("courseGroups", "sections", "lessons")
    )
    tags = [stable_id("tags", label) for label in course.tags]
    session = {
        "id": course_id(key),
        "courseGroupId": group,
        "title": title,
        "sku": f"SCHOOL-{key.upper()}",
        "status": SessionStatus.PUBLISHED,
        RESTARTS: course.restarts,
    }
    return {
        "courseGroups": [{"id": group, "title": title, "slug": f"school-{key}", "tagIds": tags}],
        "courses": [session],
        "sections": [{"id": section, "courseId": course_id(key), "title": title}],
        "lessons": [{"id": lesson, "sectionId": section, "title": "All of it"}],
        "topics": [_seed_topic(course, type_, lesson) for type_ in course.topics],
        "completionCriteria": [_quiz_criterion(key)] if QUIZ in course.topics else [],
    }


def _seed_topic(course: SchoolCourse, type_: TopicType, lesson: str) -> Doc:
    return {
        "id": topic_id(course.key, type_),
        "lessonId": lesson,
        "title": f"{_TITLES[type_]}: {course.title}",
        "type": type_,
        **({"body": f"<p>{course.title}.</p>"} if type_ is TEXT else {}),
    }


def _quiz_criterion(key: str) -> Doc:
    """Who passes the quiz has completed the course."""
    type_ = CriterionType.COURSE_ASSESSMENT_PASSED.value
    criterion = {"id": stable_id("completionCriteria", key), "courseId": course_id(key)}
    return {**criterion, "type": type_, type_: topic_id(key, QUIZ)}
