"""Courses with their parts and criteria, groups, and what a search finds (spec 2.1 to 2.3)."""

from typing import Any

from pydantic import Field, create_model

from ...vocabulary.enums import TOPIC_CRITERIA, CriterionType
from .jobs import Jobs
from .words import ABSENT, Id, Number, Object, Shape, Text, Uuid


class Topic(Shape):
    id: Uuid
    title: Text
    type: Text
    updatedAt: Text | None = None


class Lesson(Shape):
    id: Uuid
    title: Text
    accessLevel: Text | None = None
    """Null where it is not known (O23)."""
    topics: list[Topic]


class Section(Shape):
    id: Id
    title: Text
    releaseAt: Text | None = None
    lessons: list[Lesson]


class _Criterion(Shape):
    id: Uuid
    type: Text
    course: Uuid | None = None


def _values() -> dict[str, Any]:
    """The values of a criterion of any type, so that they can be compared (O25)."""
    topics = {*(kind.value for kind in TOPIC_CRITERIA), "videoTopicId"}
    numbers = {kind.value for kind in CriterionType} - topics
    return dict.fromkeys(sorted(topics), (Uuid | None, None)) | dict.fromkeys(
        sorted(numbers), (Number | None, None)
    )


Criterion = create_model("Criterion", __base__=_Criterion, **_values())


class Course(Shape):
    """O22. Where `completionCriteria` is absent, the read says nothing about criteria."""

    id: Uuid
    courseGroupId: Id
    title: Text
    status: Text | None = None
    sku: Text | None = None
    sections: list[Section]
    completionCriteria: list[Criterion] = ABSENT  # type: ignore[valid-type]


class Created(Jobs):
    """Of a course create (O15)."""

    courseIds: list[Uuid]
    courseGroupIds: list[Id] = ABSENT


class Refusal(Shape):
    """An entry that a bulk update of criteria did not take (spec 4)."""

    courseId: Text | None = None
    type: Text | None = None
    error: Text
    record: Text | None = None


class CriteriaUpdated(Shape):
    createdCount: int = Field(ge=0)
    updatedCount: int = Field(ge=0)
    errors: list[Refusal]
    warnings: list[Text] = ABSENT


class Group(Shape):
    """O26."""

    id: Id
    title: Text
    slug: Text | None = None


class Session(Shape):
    """A course as lists of a group show it (O26)."""

    id: Uuid
    courseGroupId: Id
    title: Text


class Found(Shape):
    """What a search found (O27, O48)."""

    id: Id
    title: Text
    slug: Text | None = None
    sku: Text | None = None
    tags: list[Object] = ABSENT
